/**
 * The latest date that comes from elsewhere, in milliseconds UTC, in the year 144683: as far above it a `Date` can still be
 * what follows, as a next outcome does (Y-6).
 */
export const LATEST = 2 ** 52;

/** A moment as results have it: ISO 8601, UTC. One that no date can hold, in a memory that was tampered with, ends no answer. */
export function iso(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? 'unknown' : date.toISOString();
}

/** The day of a moment in a result, in the time zone of this machine: "2026-11-02". */
export function dayOf(moment: string): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return moment;
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Characters of a day as it is written. */
export const DAY_LENGTH = 10;

/** Whether this is a day of the calendar, written as "2027-03-01". */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}
