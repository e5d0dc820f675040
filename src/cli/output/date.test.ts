import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shownDate } from './date.ts';

describe('[U-9] dates', () => {
  const now = new Date(2026, 10, 22, 14, 30);
  const local = (...parts: [number, number, number, number?, number?]) => new Date(...parts).toISOString();
  for (const [iso, shown] of [
    [local(2026, 10, 22, 9, 5), 'today 09:05'],
    [local(2026, 10, 21, 23, 59), 'yesterday 23:59'],
    [local(2026, 10, 20), '2026-11-20 (2 days ago)'],
    [local(2026, 9, 31), '2026-10-31 (3 weeks ago)'],
    [local(2026, 7, 1), '2026-08-01 (4 months ago)'],
    [local(2023, 10, 22), '2023-11-22 (3 years ago)'],
    [local(2026, 10, 23, 8), '2026-11-23 08:00'],
  ] as const) {
    it(`are local: ${shown}`, () => assert.equal(shownDate(iso, now), shown));
  }
});
