import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

/** Evidence, anchors, retrieval by tiers, checkpoints, and who wrote what. */
export function grounds(engine: EngineUnderTest): void {
  describe('evidence and anchors', () => {
    it('[D-7] evidence belongs to one decision, word for word; without one it is refused', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({ topic: 't', decision: 'A' });
      const content = '  "그대로"\n\tkept   as it is  ';
      const { evidence } = await memory.evidence.save({ decisionRef: id, content });
      assert.deepEqual([evidence.content, evidence.decisionRef], [content, id]);
      assert.match(evidence.timestamp, /Z$/);
      const read = await memory.decision.get({ id });
      assert.deepEqual(
        read.evidence.map((item) => [item.id, item.content, item.version]),
        [[evidence.id, content, 1]],
      );
      await refuses(memory.evidence.save({ decisionRef: 'nope', content }), 'not_found', 'nope');
      await refuses(memory.call('evidence_save', { content }), 'invalid', 'decisionRef');
    });

    it('evidence stays with its version, and a long one is shown shortened, saying so', async () => {
      const memory = await engine.open();
      const first = await memory.mama.save({ topic: 't', decision: 'A', evidence: ['x'.repeat(5_000)] });
      const second = await memory.mama.save({ topic: 't', decision: 'B', evidence: ['for B'] });
      const { evidence } = await memory.decision.get({ id: second.id });
      assert.deepEqual(
        evidence.map((item) => [item.decisionRef, item.version, item.length]),
        [
          [first.id, 1, 5_000],
          [second.id, 2, 5],
        ],
      );
      assert.match(evidence[0]?.content ?? '', /… \[\+3000 characters: raise tokenBudget\]$/);
      const whole = await memory.decision.get({ id: second.id, evidenceCharacters: 5_000 });
      assert.equal(whole.evidence[0]?.content, 'x'.repeat(5_000));
    });

    it('[D-5] [D-11] an anchor keeps pointing at its version, and is shown as a hint beside the chain', async () => {
      const memory = await engine.open();
      const first = await memory.mama.save({ topic: 't:x', decision: 'A', evidence: ['proof'] });
      const evidenceId = first.evidence?.[0] ?? '';
      const toDecision = await memory.anchor.save({
        hint: 'why not B?',
        targetRef: first.id,
        type: 'decision_link',
      });
      const toEvidence = await memory.anchor.save({
        hint: 'the proof',
        targetRef: evidenceId,
        type: 'evidence_link',
      });
      await memory.mama.save({ topic: 't:x', decision: 'B' });
      const { decisions, anchors } = await memory.decision.retrieve({ domain: 't' });
      assert.deepEqual(
        decisions.map((decision) => decision.text),
        ['B'],
      );
      assert.deepEqual(
        anchors,
        [toDecision.anchor, toEvidence.anchor].map((anchor) => ({ ...anchor, active: false })),
      );
      assert.deepEqual(
        anchors.map((anchor) => anchor.targetRef),
        [first.id, evidenceId],
      );
      assert.deepEqual((await memory.decision.retrieve({ domain: 'elsewhere' })).anchors, []);
    });

    it('[D-8] a target that does not exist or is of the other type is refused', async () => {
      const memory = await engine.open();
      const { id, evidence } = await memory.mama.save({ topic: 't', decision: 'A', evidence: ['e'] });
      const anchor = (targetRef: string, type: 'evidence_link' | 'decision_link') =>
        memory.anchor.save({ hint: 'h', targetRef, type });
      await refuses(anchor('nope', 'decision_link'), 'not_found', 'nope');
      await refuses(anchor(id, 'evidence_link'), 'invalid', 'decision_link');
      await refuses(anchor(evidence?.[0] ?? '', 'decision_link'), 'invalid', 'evidence_link');
      await refuses(
        memory.call('anchor_save', { hint: 'h', targetRef: id, type: 'link' }),
        'invalid',
        'link',
      );
    });
  });

  describe('retrieval', () => {
    it('[D-10] loads four tiers in their fixed order, newest first within one, each decision once', async () => {
      const memory = await engine.open(fixed());
      const save = async (text: string, scope: string, strength: 'axis' | 'lock' | 'normal') =>
        memory.decision.save({ text, scope, strength });
      await save('global lock', 'global', 'lock');
      await save('ui normal', 'ui', 'normal');
      await save('ui lock old', 'ui', 'lock');
      await save('ui lock new', 'ui', 'lock');
      await save('ui axis', 'ui', 'axis');
      await save('global axis', 'global', 'axis');
      await save('db axis', 'db', 'axis');
      const { decisions, omitted } = await memory.decision.retrieve({ domain: 'ui' });
      assert.deepEqual(
        decisions.map((decision) => [decision.tier, decision.text]),
        [
          ['global+axis', 'global axis'],
          ['domain+axis', 'ui axis'],
          ['domain+lock', 'ui lock new'],
          ['domain+lock', 'ui lock old'],
          ['domain+normal', 'ui normal'],
        ],
      );
      assert.deepEqual(omitted, { overLimit: 0, others: 1 });
      const limited = await memory.decision.retrieve({ domain: 'ui', limit: 2 });
      assert.deepEqual(
        [limited.decisions.map((decision) => decision.text), limited.omitted.overLimit],
        [['global axis', 'ui axis'], 3],
      );
      const everywhere = await memory.decision.retrieve({});
      assert.deepEqual(
        everywhere.decisions.map((decision) => decision.text),
        ['global axis'],
      );
      const global = await memory.decision.retrieve({ domain: 'global' });
      assert.deepEqual(
        global.decisions.map((decision) => [decision.tier, decision.text]),
        [
          ['global+axis', 'global axis'],
          ['domain+lock', 'global lock'],
        ],
      );
    });

    it('a domain without decisions is told which scopes have some', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'auth:token', decision: 'A' });
      assert.deepEqual((await memory.decision.retrieve({ domain: 'author' })).scopes, ['auth']);
      assert.equal((await memory.decision.retrieve({ domain: 'auth' })).scopes, undefined);
    });

    it('[D-12] an empty result is normal; what cannot be is refused', async () => {
      const memory = await engine.open();
      const nothing = { decisions: [], anchors: [] };
      const { decisions, anchors } = await memory.decision.retrieve({ domain: 'ui' });
      assert.deepEqual({ decisions, anchors }, nothing);
      const { workspace } = memory;
      const looked = { what: 'decision', records: 0, languages: [] };
      const none = { answered: false, looked, results: [], total: 0, workspace };
      assert.deepEqual(await memory.mama.search({ query: 'x' }), none);
      await refuses(memory.decision.get({ id: 'nope' }), 'not_found', 'nope');
      await memory.close();
      await refuses(memory.mama.search({ query: 'x' }), 'unavailable', 'was closed');
    });
  });

  describe('checkpoints', () => {
    it('loads the newest, with lists and Korean kept', async () => {
      const memory = await engine.open();
      const { workspace } = memory;
      const none = { what: 'checkpoint' as const, records: 0, languages: [] };
      assert.deepEqual(await memory.mama.loadCheckpoint({}), {
        ...{ found: false, checkpoint: null, workspace },
        looked: none,
      });
      await memory.mama.save({ type: 'checkpoint', summary: 'old' });
      const saved = await memory.mama.save({
        type: 'checkpoint',
        summary: '파서까지 끝냄',
        next_steps: '테스트',
        open_files: ['src/a.ts', 'src/한글.ts'],
      });
      const { checkpoint } = await memory.mama.loadCheckpoint({});
      assert.deepEqual(
        [checkpoint?.id, checkpoint?.summary, checkpoint?.next_steps, checkpoint?.open_files],
        [saved.id, '파서까지 끝냄', '테스트', ['src/a.ts', 'src/한글.ts']],
      );
    });
  });

  describe('authors', () => {
    it('[D-14] all sessions see all records; each keeps which session and client wrote it', async () => {
      const first = await engine.open({ writer: { session: 'monday', client: 'codex 1' } });
      const second = await engine.reopen(first, { writer: { session: 'tuesday', client: 'claude 2' } });
      const { id } = await first.mama.save({ topic: 't', decision: 'A' });
      await second.evidence.save({ decisionRef: id, content: 'seen' });
      const { decision, evidence } = await second.decision.get({ id });
      assert.deepEqual([decision.session, decision.client], ['monday', 'codex 1']);
      assert.deepEqual([evidence[0]?.session, evidence[0]?.client], ['tuesday', 'claude 2']);
    });
  });
}
