import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

/** Version chains: by topic and by revision, inheritance, saying again, withdrawal, races. */
export function chains(engine: EngineUnderTest): void {
  describe('chains', () => {
    it('[G-1] [D-3] the same topic makes the next version and a supersedes edge; A ← B ← C in time order', async () => {
      const memory = await engine.open();
      const a = await memory.mama.save({ topic: 'auth', decision: 'A' });
      const b = await memory.mama.save({ topic: 'auth', decision: 'B' });
      const c = await memory.mama.save({ topic: 'auth', decision: 'C' });
      assert.deepEqual([a.supersedes, b.supersedes, c.supersedes], [null, a.id, b.id]);
      const { versions } = await memory.decision.get({ id: a.id });
      assert.deepEqual(
        versions.map(({ id, version, isActive }) => [id, version, isActive]),
        [
          [a.id, 1, false],
          [b.id, 2, false],
          [c.id, 3, true],
        ],
      );
      const { edges } = await memory.decision.get({ id: c.id });
      assert.deepEqual(
        edges.outgoing.map((edge) => [edge.relationship, edge.decision.id]),
        [['supersedes', b.id]],
      );
    });

    it('[D-3] topic and revision write one and the same chain', async () => {
      const memory = await engine.open();
      const saved = await memory.mama.save({ topic: 'db', decision: 'SQLite' });
      const revised = await memory.decision.revise({ id: saved.id, text: 'PostgreSQL' });
      const again = await memory.decision.save({ text: 'Both', topic: 'db' });
      assert.equal(revised.edges.supersedes, saved.id);
      assert.equal(again.decision.version, 3);
      assert.equal(again.edges.supersedes, revised.decision.id);
    });

    it('a new version inherits strength, scope and confidence; its outcome starts pending', async () => {
      const memory = await engine.open();
      const given = { strength: 'lock', scope: 'ui', confidence: 0.9 } as const;
      const first = await memory.mama.save({ topic: 'a:b', decision: 'A', reasoning: 'because', ...given });
      await memory.mama.update({ id: first.id, outcome: 'success' });
      const second = await memory.mama.save({
        topic: 'a:b',
        decision: 'B',
        reasoning: 'other',
        replaces: first.id,
      });
      const { decision } = await memory.decision.get({ id: second.id });
      const { strength, scope, confidence, outcome, reasoning } = decision;
      assert.deepEqual({ strength, scope, confidence }, given);
      assert.deepEqual({ outcome, reasoning }, { outcome: null, reasoning: 'other' });
      const third = await memory.decision.revise({ id: second.id, reasoning: 'because of load' });
      assert.equal(third.decision.text, 'B', 'a revision also carries over the text');
      const fourth = await memory.decision.revise({ id: third.decision.id, confidence: 0.8 });
      assert.equal(fourth.decision.reasoning, 'because of load', 'and the reasoning');
    });

    it('the first version is normal, sure by half, and scoped by the first segment of its topic', async () => {
      const memory = await engine.open();
      const scopes = async (input: object) => {
        const { decision } = (await memory.call('decision_save', { text: 'x', ...input })) as {
          decision: { scope: string; strength: string; confidence: number };
        };
        return [decision.scope, decision.strength, decision.confidence];
      };
      assert.deepEqual(await scopes({ topic: 'cad:wall:thickness' }), ['cad', 'normal', 0.5]);
      assert.deepEqual(await scopes({}), ['global', 'normal', 0.5]);
      assert.deepEqual(await scopes({ topic: 'cad:door', scope: 'wms' }), ['wms', 'normal', 0.5]);
    });

    it('saying again what stands makes no version, and attaches only what is new', async () => {
      const memory = await engine.open();
      const said = { topic: 'log', decision: 'Log to stderr', reasoning: 'stdout is the protocol' };
      const first = await memory.mama.save({ ...said, evidence: ['quote one'] });
      const again = await memory.mama.save({ ...said, evidence: ['quote one', 'quote two'] });
      assert.deepEqual([again.unchanged, again.id, again.version], [true, first.id, 1]);
      const { evidence, versions } = await memory.decision.get({ id: first.id });
      assert.deepEqual(
        evidence.map((item) => item.content),
        ['quote one', 'quote two'],
      );
      assert.equal(versions.length, 1);
      const other = await memory.mama.save({ ...said, strength: 'lock' });
      assert.deepEqual([other.unchanged, other.version], [undefined, 2], 'another strength is a change');
      const sure = await memory.mama.save({ topic: said.topic, decision: said.decision, confidence: 0.9 });
      const { decision } = await memory.decision.get({ id: sure.id });
      assert.deepEqual([decision.version, decision.reasoning], [3, said.reasoning], 'and keeps the reasons');
    });

    it('saying again what failed carries its warning; only the active version is compared', async () => {
      const memory = await engine.open();
      const first = await memory.mama.save({ topic: 't', decision: 'A' });
      await memory.mama.update({ id: first.id, outcome: 'failed', reason: 'too slow' });
      const again = await memory.mama.save({ topic: 't', decision: 'A' });
      assert.equal(again.outcome_warning, '⚠️ outcome: failed — “too slow”');
      await memory.mama.save({ topic: 't', decision: 'B' });
      const third = await memory.mama.save({ topic: 't', decision: 'A' });
      assert.deepEqual([third.unchanged, third.version], [undefined, 3]);
    });

    it('[D-19] a topic is the same however it is written, and shown as it was written first', async () => {
      const memory = await engine.open();
      const composed = await memory.mama.save({ topic: '외벽', decision: '200' });
      const decomposed = await memory.mama.save({ topic: ` ${'외벽'.normalize('NFD')} `, decision: '250' });
      assert.equal(decomposed.supersedes, composed.id);
      const first = await memory.mama.save({ topic: 'INFRA: CDN', decision: 'none' });
      for (const topic of ['infra:cdn', 'Infra : cdn ', 'ｉｎｆｒａ：ｃｄｎ', 'infra\u3000:\u00a0cdn']) {
        const next = await memory.mama.save({ topic, decision: topic });
        assert.deepEqual([next.root_id, next.topic], [first.root_id, 'INFRA: CDN'], topic);
      }
      const other = await memory.mama.save({ topic: 'infra:c dn', decision: 'a blank within a word counts' });
      assert.notEqual(other.root_id, first.root_id);
    });

    it('[D-13] an earlier version keeps its text, reasoning and links for ever', async () => {
      const memory = await engine.open();
      const base = await memory.mama.save({ topic: 'base', decision: 'B' });
      const old = await memory.mama.save({ topic: 't', decision: 'A', reasoning: `builds_on: ${base.id}` });
      const before = await memory.decision.get({ id: old.id });
      await memory.mama.save({ topic: 't', decision: 'other', reasoning: 'other' });
      const after = await memory.decision.get({ id: old.id });
      assert.deepEqual(
        [after.decision.text, after.decision.reasoning, after.decision.createdAt],
        [before.decision.text, before.decision.reasoning, before.decision.createdAt],
      );
      assert.equal(after.edges.outgoing[0]?.decision.id, base.id);
    });

    it('revising a version that is not active is a conflict that names the active one', async () => {
      const memory = await engine.open();
      const old = await memory.mama.save({ topic: 't', decision: 'A' });
      const now = await memory.mama.save({ topic: 't', decision: 'B' });
      await refuses(memory.decision.revise({ id: old.id, text: 'C' }), 'conflict', old.id, now.id);
      await refuses(memory.decision.revise({ id: 'no-such-id', text: 'C' }), 'not_found', 'no-such-id');
      await refuses(memory.decision.revise({ id: now.id }), 'invalid', 'text', 'withdrawn');
    });

    it('[D-15] a decision can be withdrawn without a replacement; the next save continues its chain', async () => {
      const memory = await engine.open();
      const saved = await memory.mama.save({ topic: 't', decision: 'Use Redis', strength: 'lock' });
      await refuses(memory.decision.revise({ id: saved.id, withdrawn: true }), 'invalid', 'reasoning');
      const both = { id: saved.id, withdrawn: true, reasoning: 'r', text: 'x' };
      await refuses(memory.decision.revise(both), 'invalid', 'text', 'both');
      const gone = await memory.decision.revise({
        id: saved.id,
        withdrawn: true,
        reasoning: 'not needed',
        replaces: saved.id,
      });
      assert.deepEqual(
        [gone.decision.isActive, gone.decision.withdrawn, gone.decision.version],
        [false, true, 2],
      );
      assert.deepEqual((await memory.decision.retrieve({ domain: 't' })).decisions, []);
      const [row] = (await memory.mama.search({ query: 'redis' })).results;
      assert.deepEqual([row?.id, row?.withdrawn, row?.is_current], [gone.decision.id, true, false]);
      await refuses(
        memory.decision.revise({ id: gone.decision.id, text: 'x' }),
        'conflict',
        'withdrawn',
        't',
      );
      const next = await memory.mama.save({ topic: 't', decision: 'Use Redis' });
      assert.deepEqual([next.version, next.supersedes], [3, gone.decision.id]);
      const { decision } = await memory.decision.get({ id: next.id });
      assert.equal(decision.strength, 'lock');
      assert.equal(decision.reasoning, null, 'the reason of the withdrawal is no reason for it');
    });

    it('[G-7] a save that fails leaves nothing behind', async () => {
      let ids = 0;
      const newId = () => {
        ids += 1;
        // The second id of the save is its evidence's: by then version, edges and index are written.
        if (ids === 3) throw new Error('no more ids');
        return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
      };
      const memory = await engine.open({ newId });
      const first = await memory.mama.save({ topic: 't', decision: 'A' });
      await assert.rejects(memory.mama.save({ topic: 't', decision: 'B', evidence: ['e'] }), /no more ids/);
      const { versions } = await memory.decision.get({ id: first.id });
      assert.deepEqual(
        versions.map((version) => [version.text, version.isActive]),
        [['A', true]],
      );
      assert.equal((await memory.mama.search({ query: 'B' })).total, 0);
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[D-3] twenty clients that save one topic at once make one chain of twenty versions', async () => {
      const first = await engine.open();
      const clients = await Promise.all(Array.from({ length: 5 }, () => engine.reopen(first)));
      const saves = Array.from({ length: 20 }, (_, n) =>
        (clients[n % 5] ?? first).mama.save({ topic: 'race', decision: `Decision ${n}` }),
      );
      const saved = await Promise.all(saves);
      assert.equal(new Set(saved.map((each) => each.root_id)).size, 1);
      assert.deepEqual(
        saved.map((each) => each.version).sort((a = 0, b = 0) => a - b),
        Array.from({ length: 20 }, (_, n) => n + 1),
      );
      const { versions } = await first.decision.get({ id: saved[0]?.id ?? '' });
      assert.deepEqual(
        versions.filter((version) => version.isActive).map((version) => version.version),
        [20],
      );
      assert.deepEqual((await first.inspect()).problems, []);
    });
  });
}
