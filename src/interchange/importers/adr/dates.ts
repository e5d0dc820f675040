import { filled } from './fields.ts';
import { folded } from './words.ts';

/** A year, a month and a day as people write them: with hyphens, strokes, points, or in Korean, Japanese or Chinese. */
const DAY =
  /^(\d{4})(?:[-/]|\. ?|[년年] ?)(\d{1,2})(?:[-/]|\. ?|[월月] ?)(\d{1,2})(?=$|[T .일日,;(])[.일日]?/;
/** `22.06.2020`: points are never between a month and its day. */
const GERMAN = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})\b/;
/** `22 June 2020`, `June 22nd, 2020`, `June 2020`. */
const WORDS =
  /^(?:[a-z]+day,? )?(?:(\d{1,2})(?:st|nd|rd|th)?\.?(?: of)?[ -])?([a-z]{3,9})\.?[ -](?:(\d{1,2})(?:st|nd|rd|th)?,? )?(\d{4})\b/;
const TIMED = /^[\d-]+[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)? ?(?:Z|[+-]\d\d:?\d\d)?$/;
/** Characters of a date, with all that may stand behind it. */
const LONGEST = 200;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** A date as a record has it, in milliseconds UTC; undefined where it cannot be read for certain. */
export function dateOf(value: unknown): number | undefined {
  if (value instanceof Date) return value.getTime();
  const text = (filled(value) ?? '').slice(0, LONGEST).replace(/^[`*_"']+|[`*_"']+$/g, '');
  const [, year, month, day] = DAY.exec(text) ?? inWords(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const plain = [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
  const whole = text.replace(DAY, plain);
  // What stands behind the day need not be a time.
  return isoDay(plain) === undefined || !TIMED.test(whole) ? isoDay(plain) : Date.parse(whole);
}

/** The date that a file begins with, as log4brains names them: `20260131-use-redis`. */
export const dateOfName = (stem: string): number | undefined =>
  isoDay(stem.replace(/^(\d{4})-?([01]\d)-?([0-3]\d)(?!\d).*$/, '$1-$2-$3'));

function inWords(text: string): string[] | undefined {
  const [, day, month, year] = GERMAN.exec(text) ?? [];
  if (year !== undefined) return ['', year, month ?? '', day ?? ''];
  const [, before, name = '', behind, inYear] = WORDS.exec(folded(text)) ?? [];
  const index = MONTHS.indexOf(name.slice(0, 3));
  return index < 0 || inYear === undefined
    ? undefined
    : ['', inYear, String(index + 1), before ?? behind ?? '1'];
}

/** A day that there was: not the 31st of a month of 30 days. */
function isoDay(text: string): number | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? undefined : at;
}
