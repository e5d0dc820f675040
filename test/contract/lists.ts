import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Filter } from '../../src/domain/filter/filter.ts';
import type { Memory } from '../../src/index.ts';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { AUTHORS, BEGINNING, listedLines, SCOPES, WORDS } from '../support/fill-lists.ts';
import { isInState, newestFirst, passes, tablesOf } from '../support/listed.ts';

/** All pages of a listing, one after the other. @param between runs before each page but the first */
export async function walk(
  memory: Memory,
  operation: string,
  input: object,
  between?: () => Promise<unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: answers of several shapes
): Promise<any[]> {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const pages: any[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await memory.call(operation, { ...input, ...(cursor && { cursor }) });
    pages.push(page);
    cursor = (page.nextCursor ?? page.next_cursor) as string | undefined;
    if (cursor === undefined) return pages;
    assert(pages.length < 1_000, 'it never ends');
    await between?.();
  }
}

const DAY = 86_400_000;
const moment = (day: number) => new Date(BEGINNING + day * DAY).toISOString();

/** A filter in the text of the grammar, and what it should mean. */
const filters = fc
  .record(
    {
      scope: fc.option(fc.constantFrom('auth', 'ui', '결제'), { freq: 2 }),
      topic: fc.option(fc.constantFrom('t:1', 'T: 2', 't:3', 't:4'), { freq: 2 }),
      by: fc.option(fc.constantFrom('kim', 'LEE@example', '박지훈'), { freq: 2 }),
      outcome: fc.option(fc.constantFrom('success', 'failed', 'partial', 'pending'), { freq: 2 }),
      strength: fc.option(fc.constantFrom('axis', 'lock', 'normal'), { freq: 2 }),
      state: fc.option(fc.constantFrom('active', 'withdrawn', 'superseded', 'any'), { freq: 2 }),
      since: fc.option(fc.nat(160), { freq: 2 }),
      until: fc.option(fc.nat(160), { freq: 2 }),
      flags: fc.oneof(
        { weight: 2, arbitrary: fc.constant<string[]>([]) },
        fc.subarray<string>(['is:no-evidence', 'is:failed-basis', 'is:debated', 'is:unsure'], {
          maxLength: 1,
        }),
      ),
      words: fc.oneof(
        { weight: 2, arbitrary: fc.constant<string[]>([]) },
        fc.subarray(WORDS, { maxLength: 2 }),
      ),
    },
    { requiredKeys: ['flags', 'words', 'since', 'until'] },
  )
  .map(({ flags, words, since: one, until: other, ...named }) => {
    const isBackwards = one !== null && other !== null && one > other;
    // A span that ends where it begins is refused.
    const [since, until] = isBackwards ? [other, one] : [one, one === other ? null : other];
    const given = Object.entries(named).filter(([, value]) => value != null) as [string, string][];
    const text = [
      ...given.map(([key, value]) => `${key}:"${value}"`),
      ...flags,
      ...words,
      ...(since === null ? [] : [`since:${moment(since)}`]),
      ...(until === null ? [] : [`until:${moment(until)}`]),
    ].join(' ');
    const filter: Filter = {
      ...Object.fromEntries(given),
      ...(flags.includes('is:no-evidence') && { noEvidence: true }),
      ...(flags.includes('is:failed-basis') && { failedBasis: true }),
      ...(flags.includes('is:debated') && { debated: true }),
      ...(flags.includes('is:unsure') && { unsure: true }),
      ...(words.length > 0 && { words: words.join(' ') }),
      ...(since !== null && { since: BEGINNING + since * DAY }),
      ...(until !== null && { until: BEGINNING + until * DAY }),
    };
    return { text, filter };
  });

/** Listings are whole, and a filter of a listing is that filter of everything. */
export function lists(engine: EngineUnderTest): void {
  describe('lists', () => {
    it('[U-4] a list with a filter is what the filter lets through of the whole export, in pages of any size', async () => {
      const memory = await engine.openFast({ clock: () => BEGINNING + 240 * DAY });
      const lines = await listedLines();
      await memory.import(lines);
      const tables = tablesOf(lines);
      let found = 0;
      await fc.assert(
        fc.asyncProperty(
          filters,
          fc.constantFrom(3, 50, 1_000),
          fc.boolean(),
          async (asked, limit, reverse) => {
            const { text, filter } = asked;
            const expected = tables.decisions
              .filter((d) => isInState(tables, d, filter) && passes(tables, filter, d))
              .sort(newestFirst)
              .map(({ id }) => id);
            if (reverse) expected.reverse();
            const input = { limit, ...(text !== '' && { filter: text }), ...(reverse && { reverse }) };
            const pages = await walk(memory, 'decision_list', input);
            assert.deepEqual(
              pages.flatMap((page) => page.decisions.map(({ id }: { id: string }) => id)),
              expected,
              text,
            );
            for (const { total } of pages) assert.equal(total, expected.length, text);
            found += expected.length;
          },
        ),
        { seed: 49, numRuns: 60 },
      );
      assert(found > 100, `only ${found} were found in all runs`);
    });

    it('[W-6] pages are whole while another writes: what stood on the first page is shown once, as it is now', async () => {
      const memory = await engine.openFast(fixed());
      const saved = [];
      for (let n = 0; n < 12; n++)
        saved.push((await memory.mama.save({ topic: `t:${n}`, decision: `first ${n}` })).id);
      const [oldest] = await walk(memory, 'decision_list', { limit: 3, reverse: true });
      const reversed = { limit: 3, reverse: true, cursor: oldest?.nextCursor };
      let step = 0;
      const pages = await walk(memory, 'decision_list', { limit: 3 }, async () => {
        // What was shown already, what comes on the next page, what is far behind it, and what is new.
        await memory.mama.save({ topic: `t:${11 - step}`, decision: `second ${step}` });
        await memory.mama.save({
          topic: `t:${8 - 3 * step}`,
          decision: `second ${step}`,
          strength: 'normal',
        });
        await memory.decision.revise({ id: `t:${step}`, withdrawn: true, reasoning: 'over' });
        await memory.mama.save({ topic: `new ${step++}`, decision: 'new' });
      });
      const shown = pages.flatMap(({ decisions }) => decisions);
      assert.deepEqual(
        shown.map(({ id }) => id),
        saved.toReversed(),
      );
      assert.deepEqual(new Set(shown.slice(0, 3).map(({ status }) => status)), new Set(['active']));
      assert.equal(shown.find(({ topic }) => topic === 't:8')?.status, 'superseded');
      for (const { total } of pages) assert.equal(total, 12);
      // So it is from the other end, whose first page was read before all of that.
      const others = await walk(memory, 'decision_list', reversed);
      assert.deepEqual(
        others.flatMap(({ decisions }) => decisions.map(({ id }: { id: string }) => id)),
        saved.slice(3),
      );
      await refuses(
        memory.decision.list({ limit: 3, cursor: oldest?.nextCursor }),
        'invalid',
        'same question',
      );
    });

    it('[U-4] the fields of a filter mean what its text means, and both at once are one filter', async () => {
      const memory = await engine.openFast({ clock: () => BEGINNING + 240 * DAY });
      await memory.import(await listedLines());
      const ids = async (input: object) =>
        (await memory.call('decision_list', { limit: 1_000, ...input })).decisions as { id: string }[];
      const [scope = ''] = SCOPES;
      const [author = ''] = AUTHORS;
      for (const [fields, text] of [
        [
          { scope, author, outcome: 'failed', state: 'any' },
          `scope:${scope} by:"${author}" outcome:failed state:any`,
        ],
        [{ pending: true, noEvidence: true }, 'is:pending is:no-evidence'],
        [{ debated: true, state: 'any' }, 'is:debated state:any'],
        [{ failedBasis: true, state: 'any' }, 'is:failed-basis state:any'],
        [{ unsure: true, state: 'any' }, 'is:unsure state:any'],
        [{ stale: '90d' }, 'stale:"90 days"'],
        [{ stale: '90d', state: 'any' }, 'stale:90d state:any'],
        [{ topic: 't:3', strength: 'lock', state: 'any' }, 'topic:t:3 strength:lock state:any'],
        [{ since: '2026-02-01', until: '2026-03' }, 'since:2026-02-01 until:2026-03'],
      ] as const) {
        const found = await ids({ filter: text });
        assert.deepEqual(await ids(fields), found, text);
        assert(found.length > 0, text);
      }
      const tables = tablesOf(await listedLines());
      const stale = new Date(BEGINNING + 240 * DAY).setDate(new Date(BEGINNING + 240 * DAY).getDate() - 90);
      for (const [fields, filter] of [
        [{ stale: '90d' }, { stale }],
        [{ unsure: true }, { unsure: true }],
      ] as const)
        assert.deepEqual(
          (await ids({ ...fields, state: 'any' })).map(({ id }) => id),
          tables.decisions
            .filter((d) => passes(tables, filter, d))
            .sort(newestFirst)
            .map(({ id }) => id),
        );
      assert.deepEqual(await ids({ scope, filter: 'token' }), await ids({ filter: `token scope:${scope}` }));
      await refuses(ids({ scope, filter: `scope:${scope}` }), 'invalid', 'Expected scope once');
    });

    it('[U-4] [O-9] what is debated, and what builds on a failure, follow what is active and the kind of the link', async () => {
      const memory = await engine.open();
      const listed = async (filter: string) =>
        (await memory.decision.list({ filter })).decisions.map(({ topic }) => topic).sort();
      const queue = await memory.mama.save({ topic: 'jobs:queue', decision: 'Redis' });
      const save = (topic: string, reasoning: string) =>
        memory.mama.save({ topic, decision: `of ${topic}`, reasoning });
      await save('jobs:stream', `debates: ${queue.id}`);
      await save('jobs:worker', `builds_on: ${queue.id}`);
      assert.deepEqual(await listed('is:debated'), ['jobs:queue']);
      assert.deepEqual(await listed('is:failed-basis'), []);
      await memory.mama.update({ id: queue.id, outcome: 'failed', reason: 'lost jobs' });
      assert.deepEqual(await listed('is:failed-basis'), ['jobs:worker']);
      await memory.mama.save({
        topic: 'jobs:stream',
        decision: 'NATS',
        reasoning: 'what is argued no longer',
      });
      assert.deepEqual(await listed('is:debated'), []);
    });

    it('[U-4] an empty list of what stands says how many versions pass that stand no more', async () => {
      const memory = await engine.open();
      const first = await memory.mama.save({ topic: 'auth:token', decision: 'JWT' });
      await memory.mama.update({ id: first.id, outcome: 'failed', reason: 'stolen' });
      const active = () => memory.decision.list({ filter: 'strength:normal JWT' });
      const stands = await active();
      assert.deepEqual([stands.total, stands.inactive], [1, undefined]);
      await memory.mama.save({ topic: 'auth:token', decision: 'Cookies' });
      const replaced = await active();
      assert.deepEqual([replaced.total, replaced.inactive], [0, 1]);
      const none = await memory.decision.list({ filter: 'outcome:partial' });
      assert.deepEqual([none.total, none.inactive], [0, undefined]);
      const withdrawn = await memory.decision.list({ filter: 'outcome:failed state:withdrawn' });
      assert.deepEqual([withdrawn.total, withdrawn.inactive], [0, undefined]);
    });

    it('[TR-8] a list of what failed, worked or partly worked also has what was replaced or withdrawn since', async () => {
      const memory = await engine.open();
      for (const outcome of ['failed', 'success', 'partial'] as const) {
        for (const end of ['stands', 'replaced', 'withdrawn']) {
          const { id } = await memory.mama.save({ topic: `${outcome}:${end}`, decision: 'JWT' });
          await memory.mama.update({ id, outcome, reason: 'so' });
        }
        await memory.mama.save({ topic: `${outcome}:replaced`, decision: 'Cookies' });
        await memory.decision.revise({ id: `${outcome}:withdrawn`, withdrawn: true, reasoning: 'over' });
        const listed = async (filter: string) =>
          (await memory.decision.list({ filter })).decisions.map(({ topic }) => topic?.split(':')[1]).sort();
        assert.deepEqual(await listed(`outcome:${outcome}`), ['replaced', 'stands', 'withdrawn'], outcome);
        assert.deepEqual(await listed(`outcome:${outcome} state:active`), ['stands']);
      }
      const pending = await memory.decision.list({ filter: 'is:pending' });
      assert.deepEqual(
        pending.decisions.map(({ text }) => text),
        ['Cookies', 'Cookies', 'Cookies'],
      );
    });

    it('[U-4] a name that the memory does not have is not_found, and names a near one', async () => {
      const memory = await engine.openFast(fixed());
      await memory.mama.save({ topic: 'payment:refunds', decision: 'Within a week' });
      const list = (filter: string) => memory.decision.list({ filter });
      await refuses(list('scope:Paymnt'), 'not_found', 'a scope', 'Did you mean "payment"?');
      await refuses(list('topic:refunds'), 'not_found', 'Did you mean "payment:refunds"?');
      await refuses(list('by:kim'), 'not_found', 'an author');
      await refuses(list('kind:memo'), 'invalid', 'decision_list', 'kind:');
      await memory.mem.save({ title: 'Refunds', content: 'A note', topic_key: 'notes:refunds' });
      for (const state of ['active', 'any'])
        assert.equal((await list(`topic:notes:refunds state:${state}`)).total, 0, state);
      const near = memory.mem.list({ filter: 'topic:notes:refnds' });
      await refuses(near, 'not_found', 'a topic', 'Did you mean "notes:refunds"?');
      assert.deepEqual((await list('nowhere')).decisions, []);
      const [only] = (await list('scope:PAYMENT "a week"')).decisions;
      assert.deepEqual(
        [only?.topic, only?.status, only?.evidence, only?.outcome],
        ['payment:refunds', 'active', 0, null],
      );
    });
  });
}
