import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayOf, iso } from '../text/moment.ts';
import { beginningsOf, PERIODS } from './periods.ts';

const dateOf = (beginning: number) => dayOf(iso(beginning));

describe('[U-3] periods of the calendar', () => {
  const at = (text: string) => new Date(text).getTime();

  it('weeks begin on Monday', () => {
    const weeks = beginningsOf('week', at('2026-11-22T10:00'), at('2026-12-01T00:00'));
    assert.deepEqual(weeks.map(dateOf), ['2026-11-16', '2026-11-23', '2026-11-30']);
  });

  it('days and months follow the calendar', () => {
    const days = beginningsOf('day', at('2026-02-27T23:59'), at('2026-03-01T00:00'));
    assert.deepEqual(days.map(dateOf), ['2026-02-27', '2026-02-28', '2026-03-01']);
    const months = beginningsOf('month', at('2026-11-30T10:00'), at('2027-01-31T10:00'));
    assert.deepEqual(months.map(dateOf), ['2026-11-01', '2026-12-01', '2027-01-01']);
  });

  it('each moment is in exactly one, whenever clocks change', () => {
    for (const period of PERIODS) {
      const [from, to] = [at('2026-01-15T12:00'), at('2026-12-15T12:00')];
      const all = beginningsOf(period, from, to);
      assert.ok((all[0] as number) <= from && (all.at(-1) as number) <= to);
      for (const [index, each] of all.entries()) {
        const date = new Date(each);
        assert.deepEqual([date.getHours(), date.getMinutes()], [0, 0]);
        assert.ok(index === 0 || each > (all[index - 1] as number));
      }
    }
  });
});
