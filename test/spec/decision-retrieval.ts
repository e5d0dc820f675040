import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Memory, PrecedentError } from '../../src/index.ts';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { pastTheProduct, programOn, rowsOf } from './given.ts';

const TIERS = ['global+axis', 'domain+axis', 'domain+lock', 'domain+normal'] as const;
const RULE = { text: '외벽은 200mm로 한다', scope: 'wms' };

/** What retrieval gives for the domain `wms`, as tier and text. */
async function retrieved(memory: Memory): Promise<string[][]> {
  const { decisions } = await memory.decision.retrieve({ domain: 'wms' });
  return decisions.map(({ tier, text }) => [tier, text]);
}

/** A decision of each strength in each of three scopes, saved in this order of the tiers. */
async function saveTiers(memory: Memory, order: string[]): Promise<void> {
  for (const place of order) {
    const [scope = '', strength = ''] = place.split('+');
    const input = { text: place, strength, scope: scope === 'domain' ? 'wms' : scope };
    await memory.call('decision_save', input);
  }
}

/** PRD-005: scope, the execution rules of saving and retrieving, and failures. */
export function decisionRetrieval(engine: EngineUnderTest): void {
  describe('PRD-005: Objective, Scope, Non-Goals', () => {
    it('[D-14] 세션 간 설계 일관성, 세션 단위의 데이터 격리 없음: another session finds it', async () => {
      const memory = await engine.open({ writer: { session: '첫 세션' } });
      const { decision } = await memory.decision.save({ ...RULE, strength: 'axis', evidence: ['단열 기준'] });
      const next = await engine.reopen(memory, { writer: { session: '다음 세션' } });
      assert.deepEqual(await retrieved(next), [['domain+axis', RULE.text]]);
      assert.equal((await next.decision.get({ id: decision.id })).evidence[0]?.content, '단열 기준');
    });

    it('[D-13] 기존 데이터 덮어쓰기(Overwrite) 방식의 수정 없음', async () => {
      const memory = await engine.open();
      const { decision } = await memory.decision.save({ ...RULE, reasoning: '단열' });
      await memory.decision.revise({ id: decision.id, text: '210mm', reasoning: '실측' });
      const before = await memory.decision.get({ id: decision.id });
      assert.deepEqual(
        [before.decision.text, before.decision.reasoning, before.decision.version],
        [RULE.text, '단열', 1],
      );
      const methods = Object.keys(memory.decision);
      assert.deepEqual(
        methods.filter((name) => /delete|remove|overwrite/i.test(name)),
        [],
      );
    });

    it('매 턴 대화 요약(Summary) 저장 없음: no turn stores anything by itself', async () => {
      const memory = await engine.open();
      await memory.decision.retrieve({ domain: 'wms' });
      await memory.recall({ task: '외벽 두께를 정하자' });
      assert.deepEqual([await rowsOf(memory, 'records'), await rowsOf(memory, 'checkpoints')], [[], []]);
    });

    it('[D-7] Evidence 관리: 결정의 배경이 되는 대화 원문, word for word', async () => {
      const memory = await engine.open();
      const content = '  사용자: "왜?"\n\t설계자: 단열 때문.  \r\n';
      const { decision } = await memory.decision.save({ ...RULE, evidence: [content] });
      assert.equal((await memory.decision.get({ id: decision.id })).evidence[0]?.content, content);
    });
  });

  describe('PRD-005: Execution Rules', () => {
    it('[D-9] 즉시 저장 (Immediate Persist): found by the next call of another process, no session was ended', async (test) => {
      const { connect } = programOn(engine, test);
      const [writer, reader] = [await connect(), await connect()];
      for (const n of [1, 2, 3]) {
        const { decision } = await writer.call('decision_save', {
          ...RULE,
          text: `규칙 ${n}`,
          strength: 'axis',
        });
        const { decisions } = await reader.call('decision_retrieve', { domain: 'wms' });
        assert.equal(decisions[0]?.id, decision.id.slice(0, 8), 'a model reads short ids');
      }
    });

    it('[D-10] Retrieval 우선순위: global+axis, current_domain+axis, +lock, +normal, in whatever order they came', async () => {
      for (const order of [[...TIERS], TIERS.toReversed()]) {
        const memory = await engine.open(fixed());
        await saveTiers(memory, [...order, 'global+lock', 'global+normal', 'ui+axis', 'ui+lock']);
        assert.deepEqual(
          await retrieved(memory),
          TIERS.map((tier) => [tier, tier]),
        );
      }
    });

    it('[D-10] Retrieval Strategy (LOCK): 계층적 로딩 후 병합, no date moves a decision out of its tier', async () => {
      const memory = await engine.open(fixed());
      const order = [...TIERS, ...TIERS.toReversed(), ...TIERS];
      for (const [n, tier] of order.entries()) {
        const [scope, strength] = tier.split('+');
        await memory.call('decision_save', {
          text: `${n}`,
          strength,
          scope: scope === 'domain' ? 'wms' : scope,
        });
      }
      const tiers = (await retrieved(memory)).map(([tier]) => tier);
      assert.deepEqual(
        tiers,
        TIERS.flatMap((tier) => [tier, tier, tier]),
      );
    });

    it('[D-10] Retrieval 우선순위: without a domain the first tier alone', async () => {
      const memory = await engine.open();
      await saveTiers(memory, [...TIERS]);
      const { decisions } = await memory.decision.retrieve({});
      assert.deepEqual(
        decisions.map(({ tier }) => tier),
        ['global+axis'],
      );
    });
  });

  describe('PRD-005: Failure Semantics Clarification (LOCK)', () => {
    /** A memory with one decision, in whose table a column is no longer there. */
    async function without(table: string, column: string) {
      const place = await engine.alone();
      let ids = 0;
      const newId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
      const memory = await engine.open({ ...place, newId });
      await memory.decision.save({ ...RULE, strength: 'axis', evidence: ['근거'] });
      // A server has the table of all workspaces, which is written to, and a view of it, which is read.
      const gone = (what: string) => sql`alter ${sql.raw(what)} rename column ${sql.ref(column)} to gone`;
      const all = engine.name === 'SQLite' ? [`table ${table}`] : [`table all_${table}`, `view ${table}`];
      for (const what of all)
        assert.equal(await pastTheProduct(place, (db) => gone(what).execute(db)), undefined);
      const given = ids;
      return { memory, idsSince: () => ids - given };
    }

    it('[D-12] Write 오류 / SQL 실행 오류: 즉시 Fail-Fast, tried once and nothing left behind', async () => {
      const { memory, idsSince } = await without('evidence', 'content');
      await refuses(memory.decision.save({ text: '새 규칙', scope: 'wms', evidence: ['근거'] }), 'internal');
      assert.equal(idsSince(), 2, 'of a decision and its evidence, given once');
      const { total } = await memory.mama.search({});
      assert.equal(total, 1);
    });

    it('[D-12] DB 무결성 오류: 즉시 Fail-Fast, tried once and nothing left behind', async () => {
      let asked = 0;
      const ids = [crypto.randomUUID()];
      const newId = () => {
        asked++;
        return ids.pop() as string;
      };
      const memory = await engine.open({ newId });
      await memory.decision.save(RULE);
      asked = 0;
      // What would break the database is found before that is asked (LB-1).
      await refuses(memory.decision.save({ text: '아이디가 없는 규칙' }), 'invalid');
      assert.deepEqual([asked, (await rowsOf(memory, 'decisions')).length], [1, 1]);
    });

    it('[D-12] Retrieval 결과가 비어 있는 경우: 정상 처리', async () => {
      const memory = await engine.open();
      for (const domain of [undefined, 'wms']) {
        const { decisions, anchors } = await memory.decision.retrieve({ ...(domain && { domain }) });
        assert.deepEqual([decisions, anchors], [[], []]);
      }
    });

    it('[D-12] Retrieval 알고리즘 내부 예외 발생 시: 즉시 Fail-Fast, no answer without its anchors', async () => {
      const { memory } = await without('anchors', 'hint');
      const failed = ({ code }: PrecedentError) => code === 'internal' || code === 'unavailable';
      await assert.rejects(memory.decision.retrieve({ domain: 'wms' }), failed);
    });
  });
}
