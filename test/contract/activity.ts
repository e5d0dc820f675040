import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { BEGINNING, listedLines } from '../support/fill-lists.ts';

const DAY = 86_400_000;
const clock = () => Date.parse('2026-11-22T12:00:00Z');

/** How much happened when. */
export function activityCounts(engine: EngineUnderTest): void {
  describe('how much happened when', () => {
    it('[U-3] counts what the log lists, by kind and period, under the same filter', async () => {
      const memory = await engine.open({ clock });
      // Mondays and Sundays around midnight of this place.
      const days = [
        '2026-10-04T23:59:59',
        '2026-10-05T00:00:00',
        '2026-10-11T23:59:59',
        '2026-11-16T00:00:00',
      ];
      for (const [n, date] of days.entries()) {
        const { id } = await memory.mama.save({ topic: `s:t${n}`, decision: `d${n}`, date });
        if (n > 1) await memory.mama.update({ id, outcome: 'failed', date });
      }
      await memory.mem.save({ title: 'noted', content: 'noted', date: days[0] });
      const weeks = await memory.activity();
      assert.deepEqual(
        weeks.periods.map(({ from, counts }) => [
          from,
          ...counts.map(({ kind, count }) => `${count} ${kind}`).sort(),
        ]),
        [
          ['2026-11-16', '1 decision', '1 outcome'],
          ['2026-10-05', '1 outcome', '2 decision'],
          ['2026-09-28', '1 decision', '1 observation'],
        ],
      );
      const months = await memory.activity({ byPeriod: 'month', kind: ['decision'], filter: 'scope:s' });
      assert.deepEqual(
        months.periods.map(({ from, total }) => [from, total]),
        [
          ['2026-11-01', 1],
          ['2026-10-01', 3],
        ],
      );
      for (const filter of [
        undefined,
        'kind:decision',
        'since:2026-10-05',
        'outcome:failed',
        'until:2026-09-01',
      ]) {
        const { entries } = await memory.timeline({ ...(filter && { filter }), limit: 1_000 });
        for (const byPeriod of ['day', 'week', 'month'] as const) {
          const { total, happened } = await memory.activity({ ...(filter && { filter }), byPeriod });
          assert.equal(total, entries.length, `${filter} by ${byPeriod}`);
          assert.equal(
            happened.reduce((sum, { count }) => sum + count, 0),
            total,
          );
        }
      }
    });

    it('[U-3] counts by what happened as the log names it, and as of a day what had happened by then', async () => {
      const memory = await engine.openFast({ clock: () => BEGINNING + 240 * DAY });
      await memory.import(await listedLines());
      for (const filter of ['', 'scope:auth', 'kind:decision', 'since:2026-03-01']) {
        const asked = filter === '' ? {} : { filter };
        const { entries } = await memory.timeline({ ...asked, limit: 1_000 });
        const named = Map.groupBy(entries, ({ kind, what }) => `${kind} ${what}`);
        const { happened } = await memory.activity(asked);
        assert.deepEqual(
          happened.map(({ kind, what, count }) => `${kind} ${what}: ${count}`).sort(),
          [...named].map(([name, those]) => `${name}: ${those.length}`).sort(),
          filter,
        );
        assert.deepEqual(
          happened.map(({ count }) => count),
          happened.map(({ count }) => count).sort((a, b) => b - a),
        );
      }
      const { total } = await memory.activity();
      const { total: then } = await memory.activity({ asOf: new Date(BEGINNING + 20 * DAY).toISOString() });
      assert(then > 0 && then < total, `${then} of ${total}`);
    });

    it('[U-3] of nothing there is none, and a period is one that it knows', async () => {
      const memory = await engine.open({ clock });
      assert.deepEqual((await memory.activity()).periods, []);
      await refuses(memory.activity({ byPeriod: 'year' as 'week' }), 'invalid', 'day, week, month');
    });
  });
}
