const DAY = 86_400_000;

/** Units of the past, the largest first: from how many days on, and how many days they have. */
const UNITS = [
  { name: 'year', from: 730, days: 365 },
  { name: 'month', from: 61, days: 30.4 },
  { name: 'week', from: 14, days: 7 },
  { name: 'day', from: 2, days: 1 },
] as const;

/**
 * A moment as a person reads it, in the time of this place: `today 14:02`, `yesterday 09:30`, `2026-10-31 (3 weeks ago)`.
 * @param iso ISO 8601
 */
export function shownDate(iso: string, now: Date): string {
  const then = new Date(iso);
  // A row that was tampered with may say a date that no date can hold: it is "unknown".
  if (Number.isNaN(then.getTime())) return iso;
  const days = Math.round((midnight(now) - midnight(then)) / DAY);
  const [date, time] = [dayOf(then), timeOf(then)];
  if (days === 0) return `today ${time}`;
  if (days === 1) return `yesterday ${time}`;
  const unit = UNITS.find(({ from }) => days >= from);
  if (!unit) return `${date} ${time}`;
  const count = Math.round(days / unit.days);
  return `${date} (${count} ${unit.name}${count === 1 ? '' : 's'} ago)`;
}

/** A moment in a column of them, in the time of this place: `2026-10-31 14:02`. @param iso ISO 8601 */
export function localTime(iso: string): string {
  const then = new Date(iso);
  if (Number.isNaN(then.getTime())) return iso;
  return `${dayOf(then)} ${timeOf(then)}`;
}

function dayOf(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function timeOf(date: Date): string {
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
