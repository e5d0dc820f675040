import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTime } from './moment.ts';

/** A moment in this machine's time zone: months count from 1. */
const at = (year: number, month: number, day: number, hour = 0, minute = 0) =>
  new Date(year, month - 1, day, hour, minute).getTime();
const NOW = at(2026, 3, 31, 9, 30);
const from = (text: string) => readTime(text, NOW)?.from;

describe('a time as a person names it', () => {
  it('[U-3] is so long before now by the calendar', () => {
    for (const [text, expected] of [
      ['2 weeks ago', at(2026, 3, 17, 9, 30)],
      ['2w', at(2026, 3, 17, 9, 30)],
      ['2주 전', at(2026, 3, 17, 9, 30)],
      ['90d', at(2025, 12, 31, 9, 30)],
      ['1 month ago', at(2026, 2, 28, 9, 30)],
      ['1m', at(2026, 2, 28, 9, 30)],
      ['3개월 전', at(2025, 12, 31, 9, 30)],
      ['1 year', at(2025, 3, 31, 9, 30)],
      ['36 hours ago', NOW - 36 * 3_600_000],
      ['9999y', 0],
    ] as const)
      assert.equal(from(text), expected, text);
  });

  it('[U-3] is a day, a month or a year as a whole: until means to its end', () => {
    assert.deepEqual(readTime('yesterday', NOW), { from: at(2026, 3, 30), to: at(2026, 3, 31) });
    assert.deepEqual(readTime('오늘', NOW), { from: at(2026, 3, 31), to: at(2026, 4, 1) });
    assert.deepEqual(readTime('2026-02', NOW), { from: at(2026, 2, 1), to: at(2026, 3, 1) });
    assert.deepEqual(readTime('2024-02-29', NOW), { from: at(2024, 2, 29), to: at(2024, 3, 1) });
    assert.deepEqual(readTime('2025', NOW), { from: at(2025, 1, 1), to: at(2026, 1, 1) });
  });

  it('[TR-8] is a week, a month or a year that is not over yet, and a day by its short or Korean name', () => {
    // NOW is a Tuesday.
    for (const text of ['this week', '이번 주', '이번주'])
      assert.deepEqual(readTime(text, NOW), { from: at(2026, 3, 30), to: at(2026, 4, 1) }, text);
    for (const text of ['last week', '지난주'])
      assert.deepEqual(readTime(text, NOW), { from: at(2026, 3, 23), to: at(2026, 3, 30) }, text);
    assert.deepEqual(readTime('지난달', NOW), { from: at(2026, 2, 1), to: at(2026, 3, 1) });
    assert.deepEqual(readTime('last month', at(2026, 1, 15)), { from: at(2025, 12, 1), to: at(2026, 1, 1) });
    assert.deepEqual(readTime('작년', NOW), { from: at(2025, 1, 1), to: at(2026, 1, 1) });
    for (const text of ['this month', '이번 달']) assert.equal(from(text), at(2026, 3, 1), text);
    for (const text of ['this year', '올해']) assert.equal(from(text), at(2026, 1, 1), text);
    for (const text of ['mon', 'Mon', 'monday', 'last mon', '월요일', '어제'])
      assert.equal(from(text), at(2026, 3, 30), text);
    for (const text of ['tue', 'tues']) assert.equal(from(text), at(2026, 3, 24), text);
    assert.equal(from('그제'), at(2026, 3, 29));
    for (const text of ['mo', 'monster', '요일', 'this day']) assert.equal(from(text), undefined, text);
  });

  it('[U-3] is a weekday: the last one before today', () => {
    assert.equal(new Date(NOW).getDay(), 2, 'a Tuesday');
    const day = (month: number, date: number) => ({
      from: at(2026, month, date),
      to: at(2026, month, date + 1),
    });
    for (const said of ['friday', 'Last Friday', '금요일', '지난 금요일'])
      assert.deepEqual(readTime(said, NOW), day(3, 27), said);
    assert.deepEqual(readTime('monday', NOW), day(3, 30));
    assert.deepEqual(readTime('화요일', NOW), day(3, 24));
    assert.deepEqual(readTime('wednesday', NOW), day(3, 25));
  });

  it('[U-3] is a moment, local without an offset', () => {
    assert.equal(from('2026-03-01T10:15'), at(2026, 3, 1, 10, 15));
    assert.equal(from('2026-03-01 10:15'), at(2026, 3, 1, 10, 15));
    assert.equal(from('2026-03-01T10:15:00Z'), Date.UTC(2026, 2, 1, 10, 15));
    assert.equal(from('2026-03-01T10:15:00.5+09:00'), Date.UTC(2026, 2, 1, 1, 15) + 500);
  });

  it('is nothing else', () => {
    for (const text of [
      '',
      'soon',
      'last yesterdays',
      'constructor',
      '2026-13',
      '2026-02-30',
      '2026-02-30T10:00',
      '2026-02-03T25:00',
      '3 moons ago',
      '-2w',
    ])
      assert.equal(readTime(text, NOW), undefined, text);
  });
});
