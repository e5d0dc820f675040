import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forModel } from '../../src/index.ts';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

/** What became of decisions: the log, the warnings, the filters. */
export function outcomes(engine: EngineUnderTest): void {
  describe('outcomes', () => {
    it('[O-7] an outcome that is said again without a reason keeps the one that is known', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({ topic: 't', decision: 'A' });
      await memory.mama.update({ id, outcome: 'failed', reason: 'slow' });
      const again = await memory.mama.update({ id, outcome: 'failed' });
      assert.match(again.outcome_warning ?? '', /slow/);
      assert.match(again.warnings?.join() ?? '', /Nothing was changed: its outcome was failed already/);
      assert.equal(
        (await memory.decision.get({ id })).versions[0]?.outcomes.length,
        1,
        'no second line of the log',
      );
      const other = await memory.mama.update({ id, outcome: 'success' });
      assert.equal(other.outcome_reason, null, 'another outcome has reasons of its own');
    });

    it('[O-5] [O-6] the outcome filter applies before the limit, together with every other filter', async () => {
      const memory = await engine.open();
      const save = async (n: number, scope: string, outcome?: 'success' | 'failed' | 'partial') => {
        const { id } = await memory.mama.save({ topic: `t${n}`, decision: `Cache rule ${n}`, scope });
        if (outcome) await memory.mama.update({ id, outcome });
        return id;
      };
      const failed = await save(0, 'ui', 'failed');
      const success = await save(1, 'ui', 'success');
      const partial = await save(2, 'ui', 'partial');
      const elsewhere = await save(3, 'db', 'failed');
      for (let n = 4; n < 40; n++) await save(n, 'ui');
      const found = async (outcome_filter: 'success' | 'failed' | 'partial' | 'pending', domain?: string) => {
        const { results } = await memory.mama.search({
          query: 'cache rule',
          limit: 5,
          outcome_filter,
          ...(domain && { domain }),
        });
        return results.map((row) => row.id);
      };
      assert.deepEqual((await found('failed')).sort(), [failed, elsewhere].sort());
      assert.deepEqual(await found('failed', 'ui'), [failed]);
      assert.deepEqual(await found('success'), [success]);
      assert.deepEqual(await found('partial'), [partial]);
      const pending = await memory.mama.search({ outcome_filter: 'pending', limit: 50 });
      assert.equal(pending.total, 36);
      assert(pending.results.every((row) => row.outcome === null));
    });

    it('[O-7] an unknown id is a clear error; updated_at moves; every outcome ever given is kept', async () => {
      const memory = await engine.open(fixed());
      const { id, created_at } = await memory.mama.save({ topic: 't', decision: 'A' });
      await refuses(memory.mama.update({ id: 'nope', outcome: 'failed' }), 'not_found', 'nope');
      const first = await memory.mama.update({ id, outcome: 'success', reason: 'worked' });
      const second = await memory.mama.update({ id, outcome: 'failed', reason: 'broke later' });
      assert(created_at < first.updated_at && first.updated_at < second.updated_at);
      const { versions, decision } = await memory.decision.get({ id });
      assert.deepEqual(
        versions[0]?.outcomes.map((entry) => [entry.outcome, entry.reason]),
        [
          ['success', 'worked'],
          ['failed', 'broke later'],
        ],
      );
      assert.deepEqual([decision.outcome, decision.outcomeReason], ['failed', 'broke later']);
    });

    it('[O-8] failure survives replacement: the failed version is found, its successor names it', async () => {
      const memory = await engine.open();
      const old = await memory.mama.save({ topic: 'auth', decision: 'JWT in local storage' });
      await memory.mama.update({ id: old.id, outcome: 'failed', reason: 'stolen by a script' });
      const now = await memory.mama.save({ topic: 'auth', decision: 'Session cookies' });
      assert(now.warnings.some((warning) => warning.includes('stolen by a script')));
      const { results } = await memory.mama.search({ query: 'jwt local storage' });
      assert.deepEqual(
        results.map((row) => row.id),
        [now.id, old.id],
      );
      assert.deepEqual(results[0]?.earlier_failure, {
        id: old.id,
        decision: 'JWT in local storage',
        outcome_reason: 'stolen by a script',
        version: 1,
      });
      assert.equal(results[1]?.outcome_warning, '⚠️ outcome: failed — “stolen by a script”');
      const later = await memory.mama.save({ topic: 'auth', decision: 'Passkeys' });
      const [row] = (await memory.mama.search({ query: 'passkeys' })).results;
      assert.equal(row?.id, later.id);
      assert.equal(row?.earlier_failure?.id, old.id, 'however many versions lie between');
    });

    it('[T-2] [T-3] of several failures the one that is asked for or said again is named, on every face', async () => {
      const memory = await engine.open();
      const save = (decision: string) =>
        memory.mama.save({ topic: 'booking:slot-hold', decision, reasoning: 'Simple, no new part' });
      const locked = 'Hold a slot with SELECT FOR UPDATE while the form is open';
      const first = await save(locked);
      await memory.mama.update({ id: first.id, outcome: 'failed', reason: 'the pool ran dry' });
      const second = await save('Hold a slot with a key in Redis, expiring after 10 minutes');
      await memory.mama.update({ id: second.id, outcome: 'failed', reason: 'a failover lost all holds' });
      const cure = await save('Rows in a table of their own');
      assert.match(cure.warnings.join('\n'), /failed; this replaces it: v2 “Hold a slot with a key in Redis/);
      const task = 'hold the slot with FOR UPDATE while the booking form is open';
      const [entry] = (await memory.recall({ task })).entries;
      assert.equal(entry?.earlier_failure, `v1 “${locked}” — “the pool ran dry”; 1 more failed`);
      const asked = await memory.recall({ task: 'why Simple, no new part? and FOR UPDATE' });
      const matched = asked.entries[0]?.matched;
      assert(matched === undefined || /^v\d, (which failed|replaced): /.test(matched), `${matched}`);
      const { facts } = await memory.briefing.get({ at: 'prompt', prompt: `Shall we ${task}?` });
      assert.match(facts[0]?.line ?? '', /FAILED before: v1 “Hold a slot with SELECT/);
      const again = await save(locked);
      assert.match(
        again.warnings.join('\n'),
        /⚠️ this was v1, and it failed: “the pool ran dry” .*; 1 more failed/,
      );
      const { decision } = await memory.decision.get({ id: again.id });
      assert.deepEqual([decision.earlierFailure?.id, decision.earlierFailure?.isRepeat], [first.id, true]);
      const [row] = (await memory.mama.search({ query: 'redis keys' })).results;
      assert.equal(row?.earlier_failure?.id, first.id, 'what is active is what failed, whatever is asked');
    });

    it('[T-3] the words that matched name their version; fields are not run together', async () => {
      const memory = await engine.open();
      const first = await memory.mama.save({
        topic: 'ui:calendar',
        decision: 'Draw the month with FullCalendar',
        reasoning: 'Everybody knows the zebra library',
      });
      await memory.mama.update({ id: first.id, outcome: 'failed', reason: 'Too large for phones' });
      await memory.mama.save({ topic: 'ui:calendar', decision: 'A grid of our own' });
      const [entry] = (await memory.recall({ task: 'zebra library' })).entries;
      assert.equal(entry?.matched, 'v1, which failed: Everybody knows the zebra library');
      const [found] = (await memory.search({ query: 'zebra library' })).results;
      assert.equal(found?.matched, entry?.matched);
    });

    it('[O-8] a version that failed is not an earlier failure of itself', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'auth', decision: 'JWT in local storage' });
      const { id } = await memory.mama.save({ topic: 'auth', decision: 'Session cookies' });
      await memory.mama.update({ id, outcome: 'failed', reason: 'forged across sites' });
      const { decision } = await memory.decision.get({ id });
      assert.deepEqual([decision.outcome, decision.earlierFailure], ['failed', undefined]);
      const [row] = (await memory.mama.search({ query: 'cookies' })).results;
      assert.deepEqual([row?.id, row?.earlier_failure], [id, undefined]);
    });

    it('[T-2] a failure without a reason is recorded, and the answer asks for the reason until there is one', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({ topic: 'infra:redis', decision: 'One Redis' });
      const warned = async (reason?: string) => {
        const answer = await memory.mama.update({ id, outcome: 'failed', reason });
        assert.equal(answer.outcome, 'failed');
        return /No reason was recorded for this failure/.test((answer.warnings ?? []).join());
      };
      assert.deepEqual(
        [await warned(), await warned('It lost writes'), await warned()],
        [true, false, false],
      );
    });

    it('[T-7] a version without links keeps the warning of its ground until its reasoning names what failed', async () => {
      const memory = await engine.open();
      const redis = await memory.mama.save({ topic: 'infra:redis', decision: 'One Redis' });
      const save = (decision: string, reasoning: string) =>
        memory.mama.save({ topic: 'cart:store', decision, reasoning });
      await save('Carts are in Redis', 'builds_on: infra:redis');
      // Neither another chain nor what is only debated is a ground of it.
      for (const reasoning of ['debates: infra:redis', 'Calmer'])
        await memory.mama.save({ topic: 'ui:colour', decision: `A page, ${reasoning}`, reasoning });
      const answer = await memory.mama.update({
        id: redis.id,
        outcome: 'failed',
        reason: '장애 때 사라졌다',
      });
      assert.match(
        (answer.warnings ?? []).join('\n'),
        /⚠️ 1 active decision built on this: cart:store “Carts are in Redis”/,
      );
      const restated = await save('Carts are in Redis with a TTL', 'Still fast');
      assert.match(
        restated.warnings.join('\n'),
        /v1 has links that this version does not: builds_on: infra:redis\. Give them/,
      );
      assert.match(restated.warnings.join('\n'), /⚠️ builds on a failed decision, by v1: “One Redis”/);
      const basisOf = async () => (await memory.mama.search({ query: 'carts' })).results[0]?.failed_basis;
      assert.deepEqual(await basisOf(), [
        { id: redis.id, decision: 'One Redis', outcome_reason: '장애 때 사라졌다', by: 'v1' },
      ]);
      const listed = async () =>
        (await memory.call('decision_list', { failedBasis: true })) as { decisions: { topic: string }[] };
      assert.deepEqual(
        (await listed()).decisions.map(({ topic }) => topic),
        ['cart:store'],
      );
      await save(
        'Carts are in Redis with a TTL and a copy',
        'That infra:redis failed is known: the copy is for that',
      );
      assert.equal(await basisOf(), undefined);
      assert.deepEqual((await listed()).decisions, []);
    });

    it('[T-7] a synthesis and what is two links away warn, too; a synthesis says what is still active beside it', async () => {
      const memory = await engine.open();
      const base = await memory.mama.save({ topic: 'a:base', decision: 'One big table' });
      const other = await memory.mama.save({ topic: 'a:other', decision: 'Many small tables' });
      await memory.mama.save({ topic: 'b:index', decision: 'Index it', reasoning: 'builds_on: a:base' });
      const far = await memory.mama.save({
        topic: 'c:cache',
        decision: 'Cache it',
        reasoning: 'builds_on: b:index',
      });
      const both = await memory.mama.save({
        topic: 'd:both',
        decision: 'Both of them',
        reasoning: 'synthesizes: [a:base, a:other]',
      });
      for (const { id } of [base, other])
        assert(
          both.warnings.includes(
            `synthesizes: ${id} is still active. Where this takes its place, withdraw it.`,
          ),
        );
      // What argues with it, or builds on what did not fail, warns of nothing.
      for (const reasoning of ['debates: a:base', 'builds_on: a:other'])
        await memory.mama.save({
          topic: `e:${reasoning.length}`,
          decision: `A table, ${reasoning}`,
          reasoning,
        });
      await memory.mama.update({ id: base.id, outcome: 'failed', reason: 'locks' });
      const basisOf = async (id: string) => (await memory.decision.get({ id })).decision.failedBasis;
      const failed = { id: base.id, decision: 'One big table', outcomeReason: 'locks' };
      assert.deepEqual(await basisOf(both.id), [failed]);
      assert.deepEqual(await basisOf(far.id), [{ ...failed, by: 'b:index' }]);
      const { decisions } = (await memory.call('decision_list', { failedBasis: true })) as {
        decisions: { topic: string }[];
      };
      assert.deepEqual(decisions.map(({ topic }) => topic).sort(), ['b:index', 'c:cache', 'd:both']);
    });

    it('[O-9] ground that failed is named when saving, searching, retrieving and reading', async () => {
      const memory = await engine.open();
      const base = await memory.mama.save({ topic: 'base', decision: 'One big table' });
      const early = await memory.mama.save({
        topic: 'early',
        decision: 'Index it',
        reasoning: `builds_on: ${base.id}`,
        scope: 'db',
      });
      assert.deepEqual(early.warnings, []);
      await memory.mama.update({ id: base.id, outcome: 'failed', reason: 'locks' });
      const late = await memory.mama.save({
        topic: 'late',
        decision: 'Cache it',
        reasoning: `builds_on: ${base.id}`,
      });
      assert.equal(late.warnings.length, 1);
      assert(late.warnings[0]?.includes('One big table') && late.warnings[0].includes('locks'));
      const failure = { id: base.id, decision: 'One big table' };
      const [found] = (await memory.mama.search({ query: 'index' })).results;
      assert.deepEqual(found?.failed_basis, [{ ...failure, outcome_reason: 'locks' }]);
      const [retrieved] = (await memory.decision.retrieve({ domain: 'db' })).decisions;
      assert.deepEqual(retrieved?.failedBasis, [{ ...failure, outcomeReason: 'locks' }]);
      const { decision, edges } = await memory.decision.get({ id: early.id });
      assert.deepEqual(decision.failedBasis, [{ ...failure, outcomeReason: 'locks' }]);
      assert.equal(edges.outgoing[0]?.decision.outcomeWarning, '⚠️ outcome: failed — “locks”');
      const { decision: read } = await memory.decision.get({ id: base.id });
      assert.equal(read.outcomeWarning, '⚠️ outcome: failed — “locks”');
      // T-7: who reads what rests on it learns what is active there now.
      await memory.mama.save({ topic: 'base', decision: 'A table for each year' });
      const now = 'A table for each year';
      const whole = await memory.decision.get({ id: early.id });
      assert.deepEqual(whole.decision.failedBasis, [{ ...failure, outcomeReason: 'locks', now }]);
      const said = `“One big table” (now “${now}”) — “locks”`;
      for (const [name, answer] of [
        ['decision_get', whole],
        ['mama_search', await memory.mama.search({ query: 'index' })],
        ['recall', await memory.recall({ task: 'index it' })],
      ] as const)
        assert.ok(JSON.stringify(forModel(name, answer)).includes(JSON.stringify(said)), name);
    });
  });
}
