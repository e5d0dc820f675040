import { STRENGTHS } from '../decision.ts';
import { invalid } from '../error.ts';
import { OUTCOME_FILTERS, outcomeSaid } from '../outcome.ts';
import { bothFilters, type Filter, FLAG_KEYS, FLAGS, LISTED_KINDS, STATES } from './filter.ts';
import { readLength, readTime, requireTime } from './moment.ts';
import { didYouMean, mistyped } from './near.ts';

/** A part of a filter: `key:value`, or words. */
interface Part {
  key: string | undefined;
  value: string;
  isQuoted: boolean;
}

/** `key:value`, `key:"a value"`, `"some words"` or a word. A quotation that is not ended goes to the end. */
const PART = /(?:([\p{L}-]+):)?"([^"]*)(?:"|$)|(\S+)/gu;
const KEY = /^([\p{L}-]+):(.*)$/su;

/** Values as people say them in Korean. */
const KOREAN = new Map(
  Object.entries({
    ...{ 결정: 'decision', 결과: 'outcome', 증거: 'evidence', 노트: 'observation', 메모: 'memo' },
    ...{ 체크포인트: 'checkpoint', 잠금: 'lock', 규칙: 'lock', 일반: 'normal' },
    ...{ 유효: 'active', 철회: 'withdrawn', 대체: 'superseded', 전부: 'any', 실수: 'mistaken' },
  }),
);

/** The one of these values that a person means, in the plural or in Korean, too; undefined for none. */
function chosen<Value extends string>(value: string, choices: readonly Value[]): Value | undefined {
  const folded = (KOREAN.get(value.normalize('NFC')) ?? value).toLowerCase();
  return choices.find((each) => each === folded || `${each}s` === folded);
}

const choice = <Value extends string>(key: string, value: string, choices: readonly Value[]): Value => {
  const found = chosen(value, choices);
  if (found !== undefined) return found;
  throw invalid.wrong_filter(
    `Expected "${key}:" with one of ${choices.join(', ')}; found "${value}".${didYouMean(value, choices)}`,
  );
};

/** The values after `is:`. */
const STATED: Record<string, Filter> = {
  pending: { outcome: 'pending' },
  ...Object.fromEntries(FLAG_KEYS.map((key) => [FLAGS[key].word, { [key]: true }])),
  mistaken: { state: 'mistaken' },
};

/** The values of the keys that have few. */
const CHOICES = {
  outcome: OUTCOME_FILTERS,
  strength: STRENGTHS,
  state: STATES,
  kind: LISTED_KINDS,
  is: Object.keys(STATED),
} satisfies Record<string, readonly string[]>;

/** The part of a filter that a word is the value of: 실패 is `outcome:failed`; undefined for any other word. */
export function partMeant(word: string, now: number): string | undefined {
  const said = outcomeSaid(word);
  for (const [key, choices] of Object.entries(CHOICES)) {
    const value = chosen(said, choices as readonly string[]);
    if (value !== undefined) return `${key}:${value}`;
  }
  return readTime(word, now) && `since:${/\s/.test(word) ? `"${word}"` : word}`;
}

type Read = (value: string, now: number) => Filter;

/** The reader of the value after each key. */
const KEYS = {
  scope: (scope) => ({ scope }),
  topic: (topic) => ({ topic }),
  by: (by) => ({ by }),
  author: (by) => ({ by }),
  via: (via) => ({ via }),
  session: (session) => ({ session }),
  branch: (branch) => ({ branch }),
  project: (project) => ({ project }),
  type: (type) => ({ type }),
  kind: (value) => ({ kinds: value.split(',').map((each) => choice('kind', each, CHOICES.kind)) }),
  outcome: (value) => ({ outcome: choice('outcome', outcomeSaid(value), CHOICES.outcome) }),
  strength: (value) => ({ strength: choice('strength', value, CHOICES.strength) }),
  state: (value) => ({ state: choice('state', value, CHOICES.state) }),
  since: (value, now) => ({ since: requireTime('since', value, now).from }),
  until: (value, now) => ({ until: requireTime('until', value, now).to }),
  stale: (value, now) => ({ stale: readLength('stale', value, now) }),
  is: (value) => {
    const outcome = OUTCOME_FILTERS.find(
      (each) => each === value.toLowerCase() && !Object.hasOwn(STATED, each),
    );
    if (outcome === undefined) return STATED[choice('is', value, CHOICES.is)] ?? {};
    throw invalid.wrong_filter(
      `Expected an outcome after "outcome:", found it after "is:". Did you mean "outcome:${outcome}"?`,
    );
  },
} satisfies Record<string, Read>;

/** A key of a filter; `author` is another name of `by`. */
export type FilterWord = Exclude<keyof typeof KEYS, 'author'>;

/**
 * Reads a filter as a person writes it (U-4): `scope:auth by:kim since:"2 weeks ago" outcome:failed kind:decision,outcome
 * is:debated some words`. A text without a known key before its colon is words, such as `auth:token`; so is a quoted one.
 * @param now milliseconds UTC
 * @throws PrecedentError `invalid` for a key or a value that is nearly one, an invalid date, the same key twice
 */
export function parseFilter(text: string, now: number): Filter {
  const words: string[] = [];
  let filter: Filter = {};
  for (const { key, value, isQuoted } of partsOf(text)) {
    const read =
      key !== undefined && Object.hasOwn(KEYS, key) ? (KEYS as Record<string, Read>)[key] : undefined;
    if (read && value.trim() === '')
      throw invalid.wrong_filter(`Expected something after "${key}:", found nothing.`);
    if (read) filter = merged(filter, read(value.trim(), now), key as string);
    else {
      if (key !== undefined && !isQuoted) refuseNear(key, value);
      words.push(key === undefined ? value : `${key}:${value}`);
    }
  }
  const said = words.join(' ').trim();
  return said === '' ? filter : { ...filter, words: said };
}

/**
 * Words of a command line as one filter: a word with blanks in it is a quotation, since the shell took its marks; one
 * that holds further keys is a filter, quoted as a whole.
 */
export function filterOf(words: string[]): string {
  return words
    .map((word) => {
      const [, ...further] = word.trim().split(/\s+/);
      if (further.length === 0 || word.includes('"') || further.some(isPart)) return word;
      const [, key, value] = KEY.exec(word) ?? [];
      return isPart(word) ? `${key}:"${value}"` : `"${word}"`;
    })
    .join(' ');
}

/** Whether a word is `key:value`, with a key that filters have. */
export function isPart(word: string): boolean {
  const [, key = ''] = KEY.exec(word) ?? [];
  return Object.hasOwn(KEYS, key.toLowerCase());
}

/** The parts of a filter as they were written, by key. */
export function writtenParts(text: string): Record<string, string> {
  const parts = partsOf(text).flatMap(({ key, value }) =>
    key !== undefined && Object.hasOwn(KEYS, key) ? [[key, value] as const] : [],
  );
  return Object.fromEntries(parts);
}

/** A text with a colon and no key of filters: it is words, as a topic is. */
export function lookedForAsWords(text: string): string | undefined {
  const other = partsOf(text).find(
    ({ key, isQuoted }) => key !== undefined && !isQuoted && !Object.hasOwn(KEYS, key),
  );
  if (other === undefined) return undefined;
  const { key, value } = other;
  return `"${key}:" is not a filter, so "${key}:${value}" was looked for as words. Filters are ${Object.keys(KEYS).join(':, ')}:.`;
}

function partsOf(text: string): Part[] {
  return [...text.matchAll(PART)].map(([, quotedKey, quoted, bare = '']) => {
    if (quoted !== undefined) return { key: quotedKey?.toLowerCase(), value: quoted, isQuoted: true };
    const [, key, value = ''] = KEY.exec(bare) ?? [];
    return { key: key?.toLowerCase(), value: key === undefined ? bare : value, isQuoted: false };
  });
}

/** Several kinds may be given one by one; all else once. */
function merged(filter: Filter, added: Filter, key: string): Filter {
  if (filter.kinds && added.kinds) return { ...filter, kinds: [...filter.kinds, ...added.kinds] };
  const [field] = Object.keys(added) as (keyof Filter)[];
  if (field && filter[field] !== undefined)
    throw invalid.wrong_filter(`Expected "${key}:" once, found it twice.`);
  return bothFilters(filter, added);
}

function refuseNear(key: string, value: string): void {
  // A short word before a colon is rather the beginning of a topic.
  const near = key.length < 4 ? undefined : mistyped(key, Object.keys(KEYS));
  if (near === undefined) return;
  throw invalid.wrong_filter(
    `Expected one of ${Object.keys(KEYS).join(':, ')}: before a colon, found "${key}:". Did you mean "${near}:${value}"? Put words that have a colon in quotation marks.`,
  );
}
