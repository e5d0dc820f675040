import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { DATE } from './given.ts';
import { columnsOf, OUTCOMES, WALL, walls } from './outcome-tracking.ts';

/** Story 11.4: the tables, types and standards of its notes. */
export function outcomeNotes(engine: EngineUnderTest): void {
  describe('Story 11.4, notes', () => {
    it('[O-6] Outcome 상태: NULL (pending) 초기 저장 시, again for a version that replaces a failed one', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save(WALL);
      await memory.mama.update({ id, outcome: 'failed' });
      const next = await memory.mama.save({ ...WALL, decision: '내벽 180mm' });
      assert.deepEqual(
        [await columnsOf(memory, id), await columnsOf(memory, next.id)],
        [
          ['failed', null],
          [null, null],
        ],
      );
    });

    for (const outcome of OUTCOMES) {
      it(`[O-7] Outcome 상태: ${outcome} 상태별 CRUD, with and without a reason`, async () => {
        const memory = await engine.open();
        const { id } = await memory.mama.save(WALL);
        const bare = await memory.mama.update({ id, outcome });
        assert.deepEqual([bare.outcome, bare.outcome_reason], [outcome, null]);
        await memory.mama.update({ id, outcome, reason: '이유' });
        const { decision } = await memory.decision.get({ id });
        assert.deepEqual([decision.outcome, decision.outcomeReason], [outcome, '이유']);
        const other = outcome === 'failed' ? 'success' : 'failed';
        await memory.mama.update({ id, outcome: other, reason: '다시 보니' });
        assert.deepEqual(await columnsOf(memory, id), [other, '다시 보니']);
      });
    }

    it('[O-7] MamaUpdateInput: id and outcome are needed, reason is not; outcome is one of three', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save(WALL);
      const update = (input: object) => memory.call('mama_update', input);
      await refuses(update({ outcome: 'success' }), 'invalid', 'id');
      await refuses(update({ id }), 'invalid', 'outcome');
      for (const outcome of ['pending', 'FAILED', 'ok', null]) {
        await refuses(update({ id, outcome }), 'invalid', 'success', 'failed', 'partial');
      }
      assert.deepEqual(await columnsOf(memory, id), [null, null]);
    });

    it('[O-5] MamaSearchInput: outcome_filter is one of four', async () => {
      const memory = await engine.open();
      await refuses(
        memory.call('mama_search', { outcome_filter: 'unknown' }),
        'invalid',
        'pending',
        'partial',
      );
    });

    it('[O-4] SearchResult: its keys, for a failed decision and for a pending one', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save(WALL);
      const keys = [
        'id',
        'topic',
        'decision',
        'similarity',
        'created_at',
        'outcome',
        'outcome_reason',
        'outcome_warning',
      ];
      const read = async () => {
        const [found] = (await memory.mama.search({ query: '내벽' })).results as unknown as Record<
          string,
          unknown
        >[];
        const { similarity, created_at, ...rest } = Object.fromEntries(
          keys.map((key) => [key, found?.[key]]),
        );
        assert.equal(typeof similarity, 'number');
        assert.match(String(created_at), DATE);
        return rest;
      };
      const pending = { id, ...WALL, outcome: null, outcome_reason: null, outcome_warning: undefined };
      assert.deepEqual(await read(), pending);
      await memory.mama.update({ id, outcome: 'failed', reason: '갈라짐' });
      const failed = {
        outcome: 'failed',
        outcome_reason: '갈라짐',
        outcome_warning: '⚠️ outcome: failed — “갈라짐”',
      };
      assert.deepEqual(await read(), { id, ...WALL, ...failed });
    });

    it('[O-5] Testing Standards: 필터링 조합, domain + outcome + query + limit', async () => {
      const memory = await engine.open();
      const ids = await walls(memory);
      const search = async (input: object) =>
        (await memory.mama.search({ query: '벽 표준', ...input })).results.map(({ id }) => id);
      for (const outcome_filter of [...OUTCOMES, 'pending'] as const) {
        for (const domain of ['cad', 'wms']) {
          const one = [ids[`${domain} ${outcome_filter}`]];
          assert.deepEqual(await search({ outcome_filter, domain }), one);
          assert.deepEqual(await search({ outcome_filter, domain, limit: 1 }), one, 'before the limit');
        }
      }
      assert.deepEqual(await search({ outcome_filter: 'failed', domain: 'ui' }), []);
      assert.deepEqual(await search({ outcome_filter: 'failed', query: 'nothing like it' }), []);
    });

    it('[O-4] Testing Standards: 경고 메시지 포맷, with and without a reason', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save(WALL);
      const warning = async () => (await memory.mama.search({ query: '내벽' })).results[0]?.outcome_warning;
      await memory.mama.update({ id, outcome: 'failed' });
      assert.match((await warning()) ?? '', /^⚠️ outcome: failed/);
      await memory.mama.update({ id, outcome: 'failed', reason: '이유' });
      assert.equal(await warning(), '⚠️ outcome: failed — “이유”');
      for (const outcome of ['success', 'partial'] as const) {
        await memory.mama.update({ id, outcome });
        assert.equal(await warning(), undefined, outcome);
      }
    });

    it('[O-6] Scope: no outcome is detected by itself', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({ ...WALL, reasoning: '이 결정은 실패했다. outcome: failed' });
      assert.deepEqual(await columnsOf(memory, id), [null, null]);
    });
  });
}
