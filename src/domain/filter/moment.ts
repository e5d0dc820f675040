import { invalid } from '../error.ts';

/** A span of time in milliseconds UTC: from its first moment to the first after it. A moment is as long as nothing. */
export interface Span {
  from: number;
  to: number;
}

type Unit = 'hour' | 'day' | 'week' | 'month' | 'year';

const UNITS: [RegExp, Unit][] = [
  [/^(?:h|hours?|시간)$/, 'hour'],
  [/^(?:d|days?|일)$/, 'day'],
  [/^(?:w|weeks?|주일?)$/, 'week'],
  [/^(?:mo?|months?|개월|달)$/, 'month'],
  [/^(?:y|years?|년)$/, 'year'],
];
const LENGTH = /^(\d{1,4})\s*(\p{L}+)$/u;
const AGO = /\s*(?:ago|전)$/;
const DAYS = new Map([
  ['today', 0],
  ['yesterday', 1],
  ['오늘', 0],
  ['어제', 1],
  ['그제', 2],
  ['그저께', 2],
]);
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
/** Also by their usual beginnings. */
const WEEKDAY =
  /^(?:sun(?:day)?|mon(?:day)?|tue(?:s|sday)?|wed(?:s|nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?)$/;
const WEEKDAY_IN_KOREAN = /^([일월화수목금토])요일$/;
/** A week, a month or a year as a whole, and how many of them ago. */
const WHOLE = new Map<string, [Exclude<Unit, 'hour'>, ago: number]>([
  ['this week', ['week', 0]],
  ['this month', ['month', 0]],
  ['this year', ['year', 0]],
  ['이번 주', ['week', 0]],
  ['이번주', ['week', 0]],
  ['금주', ['week', 0]],
  ['이번 달', ['month', 0]],
  ['이번달', ['month', 0]],
  ['올해', ['year', 0]],
  ['last week', ['week', 1]],
  ['last month', ['month', 1]],
  ['last year', ['year', 1]],
  ['지난주', ['week', 1]],
  ['지난 주', ['week', 1]],
  ['지난달', ['month', 1]],
  ['지난 달', ['month', 1]],
  ['작년', ['year', 1]],
  ['지난해', ['year', 1]],
]);
const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;
const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?$/i;

/**
 * The time that a person names (U-3): a date or a part of one (`2026-10-01`, `2026-10`), a moment (ISO 8601; without an
 * offset it is local), a length of time before now (`2w`, `90d`, `2 weeks ago`, `2주 전`), `today`, `yesterday`,
 * `friday` or `fri` (the last one before today), `last week`, `this week`. Days and months are those of this machine's time zone.
 * @param now milliseconds UTC
 * @returns undefined for any other text
 */
export function readTime(text: string, now: number): Span | undefined {
  const said = text.trim().toLowerCase().replace(/\s+/g, ' ');
  const daysAgo = DAYS.get(said) ?? daysSince(said.replace(/^(?:last|지난) /, ''), now);
  if (daysAgo !== undefined) {
    const at = new Date(now);
    return dates(at.getFullYear(), at.getMonth(), at.getDate() - daysAgo, 'day');
  }
  const [whole, ago = 0] = WHOLE.get(said) ?? [];
  if (whole) {
    const at = new Date(now);
    const [year, month, day] = [at.getFullYear(), at.getMonth(), at.getDate()];
    if (whole !== 'week')
      return dates(year - (whole === 'year' ? ago : 0), whole === 'year' ? 0 : month - ago, 1, whole);
    // A week begins on Monday, as in ISO 8601; this one ends today.
    const monday = day - ((at.getDay() + 6) % 7);
    const last = ago > 0 ? monday - 1 : day;
    return { ...dates(year, month, monday - 7 * ago, 'day'), to: dates(year, month, last, 'day').to };
  }
  const [, count = '', word = ''] = LENGTH.exec(said.replace(AGO, '')) ?? [];
  const unit = UNITS.find(([pattern]) => pattern.test(word))?.[1];
  if (unit) return moment(before(now, Number(count), unit));
  return MOMENT.test(said) ? moment(exactly(said)) : date(said);
}

/** How many days ago a weekday was, which is never today; undefined for any other word. */
function daysSince(name: string, now: number): number | undefined {
  const inKorean = WEEKDAY_IN_KOREAN.exec(name)?.[1];
  const weekday = inKorean
    ? '일월화수목금토'.indexOf(inKorean)
    : WEEKDAY.test(name)
      ? WEEKDAYS.findIndex((each) => each.startsWith(name.slice(0, 3)))
      : -1;
  return weekday === -1 ? undefined : ((new Date(now).getDay() - weekday + 6) % 7) + 1;
}

/** The moment before which nothing happened for so long (`90d`), in milliseconds UTC. @throws PrecedentError `invalid` */
export function readLength(name: string, text: string, now: number): number {
  const [, count = '', word = ''] = LENGTH.exec(text.trim().toLowerCase()) ?? [];
  const unit = UNITS.find(([pattern]) => pattern.test(word))?.[1];
  const at = unit && before(now, Number(count), unit);
  if (at !== undefined) return at;
  throw invalid.wrong_time(
    `Expected "${name}" as a length of time, such as 90d, 12w or 6 months; found "${text}".`,
  );
}

/** {@link readTime}. @throws PrecedentError `invalid` */
export function requireTime(name: string, text: string, now: number): Span {
  const span = readTime(text, now);
  if (span) return span;
  throw invalid.wrong_time(
    `Expected "${name}" as a date (2026-10-01), a moment (2026-10-01T09:30), a length of time before now (2w, 90d, "2 weeks ago"), today, yesterday, "this week" or a weekday; found "${text}".`,
  );
}

function moment(at: number | undefined): Span | undefined {
  return at === undefined ? undefined : { from: at, to: at };
}

/** A date that the calendar has; undefined for 2026-02-30. */
function date(text: string): Span | undefined {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return undefined;
  const unit = day ? 'day' : month ? 'month' : 'year';
  const span = dates(Number(year), Number(month ?? 1) - 1, Number(day ?? 1), unit);
  const first = new Date(span.from);
  const isReal = first.getMonth() === Number(month ?? 1) - 1 && first.getDate() === Number(day ?? 1);
  return isReal ? span : undefined;
}

function dates(year: number, month: number, day: number, unit: 'day' | 'month' | 'year'): Span {
  const first = (count: number) =>
    new Date(
      year + (unit === 'year' ? count : 0),
      month + (unit === 'month' ? count : 0),
      day + (unit === 'day' ? count : 0),
    ).getTime();
  return { from: first(0), to: first(1) };
}

/** A moment written as ISO 8601; undefined when the calendar or the clock lacks it. */
function exactly(text: string): number | undefined {
  if (date(text.slice(0, 10)) === undefined) return undefined;
  const at = Date.parse(text.replace(' ', 'T').toUpperCase());
  return Number.isNaN(at) ? undefined : at;
}

/** So long before a moment, by the calendar: a month before March 31 is the last day of February. */
function before(now: number, count: number, unit: Unit): number | undefined {
  const at = new Date(now);
  if (unit === 'hour') at.setTime(now - count * 3_600_000);
  if (unit === 'day' || unit === 'week') at.setDate(at.getDate() - count * (unit === 'week' ? 7 : 1));
  if (unit === 'month' || unit === 'year') {
    const day = at.getDate();
    at.setDate(1);
    at.setMonth(at.getMonth() - count * (unit === 'year' ? 12 : 1));
    const length = new Date(at.getFullYear(), at.getMonth() + 1, 0).getDate();
    at.setDate(Math.min(day, length));
  }
  const then = at.getTime();
  // Before there were computers there was no memory: an index is asked for numbers that it can hold.
  return Number.isNaN(then) ? undefined : Math.max(0, then);
}
