import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { programOn, rowsOf, tableOf } from './given.ts';

export const OUTCOMES = ['success', 'failed', 'partial'] as const;
export const WALL = { topic: 'cad:wall:thickness', decision: '외벽 200mm, 내벽 150mm 표준화' };

/** The columns of the only decision that the story speaks of. */
export async function columnsOf(memory: Memory, id: string) {
  const row = (await rowsOf(memory, 'decisions')).find((each) => each.id === id);
  return [row?.outcome, row?.outcomeReason];
}

/** Decisions on one subject with every outcome, in two domains. */
export async function walls(memory: Memory): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const domain of ['cad', 'wms']) {
    for (const outcome of [...OUTCOMES, 'pending'] as const) {
      const { id } = await memory.mama.save({
        topic: `${domain}:${outcome}`,
        decision: `벽 표준 ${domain} ${outcome}`,
      });
      if (outcome !== 'pending') await memory.mama.update({ id, outcome, reason: `${outcome}인 이유` });
      ids[`${domain} ${outcome}`] = id;
    }
  }
  return ids;
}

/** Story 11.4: its acceptance criteria and tasks. */
export function outcomeTracking(engine: EngineUnderTest): void {
  describe('Story 11.4: Outcome Tracking', () => {
    for (const [criterion, outcome, why, ids] of [
      ['AC1, Task 5.1: 성공 기록', 'success', '현장에서 잘 맞았다', '[O-1]'],
      ['AC2, Task 1.1, 2.1, 5.2: 실패 기록', 'failed', '내벽이 갈라졌다', '[O-2]'],
      ['AC3, Task 5.3: 부분 성공 기록', 'partial', '외벽만 맞았다', '[O-3]'],
    ] as const) {
      it(`${ids} ${criterion}: mama_update(id, '${outcome}', 'reason')`, async (test) => {
        const { open, answer } = programOn(engine, test);
        const memory = await open();
        const { id } = await memory.mama.save(WALL);
        const updated = await answer('tool', 'mama_update', id, outcome, why);
        assert.deepEqual([updated.id, updated.outcome, updated.outcome_reason], [id, outcome, why]);
        assert.deepEqual(await columnsOf(memory, id), [outcome, why]);
      });
    }

    it('[O-4] AC4, Task 3.1, 3.2, 3.3, 5.4: 검색 시 실패 결정 경고, over MCP', async (test) => {
      const { connect } = programOn(engine, test);
      const server = await connect();
      const { id } = await server.call('mama_save', WALL);
      await server.call('mama_update', { id, outcome: 'failed', reason: '내벽이 갈라졌다' });
      const [found] = (await server.call('mama_search', { query: '내벽 표준' })).results;
      assert.match(found?.outcome_warning ?? '', /^⚠️ outcome: failed/);
      assert(found?.outcome_warning?.includes('내벽이 갈라졌다'), found?.outcome_warning);
      assert.deepEqual([found?.outcome, found?.outcome_reason], ['failed', '내벽이 갈라졌다']);
    });

    it('[O-4] AC4: 이전에 실패한 결정, found among the results of another query, warns too', async () => {
      const memory = await engine.open();
      const ids = await walls(memory);
      const { results } = await memory.mama.search({ query: '벽 표준' });
      const warned = results.filter(({ outcome_warning }) => outcome_warning !== undefined);
      assert.deepEqual(warned.map(({ id }) => id).sort(), [ids['cad failed'], ids['wms failed']].sort());
    });

    for (const outcome of [...OUTCOMES, 'pending'] as const) {
      const promise =
        outcome === 'pending' ? '[O-6] AC6, Task 4.3, 5.6: Pending 결정 조회' : '[O-5] AC5, Task 4.2, 5.5';
      it(`${promise}: outcome_filter='${outcome}'`, async (test) => {
        const { open, connect } = programOn(engine, test);
        const ids = await walls(await open());
        const server = await connect();
        for (const query of [{ query: '벽 표준' }, {}]) {
          const { results } = await server.call('mama_search', { ...query, outcome_filter: outcome });
          assert.deepEqual(
            results.map(({ id }) => id).sort(),
            [ids[`cad ${outcome}`], ids[`wms ${outcome}`]].map((id) => id?.slice(0, 8)).sort(),
          );
          const stored = outcome === 'pending' ? null : outcome;
          assert(results.every((each) => (each.outcome ?? null) === stored));
        }
      });
    }

    it('[O-6] AC6, Task 4.3: pending is outcome IS NULL', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save(WALL);
      assert.deepEqual(await columnsOf(memory, id), [null, null]);
      const pending = async () => (await memory.mama.search({ outcome_filter: 'pending' })).total;
      assert.equal(await pending(), 1);
      await memory.mama.update({ id, outcome: 'partial' });
      assert.equal(await pending(), 0);
    });

    it('[O-7] Task 1.1, DB 스키마 업데이트: outcome_reason TEXT, an index on outcome', () => {
      const { columns, indexes } = tableOf(engine, 'decisions');
      assert.deepEqual([columns.outcome, columns.outcome_reason], ['text', 'text']);
      assert(indexes.includes('outcome'), `${indexes}`);
    });

    it('[O-7] Task 1.2, 2.2: 업데이트 시 updated_at 갱신', async () => {
      const memory = await engine.open(fixed());
      const { id } = await memory.mama.save(WALL);
      const dates: string[] = [];
      for (const outcome of OUTCOMES) {
        const { updated_at, created_at } = await memory.mama.update({ id, outcome });
        dates.push(created_at, updated_at);
      }
      const [created, first, , second, , third] = dates;
      assert.deepEqual(dates, [created, first, created, second, created, third]);
      assert.deepEqual([created, first, second, third], [...new Set(dates)].sort());
    });

    it('[O-7] Task 2.3: 존재하지 않는 ID 에러 처리', async (test) => {
      const memory = await engine.open();
      await refuses(
        memory.mama.update({ id: 'decision_없음', outcome: 'failed' }),
        'not_found',
        'decision_없음',
      );
      const server = await programOn(engine, test).connect();
      const said = await server.refusal('mama_update', { id: crypto.randomUUID(), outcome: 'success' });
      assert.match(said, /^not_found: /);
    });
  });
}
