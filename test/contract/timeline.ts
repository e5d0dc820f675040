import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Filter, LISTED_KINDS } from '../../src/domain/filter/filter.ts';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { BEGINNING, listedLines, WORDS } from '../support/fill-lists.ts';
import { logOf } from '../support/happened.ts';
import { tablesOf } from '../support/listed.ts';
import { runs } from '../support/part.ts';
import { walk } from './lists.ts';

const DAY = 86_400_000;
const some = <Value>(...values: Value[]) => fc.option(fc.constantFrom(...values), { freq: 2 });

/** A filter as the fields of the log, and as what it means. */
const filters = fc
  .record(
    {
      kinds: fc.option(fc.subarray([...LISTED_KINDS], { minLength: 1 }), { freq: 2 }),
      scope: some('auth', 'ui', '결제'),
      topic: some('t:1', 't:2', 't:3', 't:4'),
      by: some('kim', 'LEE@example', '박지훈'),
      outcome: some('success', 'failed', 'pending'),
      project: some('app', 'site'),
      words: some(...WORDS),
      since: fc.option(fc.nat(200), { freq: 2 }),
      until: fc.option(fc.nat(200), { freq: 2 }),
    },
    { requiredKeys: [] },
  )
  .map((drawn) => {
    const all = Object.fromEntries(
      Object.entries(drawn).filter(([, value]) => value != null),
    ) as typeof drawn;
    const isBackwards = all.since != null && all.until != null && all.since > all.until;
    const given = isBackwards ? { ...all, since: all.until, until: all.since } : all;
    const { kinds, by, words, since, until, ...same } = given as typeof drawn;
    const moment = (day: number) => new Date(BEGINNING + day * DAY).toISOString();
    const fields = {
      ...same,
      ...(kinds && { kind: kinds }),
      ...(by && { author: by }),
      ...(words && { filter: words }),
      ...(since != null && { since: moment(since) }),
      ...(until != null && { until: moment(until) }),
    };
    const filter = {
      ...given,
      ...(since != null && { since: BEGINNING + since * DAY }),
      ...(until != null && { until: BEGINNING + until * DAY }),
    } as Filter;
    return { fields, filter };
  });

/** The log of everything. */
export function timeline(engine: EngineUnderTest): void {
  describe('the log', () => {
    it('[U-3] has all that happened, once each and in order, and with a filter what that lets through', async () => {
      const memory = await engine.openFast({ clock: () => BEGINNING + 240 * DAY });
      const lines = await listedLines();
      await memory.import(lines);
      const tables = tablesOf(lines);
      const kinds = new Set<string>();
      await fc.assert(
        fc.asyncProperty(filters, fc.constantFrom(7, 100, 1_000), async ({ fields, filter }, limit) => {
          const pages = await walk(memory, 'timeline', { ...fields, limit });
          const entries = pages.flatMap((page) => page.entries);
          assert.deepEqual(
            entries.map(({ kind, at, id }) => `${kind} ${at} ${id}`),
            logOf(tables, filter),
            JSON.stringify(fields),
          );
          for (const { kind } of entries) kinds.add(kind);
        }),
        {
          ...runs(80, 3),
          // A word alone shows of each text whether it is searched; drawn ones come with other parts.
          examples: [
            [{ fields: {}, filter: {} }, 7],
            ...WORDS.map((words): [{ fields: object; filter: Filter }, number] => [
              { fields: { filter: words }, filter: { words } as Filter },
              1_000,
            ]),
          ],
        },
      );
      assert.deepEqual([...kinds].sort(), [...LISTED_KINDS].sort());
    });

    it('[U-3] says what happened, to what, who did it and what became of it', async () => {
      const memory = await engine.openFast(fixed());
      const by = (author: string) => ({ author, client: 'test' });
      const kim = by('Kim <kim@example.com>');
      const { id } = await memory.call('mama_save', { topic: 'auth:token', decision: 'JWT' }, kim);
      await memory.call('mama_update', { id, outcome: 'failed', reason: 'stolen' }, by('Lee'));
      await memory.call('mama_save', { topic: 'auth:token', decision: 'Cookies', evidence: ['a log'] }, kim);
      await memory.call(
        'decision_revise',
        { id: 'auth:token', withdrawn: true, reasoning: 'no accounts' },
        kim,
      );
      await memory.call('mem_save', { title: 'Clock', content: 'drifts', topic_key: 'clock' }, kim);
      await memory.call(
        'mem_save',
        { title: 'Clock', content: 'drifts 90 s', topic_key: 'clock' },
        by('Lee'),
      );
      await memory.call('mem_save', { title: 'NTP', content: 'chrony' }, kim);
      await memory.call('mem_relate', { from_id: 1, to_id: 2, relation_type: 'caused_by' }, kim);
      await memory.call('delete', { ref: '#2' }, by('Lee'));
      const { entries } = await memory.timeline();
      assert.deepEqual(
        entries.map((each) => [each.what, each.topic ?? each.title, each.text, each.author, each.outcome]),
        [
          ['deleted', 'NTP', '', 'Lee', undefined],
          ['related', 'Clock', '#1 caused_by #2', kim.author, undefined],
          ['noted', 'NTP', 'chrony', kim.author, undefined],
          ['rewritten', 'Clock', 'drifts 90 s', 'Lee', undefined],
          ['noted', 'Clock', 'drifts', kim.author, undefined],
          ['withdrawn', 'auth:token', 'Cookies', kim.author, undefined],
          ['evidence', 'auth:token', 'a log', kim.author, undefined],
          ['revised', 'auth:token', 'Cookies', kim.author, undefined],
          ['failed', 'auth:token', 'stolen', 'Lee', 'failed'],
          ['decided', 'auth:token', 'JWT', kim.author, 'failed'],
        ],
      );
      assert.deepEqual((await memory.timeline({ filter: 'by:lee kind:observation' })).entries.length, 1);
    });

    it('[U-3] says of a decision why, and what it was before', async () => {
      const memory = await engine.openFast(fixed());
      const saved = (decision: string, reasoning?: string) =>
        memory.mama.save({ topic: 'auth:token', decision, ...(reasoning && { reasoning }) });
      await saved('JWT', 'Stateless.\nbuilds_on: db:engine');
      await saved('Sessions', 'They can be ended.');
      await memory.undo();
      await saved('Cookies');
      const { entries } = await memory.timeline();
      assert.deepEqual(
        entries.map(({ what, text, was, why }) => [what, text, was, why]),
        [
          ['revised', 'Cookies', 'JWT', undefined],
          ['brought back', 'JWT', 'Sessions', 'Stateless.'],
          ['revised', 'Sessions', 'JWT', 'They can be ended.'],
          ['decided', 'JWT', undefined, 'Stateless.'],
        ],
      );
    });

    it('[U-3] [K-6] says of a change what it happened to, of any kind', async () => {
      const memory = await engine.openFast(fixed());
      const { id } = await memory.mama.save({ topic: 'auth:token', decision: 'JWT' });
      const changes = async () => {
        const { entries } = await memory.timeline({ kind: ['change'] });
        return entries.map((each) => [each.what, each.id, each.topic, each.text]);
      };
      await memory.mama.update({ id, outcome: 'failed', reason: 'stolen' });
      await memory.undo();
      const one = ['undone', id, 'auth:token', 'stolen'];
      assert.deepEqual(await changes(), [one]);
      const { evidence } = await memory.evidence.save({ decisionRef: id, content: 'a log' });
      await memory.undo();
      const two = ['undone', evidence.id, 'auth:token', 'a log'];
      assert.deepEqual(await changes(), [two, one]);
      const { id: checkpoint } = await memory.mama.save({ type: 'checkpoint', summary: 'Half done' });
      await memory.undo();
      const three = ['undone', checkpoint, undefined, 'Half done'];
      assert.deepEqual(await changes(), [three, two, one]);
      const memo = await memory.memo.save({ fullText: 'Refunds take three days', keywords: ['refund'] });
      await memory.delete({ ref: memo.infoId });
      const four = ['deleted', memo.infoId, undefined, 'Refunds take three days'];
      assert.deepEqual(await changes(), [four, three, two, one]);
      await memory.rename({ from: 'auth:token', to: 'login:token' });
      await memory.undo();
      assert.deepEqual(
        (await changes()).slice(0, 2).map(([what, , , text]) => [what, text]),
        [
          ['renamed', 'topic: login:token → auth:token'],
          ['renamed', 'topic: auth:token → login:token'],
        ],
      );
    });

    it('[W-6] its pages go on where they were while another writes', async () => {
      const memory = await engine.openFast({ ...fixed(), clock: () => BEGINNING });
      for (let n = 0; n < 10; n++) await memory.mama.save({ topic: `t:${n}`, decision: `first ${n}` });
      let step = 0;
      const pages = await walk(memory, 'timeline', { limit: 3 }, () =>
        memory.mama.save({ topic: `t:${step++}`, decision: 'second' }),
      );
      assert.deepEqual(
        pages.flatMap(({ entries }) => entries.map(({ text }: { text: string }) => text)),
        Array.from({ length: 10 }, (_, n) => `first ${9 - n}`),
      );
    });

    it('[W-6] what happened in one millisecond is paged whole, whatever table it is in', async () => {
      const memory = await engine.openFast({ ...fixed(), clock: () => BEGINNING });
      for (const content of ['one', 'two', 'three'])
        await memory.mem.save({ title: 'Clock', content, topic_key: 'clock' });
      await memory.mem.save({ title: 'NTP', content: 'chrony' });
      await memory.mem.relate({ from_id: 1, to_id: 2, relation_type: 'caused_by' });
      await memory.delete({ ref: 2 });
      await memory.mama.save({ topic: 'a:a', decision: 'A', evidence: ['log'] });
      for (const limit of [1, 2, 50]) {
        const pages = await walk(memory, 'timeline', { limit });
        assert.deepEqual(
          pages.flatMap(({ entries }) => entries.map(({ what }: { what: string }) => what)),
          ['evidence', 'decided', 'noted', 'noted', 'deleted', 'related', 'rewritten', 'rewritten'],
        );
      }
    });
  });
}
