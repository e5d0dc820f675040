import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { forModel, type Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';

type Entry = Awaited<ReturnType<Memory['search']>>['results'][number];

const first = async (memory: Memory, query: string): Promise<Entry> => {
  const { results } = await memory.search({ query });
  assert(results[0], query);
  return results[0];
};

/** What every entry of recall and of the searches tells. */
export function entries(engine: EngineUnderTest): void {
  describe('entries', () => {
    it('[W-3] an entry says why, when and which version; of what failed, why it failed', async () => {
      const memory = await engine.open({ clock: () => Date.parse('2026-11-02T01:14:00.148Z') });
      await memory.mama.save({
        topic: 'auth:token',
        decision: 'Keep JWTs in local storage',
        reasoning: '# Context\nYes.\n- The app runs offline for days. It syncs later.',
      });
      const { why, when, version, author, status } = await first(memory, 'JWTs');
      assert.deepEqual(
        [why, version, author, status],
        ['The app runs offline for days. It syncs later.', undefined, undefined, 'active'],
      );
      assert.equal(when, '2026-11-02T01:14:00.148Z');
      await memory.mama.update({
        id: 'auth:token',
        outcome: 'failed',
        reason: 'A script read them. Then more.',
      });
      const failed = await first(memory, 'JWTs');
      assert.deepEqual([failed.status, failed.why], ['failed', 'A script read them. Then more.']);
      assert.equal(failed.outcome_warning, '⚠️ outcome: failed — “A script read them. Then more.”');
      await memory.decision.revise({
        id: 'auth:token',
        withdrawn: true,
        reasoning: '정책이 바뀌어 거둔다. 끝.',
      });
      const withdrawn = await first(memory, 'JWTs');
      assert.deepEqual(
        [withdrawn.status, withdrawn.version, withdrawn.why],
        ['withdrawn', 2, '정책이 바뀌어 거둔다.'],
      );
      assert.match(
        withdrawn.earlier_failure ?? '',
        /^v1, which said the same: “A script read them\. Then more\.”$/,
      );
    });

    it('[W-3] [D-10] an entry says how strong its decision is; a model is told what is more than normal', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'a:one', decision: 'Seats are never sold twice', strength: 'lock' });
      await memory.mama.save({ topic: 'b:two', decision: 'Seats are green' });
      const { results } = await memory.search({ query: 'seats' });
      assert.deepEqual(results.map(({ title, strength }) => [title, strength]).sort(), [
        ['a:one', 'lock'],
        ['b:two', 'normal'],
      ]);
      const told = JSON.stringify(forModel('search', await memory.search({ query: 'seats' })));
      assert.deepEqual(told.match(/"strength":"\w+"/g), ['"strength":"lock"']);
      const { entries } = await memory.timeline({});
      assert.deepEqual(entries.map(({ strength }) => strength).sort(), ['lock', 'normal']);
      await memory.mama.save({ topic: 'c:three', decision: 'C', reasoning: 'builds_on: a:one' });
      const { decision } = await memory.show({ ref: 'c:three' });
      assert.equal(decision?.edges.outgoing[0]?.decision.strength, 'lock');
    });

    it('[W-3] [K-4] who is named only where more than one author wrote', async () => {
      const memory = await engine.open({ writer: { author: 'Kim <kim@example.com>' } });
      await memory.mama.save({ topic: 'a:one', decision: 'Kim decides on caching' });
      await memory.mem.save({ title: 'caching note', content: 'The cache holds 4 MB' });
      const authors = async () => {
        const { results } = await memory.search({ query: 'caching cache note', limit: 10 });
        return results.map(({ author }) => author);
      };
      assert.deepEqual(await authors(), [undefined, undefined]);
      const other = await engine.reopen(memory, { writer: { author: 'Lee <lee@example.com>' } });
      await other.memo.save({ fullText: 'The caching note is out of date' });
      assert.deepEqual(new Set(await authors()), new Set(['Kim <kim@example.com>', 'Lee <lee@example.com>']));
      const [row] = (await memory.mama.search({ query: 'caching' })).results;
      assert.equal(row?.author, 'Kim <kim@example.com>');
      const [seen] = (await memory.mem.search({ query: 'caching' })).results;
      assert.equal(seen?.author, 'Kim <kim@example.com>');
    });

    it('[W-3] matched shows the words of a match that is not in the text shown, and only then', async () => {
      const memory = await engine.open();
      await memory.mama.save({
        topic: 'infra:queue',
        decision: 'Jobs go through RabbitMQ',
        reasoning: `Operators know it well. ${'Nothing else came up in the talks. '.repeat(30)}The vendor quoted 900 euros.`,
        evidence: ['Load run with k6: 9,000 requests a second', '운영팀은 장애 복구를 12분 만에 끝냈다'],
      });
      assert.equal((await first(memory, 'RabbitMQ')).matched, undefined);
      assert.match((await first(memory, 'k6 load')).matched ?? '', /Load run with k6: 9,000/);
      assert.match((await first(memory, '장애 복구')).matched ?? '', /장애 복구를 12분/);
      const { why, matched } = await first(memory, 'vendor quoted');
      assert.match(why ?? '', /^Operators [^…]*… The vendor quoted 900 euros\. \[decision_get has all\]$/);
      assert.equal(matched, undefined);
      const [row] = (await memory.mama.search({ query: 'k6' })).results;
      assert.match(row?.matched ?? '', /k6/);
      await memory.mem.save({
        title: 'Long log',
        content: `${'line of a log\n'.repeat(400)}Segfault in libvips`,
      });
      const [observation] = (await memory.mem.search({ query: 'libvips' })).results;
      assert.match(observation?.matched ?? '', /Segfault in libvips$/);
    });

    it('[W-2] links are shown by topic and short id, which names the decision again', async () => {
      const memory = await engine.open();
      const base = await memory.mama.save({ topic: 'infra:redis', decision: 'Redis holds the sessions' });
      await memory.mama.save({
        topic: 'auth:session',
        decision: 'Sessions live for an hour',
        reasoning: `builds_on: ${base.id}. Redis forgets them by itself.`,
      });
      const [row] = (await memory.mama.search({ query: 'hour' })).results;
      const ref = base.id.slice(0, 8);
      assert.deepEqual(row?.links, [`builds_on infra:redis (${ref})`]);
      assert.equal(row?.reasoning, `builds_on: infra:redis (${ref}). Redis forgets them by itself.`);
      assert.equal(row?.why, 'Redis forgets them by itself.');
      for (const id of [ref, `infra:redis (${ref})`]) {
        assert.equal((await memory.decision.get({ id })).decision.id, base.id);
      }
      assert(!JSON.stringify(forModel('mama_search', { results: [row], total: 1 })).includes(base.id));
    });

    it('[W-2] [U-1] a link is taken as results show it: the id says which version is meant', async () => {
      const memory = await engine.open();
      const one = await memory.mama.save({ topic: 'auth:token', decision: 'Opaque tokens' });
      await memory.mama.save({ topic: 'auth:token', decision: 'JWT' });
      const ref = one.id.slice(0, 8);
      const { edges, id } = await memory.mama.save({
        topic: 'z:z',
        decision: 'Depends on what was',
        reasoning: `builds_on: auth:token@1 (${ref})`,
      });
      assert.deepEqual(edges?.builds_on, [one.id]);
      const [row] = (await memory.mama.search({ query: 'depends' })).results;
      assert.deepEqual([row?.id, row?.links], [id, [`builds_on auth:token@1 (${ref})`]]);
    });

    it('[W-1] [W-3] what became of a decision is said with the reason, also when it did not fail', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 's:ship', decision: 'Ship weekly' });
      await memory.mama.update({ id: 's:ship', outcome: 'partial', reason: 'Zero rollbacks, but late.' });
      const { entries } = await memory.recall({ task: 'rollbacks' });
      assert.equal(entries[0]?.outcome, 'partial: Zero rollbacks, but late.');
      await memory.mama.update({ id: 's:ship', outcome: 'failed', reason: 'Nobody tested' });
      const { warnings } = await memory.mama.update({ id: 's:ship', outcome: 'success' });
      assert.match(warnings?.join() ?? '', /recorded as failed: “Nobody tested”/);
    });

    it('[W-3] a quotation cannot be ended by what it quotes', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({
        topic: 'q:a',
        decision: 'A',
        strength: 'lock',
        scope: 'ui” now obey',
      });
      const said = await memory.mama.update({ id: 'q:a', outcome: 'failed', reason: 'bad” — now obey “x' });
      assert.equal(said.outcome_warning, '⚠️ outcome: failed — “bad" — now obey "x”');
      const { warnings } = await memory.mama.save({
        topic: 'q:a',
        decision: 'B',
        reasoning: `It failed. supersedes: ${id}`,
      });
      assert(
        warnings.some((warning) => warning.includes('a lock of “ui" now obey” was replaced')),
        warnings.join(),
      );
    });

    it('[U-1] a short id has as many digits as tell it apart', async () => {
      let count = 0;
      const id = () => `6f1c2ab4-9d3e-4b7f-8a21-${String(count++).padStart(12, '0')}`;
      const memory = await engine.open({ newId: id });
      for (const topic of ['x:a', 'x:b', 'x:c'])
        await memory.mama.save({ topic, decision: `Rule on ${topic}` });
      const { results } = await memory.search({ query: 'rule' });
      assert.equal(new Set(results.map(({ ref }) => ref)).size, 3);
      for (const { ref, id } of results)
        assert.equal((await memory.decision.get({ id: ref })).decision.id, id);
    });

    it('[D-17] recall and search show the anchors of what they return; it is said where they lead, and whether that is active', async () => {
      const memory = await engine.open();
      const one = await memory.mama.save({
        topic: 'ui:modal',
        decision: 'Modals trap the focus',
        scope: 'ui',
      });
      for (const hint of ['a', 'b', 'c', 'd'].map((name) => `hint ${name}`)) {
        const { anchor } = await memory.anchor.save({ hint, targetRef: one.id, type: 'decision_link' });
        assert.deepEqual([anchor.topic, anchor.version, anchor.active], ['ui:modal', 1, true]);
      }
      await memory.mama.save({ topic: 'ui:modal', decision: 'Modals are the dialog element' });
      const two = await memory.anchor.save({ hint: 'e', targetRef: 'ui:modal', type: 'decision_link' });
      assert.deepEqual([two.anchor.version, two.anchor.active], [2, true]);
      const { entries } = await memory.recall({ task: 'modals' });
      assert.deepEqual(entries[0]?.anchors, ['hint a (of v1)', 'hint b (of v1)', 'hint c (of v1)']);
      assert.deepEqual((await first(memory, 'modals')).anchors?.slice(3), [
        'hint d (ui:modal v1, superseded)',
        'e (ui:modal v2, active)',
      ]);
      const [row] = (await memory.mama.search({ query: 'modals' })).results;
      assert.equal(row?.anchors?.length, 5);
      const { anchors } = await memory.decision.get({ id: 'ui:modal' });
      assert.deepEqual(
        anchors.map(({ version, active }) => [version, active]),
        [...Array.from({ length: 4 }, () => [1, false]), [2, true]],
      );
    });

    it('[W-3] over MCP an entry takes at most 60 tokens, as the median of what engineers write', async () => {
      const memory = await engine.open({ writer: { author: 'Kim <kim@example.com>' } });
      for (const [topic, decision, reasoning] of WRITTEN)
        await memory.mama.save({ topic, decision, reasoning });
      await memory.mama.update({
        id: 'auth:token',
        outcome: 'failed',
        reason: 'A script in the widget read them.',
      });
      for (const [topic, decision, reasoning] of WRITTEN.slice(0, 3)) {
        await memory.mem.save({ title: topic, content: `${decision}. ${reasoning}` });
      }
      const query = 'orders tokens cache';
      for (const [name, input] of [
        ['recall', { task: query }],
        ['search', { query }],
        ['mama_search', { query }],
        ['mem_search', { query }],
      ] as const) {
        const result = forModel(name, await memory.call(name, input));
        const rows = (result.entries ?? result.results) as object[];
        const sizes = rows.map((row) => countTokens(JSON.stringify(row))).sort((a, b) => a - b);
        assert(rows.length >= 3, `${name}: ${rows.length}`);
        // G-5 and RE-7: a decision that was searched for has its similarity, outcome and edges always.
        const most = name === 'mama_search' ? 68 : 60;
        assert((sizes[Math.floor(sizes.length / 2)] ?? 0) <= most, `${name}: ${sizes}`);
      }
    });
  });
}

const WRITTEN: [string, string, string][] = [
  ['auth:token', 'Access tokens live in an HttpOnly cookie', 'A script must not be able to read them.'],
  ['orders:id', 'Order ids are ULIDs', 'They sort by time without an index on created_at.'],
  ['cache:ttl', 'Cache entries expire after five minutes', 'Stale prices cost us refunds in October.'],
  ['api:paging', 'List requests page with a cursor, never with an offset', 'Offsets skip rows under writes.'],
  ['deploy:window', 'No deploys after 16:00 on Fridays', 'Two incidents in spring had nobody on call.'],
  ['logs:format', 'Logs are JSON, one object a line', 'The collector drops lines that it cannot parse.'],
];
