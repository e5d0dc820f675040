/** Periods by which what happened can be counted. Weeks begin on Monday. */
export const PERIODS = ['day', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/**
 * The beginnings of the periods from one moment to another, in milliseconds UTC, the first not after `from`. They are those
 * of the calendar and the time zone of this machine: a day in which clocks change is not different.
 */
export function beginningsOf(period: Period, from: number, to: number): number[] {
  const first = new Date(from);
  const [year, month, day] = [first.getFullYear(), first.getMonth(), first.getDate()];
  const monday = day - ((first.getDay() + 6) % 7);
  const nth = {
    day: (n: number) => new Date(year, month, day + n),
    week: (n: number) => new Date(year, month, monday + 7 * n),
    month: (n: number) => new Date(year, month + n, 1),
  }[period];
  const beginnings: number[] = [];
  for (let n = 0; nth(n).getTime() <= to; n++) beginnings.push(nth(n).getTime());
  return beginnings;
}
