import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { DATE, pastTheProduct, rowsOf, tableOf, UUID, withDecisions } from './given.ts';

const STRENGTHS = ['axis', 'lock', 'normal'] as const;
const RULE = { text: '외벽은 200mm로 한다', strength: 'lock', scope: 'wms' } as const;

/** PRD-005: naming, the decision, its versions. */
export function decisionEvidence(engine: EngineUnderTest): void {
  describe('PRD-005: Naming Convention Rule (LOCK)', () => {
    it('[D-6] 문서 레벨 필드는 camelCase (rootId, previousVersionId, isActive)', async () => {
      const memory = await engine.open();
      const { decision } = await memory.decision.save(RULE);
      for (const field of ['rootId', 'previousVersionId', 'isActive']) assert(field in decision, field);
      for (const field of Object.keys(decision)) assert.match(field, /^[a-z]+([A-Z][a-z]+)*$/);
    });

    it('[D-6] DB 스키마 레벨은 snake_case (root_id, previous_version_id, is_active)', () => {
      const { columns } = tableOf(engine, 'decisions');
      for (const column of ['root_id', 'previous_version_id', 'is_active']) assert(column in columns, column);
      for (const column of Object.keys(columns)) assert.match(column, /^[a-z]+(_[a-z]+)*$/);
    });

    it('[D-6] 두 표현은 동일 의미이며, a mapping layer turns one into the other', async () => {
      const memory = await engine.open();
      const first = await memory.decision.save(RULE);
      const { decision } = await memory.decision.revise({
        id: first.decision.id,
        text: '210mm',
        reasoning: '실측',
        replaces: first.decision.id,
      });
      const row = (await rowsOf(memory, 'decisions')).find(({ id }) => id === decision.id);
      assert.deepEqual(
        [row?.rootId, row?.previousVersionId, row?.isActive],
        [decision.rootId, decision.previousVersionId, decision.isActive ? 1 : 0],
      );
    });
  });

  describe('PRD-005: Data Structures (LOCK), 1. Decision', () => {
    it('[D-1] Decision: its nine fields, key by key', async () => {
      const memory = await engine.open();
      const { decision } = await memory.decision.save(RULE);
      const { id, rootId, version, previousVersionId, text, strength, scope, isActive, createdAt } = decision;
      assert.match(id, UUID);
      assert.match(createdAt, DATE);
      assert.deepEqual(
        { rootId, version, previousVersionId, text, strength, scope, isActive },
        { ...RULE, rootId: id, version: 1, previousVersionId: null, isActive: true },
      );
    });

    for (const strength of STRENGTHS) {
      it(`[D-1] strength: ${strength}`, async () => {
        const memory = await engine.open();
        const { decision } = await memory.decision.save({ ...RULE, strength });
        assert.equal(decision.strength, strength);
        assert.equal((await memory.decision.get({ id: decision.id })).decision.strength, strength);
      });
    }

    it('[D-1] strength: any other is refused', async () => {
      const memory = await engine.open();
      for (const strength of ['hard', 'LOCK']) {
        await refuses(memory.call('decision_save', { ...RULE, strength }), 'invalid', ...STRENGTHS);
      }
    });

    for (const scope of ['global', 'runtime', 'wms', 'coding', 'ui', '등']) {
      it(`[D-1] scope: ${scope}`, async () => {
        const memory = await engine.open();
        const { decision } = await memory.decision.save({ ...RULE, scope, strength: 'axis' });
        const { decisions } = await memory.decision.retrieve({ domain: scope });
        assert.deepEqual([decision.scope, decisions.map(({ id }) => id)], [scope, [decision.id]]);
      });
    }
  });

  describe('PRD-005: Decision Versioning Model (LOCK)', () => {
    it('[D-3] 하나의 논리적 Decision 체인은 동일한 rootId를 공유한다', async () => {
      const memory = await engine.open();
      const first = await memory.decision.save(RULE);
      let { id } = first.decision;
      for (const text of ['210mm', '220mm', '230mm']) {
        const { decision } = await memory.decision.revise({ id, text, reasoning: '실측', replaces: id });
        assert.equal(decision.rootId, first.decision.id);
        id = decision.id;
      }
      const other = await memory.decision.save({ ...RULE, text: '내벽은 150mm로 한다' });
      assert.notEqual(other.decision.rootId, first.decision.id);
    });

    it('[D-3] (rootId, version) 조합은 유일해야 한다: the database refuses a second one', async () => {
      const place = engine.place();
      const memory = await withDecisions(engine, place, 'decision_a');
      const [row] = await rowsOf(memory, 'decisions');
      const next = { ...row, version: 2, previousVersion: 1, previousVersionId: 'decision_a', isActive: 0 };
      const insert = (id: string) =>
        pastTheProduct(place, async (db) => {
          const { seq: _, ...record } = (await rowsOf(memory, 'records'))[0] ?? {};
          const { seq } = await db
            .insertInto('records')
            .values(record)
            .returning('seq')
            .executeTakeFirstOrThrow();
          await db
            .insertInto('decisions')
            .values({ ...next, id, seq })
            .execute();
        });
      assert.equal(await insert('decision_b'), undefined, 'version 2 is there');
      assert.equal(await insert('decision_c'), 'race', 'and no second time');
    });

    it('[D-3] 수정 시 isActive=true 레코드를 false로 전환하고, version + 1로 신규 레코드를 생성한다', async () => {
      const memory = await engine.open();
      const first = await memory.decision.save(RULE);
      const second = await memory.decision.revise({
        id: first.decision.id,
        text: '210mm',
        reasoning: '실측',
        replaces: first.decision.id,
      });
      const { versions } = await memory.decision.get({ id: first.decision.id });
      assert.deepEqual(
        versions.map(({ id, version, isActive, text }) => [id, version, isActive, text]),
        [
          [first.decision.id, 1, false, RULE.text],
          [second.decision.id, 2, true, '210mm'],
        ],
      );
    });
  });

  describe('PRD-005: rootId Rules (LOCK)', () => {
    it('[D-2] 최초 생성 시 rootId = id', async () => {
      const memory = await engine.open();
      for (const input of [RULE, { ...RULE, topic: 'cad:wall:thickness' }]) {
        const { decision } = await memory.decision.save(input);
        assert.equal(decision.rootId, decision.id);
      }
    });

    it('[D-2] 수정(버전 생성) 시 rootId는 절대 변경하지 않는다: by topic, by revision, when withdrawn, and after it', async () => {
      const memory = await engine.open();
      const topic = 'cad:wall:thickness';
      const first = await memory.mama.save({ topic, decision: '150mm' });
      const second = await memory.mama.save({ topic, decision: '180mm' });
      const third = await memory.decision.revise({ id: second.id, text: '200mm' });
      await memory.decision.revise({ id: third.decision.id, withdrawn: true, reasoning: '다시 잰다' });
      await memory.decision.save({ topic, text: '210mm' });
      const rows = await rowsOf(memory, 'decisions');
      assert.deepEqual(
        rows.map(({ rootId }) => rootId),
        Array(5).fill(first.id),
      );
    });

    it('[D-2] rootId는 사용자/외부 입력으로 받지 않는다, nor any other field that the system sets', async () => {
      const memory = await engine.open();
      const { decision } = await memory.decision.save(RULE);
      for (const field of ['rootId', 'root_id', 'version', 'previousVersionId', 'isActive', 'id']) {
        const given = { ...RULE, text: '다른 규칙', [field]: decision.id };
        await refuses(memory.call('decision_save', given), 'invalid', field);
        await refuses(
          memory.call('mama_save', { topic: 't', decision: 'x', [field]: decision.id }),
          'invalid',
          field,
        );
      }
      const revision = { id: decision.id, text: 'x', reasoning: 'r', rootId: crypto.randomUUID() };
      await refuses(memory.call('decision_revise', revision), 'invalid', 'rootId');
      assert.equal((await rowsOf(memory, 'decisions')).length, 1);
    });

    it('[D-4] previousVersionId는 동일 rootId 체인 내부의 직전 버전만 가리킬 수 있다: the product', async () => {
      const memory = await engine.open();
      const topic = 'cad:wall:thickness';
      const ids: string[] = [];
      for (const decision of ['150mm', '180mm', '200mm'])
        ids.push((await memory.mama.save({ topic, decision })).id);
      const rows = await rowsOf(memory, 'decisions');
      assert.deepEqual(
        rows.map(({ previousVersionId }) => previousVersionId),
        [null, ids[0], ids[1]],
      );
    });

    it('[D-4] previousVersionId는 동일 rootId 체인 내부의 직전 버전만 가리킬 수 있다: the database', async () => {
      const place = engine.place();
      const memory = await withDecisions(engine, place, 'decision_a', 'decision_other');
      const second = await memory.decision.revise({ id: 'decision_a', text: '둘째' });
      await memory.decision.revise({ id: second.decision.id, text: '셋째' });
      const point = (previousVersionId: string | null) =>
        pastTheProduct(place, (db) =>
          db.updateTable('decisions').set({ previousVersionId }).where('version', '=', 3).execute(),
        );
      assert.equal(await point(second.decision.id), undefined, 'the version directly before');
      assert.equal(await point('decision_a'), 'bug', 'an older one');
      assert.equal(await point('decision_other'), 'bug', 'of another chain');
      assert.equal(await point('decision_none'), 'bug', 'none at all');
      assert.equal(await point(null), 'bug', 'empty');
    });
  });
}
