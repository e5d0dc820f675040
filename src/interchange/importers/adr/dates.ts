import { isObject } from '../values.ts';
import { filled } from './fields.ts';
import { folded } from './words.ts';

/** Year, month and day: with hyphens, slashes, dots, or in Korean, Japanese or Chinese. */
const DAY =
  /^(\d{4})(?:[-/]|\. ?|[년年] ?)(\d{1,2})(?:[-/]|\. ?|[월月] ?)(\d{1,2})(?=$|[T .일日,;(])[.일日]?/;
/** `2022-09`: the day is not said. */
const MONTH = /^(\d{4})-(\d\d)$/;
/** `22.06.2020`: with dots the day is always first. */
const GERMAN = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})\b/;
/** `22 June 2020`, `June 22nd, 2020`, `June 2020`. */
const WORDS =
  /^(?:[a-z]+day,? )?(?:(\d{1,2})(?:st|nd|rd|th)?\.?(?: of)?[ -])?([a-z]{3,9})[.,]?[ -](?:(\d{1,2})(?:st|nd|rd|th)?,? )?(\d{4})\b/;
const TIMED = /^[\d-]+[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)? ?(?:Z|[+-]\d\d:?\d\d)?$/;
/** The maximum length of a date with any text after it. */
const LONGEST_DATE = 200;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The date of a record in milliseconds UTC; undefined if it is ambiguous or unreadable. */
export function dateOf(value: unknown): number | undefined {
  if (value instanceof Date) return value.getTime();
  // YAML takes `{2024-05-06}` for a map.
  const [only = '', ...more] = isObject(value) ? Object.keys(value) : [];
  const written = more.length > 0 ? '' : only || String(value ?? '').replace(/^\{([\d-]+)\}$/, '$1');
  const text = (filled(written) ?? '').slice(0, LONGEST_DATE).replace(/^[`*_"']+|[`*_"']+$/g, '');
  const [, year, month, day] = DAY.exec(text) ?? [...(MONTH.exec(text) ?? inWords(text) ?? []), '1'];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const plain = [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
  const whole = text.replace(DAY, plain);
  // The text after the day may be something other than a time.
  return isoDay(plain) === undefined || !TIMED.test(whole) ? isoDay(plain) : Date.parse(whole);
}

/** The date at the beginning of a file name, as in log4brains: `20260131-use-redis`. */
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

/** Characters of a line that is nothing but a date. */
const ALONE = 24;

/** Whether a line is nothing but a date. */
export const isDay = (line: string): boolean => line.length <= ALONE && dateOf(line) !== undefined;

/** A date that exists: not the 31st of a month of 30 days. */
function isoDay(text: string): number | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? undefined : at;
}

/** `26/03/2018`, `03-26-2018`: which is the day, only other dates tell. */
const EITHER = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})\b/;

/**
 * Dates of records that could not be read alone: one whose first number can only be a day settles the order for all of them,
 * as long as none can only be a month first (I-1).
 * @param written what is written in the place of the date
 * @returns what reads such a date; undefined where the order is open
 */
export function dateReader(written: string[]): (text: string) => number | undefined {
  const all = written.flatMap((text) => {
    const [, one, two] = EITHER.exec(text.trim()) ?? [];
    return one === undefined ? [] : [[Number(one), Number(two)] as const];
  });
  const isDayFirst = all.some(([one]) => one > 12);
  const isMonthFirst = all.some(([, two]) => two > 12);
  return (text) => {
    const [, one = '', two = '', year = ''] = EITHER.exec(text.trim()) ?? [];
    if (year === '' || isDayFirst === isMonthFirst) return undefined;
    const [day, month] = isDayFirst ? [one, two] : [two, one];
    return isoDay([year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'));
  };
}
