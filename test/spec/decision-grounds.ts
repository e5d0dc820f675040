import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { DATE, pastTheProduct, rowsOf, tableOf, UUID, withDecisions } from './given.ts';

const RULE = { text: '외벽은 200mm로 한다', scope: 'wms' } as const;

/** PRD-005: evidence and anchors. */
export function decisionGrounds(engine: EngineUnderTest): void {
  describe('PRD-005: 2. Evidence', () => {
    it('[D-7] Evidence: its four fields, key by key', async () => {
      const memory = await engine.open();
      const { decision } = await memory.decision.save(RULE);
      const content = '사용자: 왜 200mm인가요?\n설계자: 단열 기준 때문입니다.';
      const { evidence } = await memory.evidence.save({ decisionRef: decision.id, content });
      const { id, timestamp, ...rest } = evidence;
      assert.match(id, UUID);
      assert.match(timestamp, DATE);
      assert.deepEqual(rest, { content, decisionRef: decision.id });
    });

    it('[D-7] decisionRef: 관련 Decision ID (NOT NULL), also for the database', async () => {
      assert.equal(
        tableOf(engine, 'evidence').columns.decision_ref,
        'text not null references decisions (id)',
      );
      const place = engine.place();
      const memory = await withDecisions(engine, place, 'decision_a');
      await memory.evidence.save({ decisionRef: 'decision_a', content: '근거' });
      const refer = (decisionRef: string | null) =>
        pastTheProduct(place, (db) => db.updateTable('evidence').set({ decisionRef }).execute());
      assert.equal(await refer('decision_a'), undefined);
      assert.equal(await refer(null), 'bug');
      assert.equal(await refer('decision_none'), 'bug');
    });

    it('[D-7] Evidence Rule: Evidence는 반드시 하나의 Decision에 귀속된다', async () => {
      const memory = await withDecisions(engine, engine.place(), 'decision_a', 'decision_b');
      const { evidence } = await memory.evidence.save({ decisionRef: 'decision_a', content: '근거' });
      const of = async (id: string) => (await memory.decision.get({ id })).evidence.map((each) => each.id);
      assert.deepEqual([await of('decision_a'), await of('decision_b')], [[evidence.id], []]);
      const two = { decisionRef: ['decision_a', 'decision_b'], content: '근거' };
      await refuses(memory.call('evidence_save', two), 'invalid', 'decisionRef');
    });

    it('[D-7] Evidence Rule: Decision 없는 Evidence는 저장 단계에서 거부한다', async () => {
      const memory = await withDecisions(engine, engine.place(), 'decision_a');
      await refuses(memory.call('evidence_save', { content: '근거' }), 'invalid', 'decisionRef');
      await refuses(
        memory.call('evidence_save', { content: '근거', decisionRef: null }),
        'invalid',
        'decisionRef',
      );
      await refuses(
        memory.call('evidence_save', { content: '근거', decisionRef: '' }),
        'invalid',
        'decisionRef',
      );
      await refuses(memory.evidence.save({ content: '근거', decisionRef: 'decision_none' }), 'not_found');
      assert.deepEqual(await rowsOf(memory, 'evidence'), []);
    });
  });

  describe('PRD-005: 3. Anchor', () => {
    it('[D-8] Anchor: its fields, key by key, for both types', async () => {
      const memory = await engine.open();
      const { decision, evidence } = await memory.decision.save({ ...RULE, evidence: ['단열 기준'] });
      for (const [targetRef = '', type] of [
        [evidence[0], 'evidence_link'],
        [decision.id, 'decision_link'],
      ] as const) {
        const { anchor } = await memory.anchor.save({ hint: '왜 200mm였나', targetRef, type });
        const { id, createdAt, ...rest } = anchor;
        assert.match(id, UUID);
        assert.match(createdAt, DATE);
        const leadsTo = { decisionId: decision.id, topic: null, version: 1, active: true };
        assert.deepEqual(rest, { hint: '왜 200mm였나', targetRef, type, ...leadsTo });
      }
    });

    it('[D-8] type: evidence_link | decision_link; any other, and a target of the other kind, is refused', async () => {
      const memory = await engine.open();
      const { decision, evidence } = await memory.decision.save({ ...RULE, evidence: ['단열 기준'] });
      const save = (targetRef: unknown, type: string) =>
        memory.call('anchor_save', { hint: '힌트', targetRef, type });
      await refuses(save(decision.id, 'memo_link'), 'invalid', 'evidence_link', 'decision_link');
      await refuses(save(decision.id, 'evidence_link'), 'invalid');
      await refuses(save(evidence[0], 'decision_link'), 'invalid');
      await refuses(save(crypto.randomUUID(), 'decision_link'), 'not_found');
      assert.deepEqual(await rowsOf(memory, 'anchors'), []);
    });

    it('[D-5] Anchor Version Policy (LOCK): Anchor는 특정 Decision "버전"을 가리키고, 자동 갱신되지 않는다', async () => {
      const memory = await engine.open();
      const { decision } = await memory.decision.save(RULE);
      const { anchor } = await memory.anchor.save({
        hint: '처음',
        targetRef: decision.id,
        type: 'decision_link',
      });
      let { id } = decision;
      for (const text of ['210mm', '220mm']) ({ id } = (await memory.decision.revise({ id, text })).decision);
      const [row] = await rowsOf(memory, 'anchors');
      assert.deepEqual([row?.id, row?.decisionRef], [anchor.id, decision.id]);
      const { anchors } = await memory.decision.retrieve({ domain: 'wms' });
      assert.deepEqual(anchors, [{ ...anchor, active: false }]);
      assert.equal((await memory.decision.get({ id })).anchors[0]?.version, 1, '항상 생성 당시의 version');
    });

    it('[D-11] [D-17] Anchor 작동 원칙: 실행 규칙이 아니며, 상기시키고 원문 확인을 유도한다', async () => {
      const memory = await engine.open();
      const { decision, evidence } = await memory.decision.save({ ...RULE, evidence: ['원문: 단열 기준'] });
      const target = { targetRef: evidence[0] ?? '', type: 'evidence_link' } as const;
      const { anchor } = await memory.anchor.save({ hint: '이것을 지켜라', ...target });
      const { decisions, anchors } = await memory.decision.retrieve({ domain: 'wms' });
      assert.deepEqual([decisions.map(({ id }) => id), anchors], [[decision.id], [anchor]]);
      const original = await memory.decision.get({ id: anchor.id });
      assert.equal(original.evidence.find(({ id }) => id === anchor.targetRef)?.content, '원문: 단열 기준');
    });
  });
}
