const NUMBERS = ' one two three four five six seven eight nine ten eleven twelve'.split(' ');
const TENS = '  twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
/** A number in figures or as an English word, in lower case. */
const NUMBER = `\\d+(?:[.,]\\d+)*|(?:${[...NUMBERS.slice(2), ...TENS.slice(2)].join('|')})(?![a-z])`;
/** Counters and units of Korean, the longer first; what follows one of them is a particle. */
const KOREAN_UNIT = /^(?:시간|개월|퍼센트|초|분|일|주|달|년|번|회|개|명|장|건|원|배|대|줄|자)/;
/** Words that follow a number and are no unit. */
const NO_UNIT = /^(?:and|or|of|to|in|on|at|by|per|for|as|is|are|the|a|from|with|than)$/;
const SPELLINGS = new Map(
  Object.entries({
    ...{ sec: 'second', min: 'minute', hr: 'hour', h: 'hour', s: 'second', m: 'minute' },
    ...{ ms: 'millisecond', msec: 'millisecond' },
  }),
);

/**
 * A number of a text, and what it measures: times in seconds, sizes in bytes; `counted` before another word, none if it stands
 * alone.
 */
export interface Value {
  number: string;
  unit: string | undefined;
}

/** The unit that others of its sort are converted to, by what {@link unitOf} calls them. */
const MEASURES = new Map(
  Object.entries({
    second:
      'millisecond=0.001 밀리초=0.001 second=1 초=1 minute=60 분=60 hour=3600 시간=3600 day=86400 일=86400 week=604800 ' +
      '주=604800 month=2592000 개월=2592000 달=2592000 year=31536000 년=31536000',
    byte:
      'byte=1 바이트=1 kb=1024 kib=1024 mb=1048576 mib=1048576 gb=1073741824 gib=1073741824 tb=1099511627776 ' +
      'tib=1099511627776',
    '%': '%=1 퍼센트=1 percent=1 프로=1',
    counted: 'k=1000 thousand=1000 million=1000000 천=1000 만=10000 억=100000000',
  }).flatMap(([unit, all]) =>
    all.split(' ').map((each) => {
      const [name = '', factor] = each.split('=');
      return [name, { unit, factor: Number(factor) }] as const;
    }),
  ),
);
/** Numbers written as words, which only mean a number next to what is counted. */
const COUNTED = ' 한 두 세 네 다섯 여섯 일곱 여덟 아홉 열'.split(' ');
const VALUE = new RegExp(
  `(?<![\\p{L}\\p{N}.])(?:v?(${NUMBER})|(${COUNTED.slice(1).join('|')})(?=\\s?(?:[명개번회건장대]|시간|달|주일)))[ -]?(%|[a-z]{1,12}|[가-힣]{1,8})?`,
  'gu',
);
/** A name that ends in a version: node20, python3.12, sha256. */
const NUMBERED_NAME = /(?<![\p{L}\p{N}])([a-z]+)(\d+(?:\.\d+)*)(?![\p{L}\p{N}])/gu;
/** Spans of time without a number. */
const SPANS: readonly [RegExp, string][] = [
  [/(\d):00\b/g, '$1'],
  [/\bhalf an hour\b|반\s?시간/g, '30 minutes'],
  [/\bhalf a (?:minute|min)\b|반\s?분/g, '30 seconds'],
  [/\bhalf a second\b/g, '500 ms'],
  [/\b(?:a|one) fifth\b/g, '20 percent'],
  [/\b(?:an?|one)(?: (?:whole|full|single))? (hour|minute|day|week)\b/g, '1 $1'],
  [/하루/g, '1일'],
  [/일주일/g, '7일'],
];

/** The numbers of a text: 10 minutes, ten minutes, 10분, Node 20, node20, 두 명. A rate, "100 requests a minute", has one. */
export function valuesIn(text: string): Value[] {
  const plain = SPANS.reduce((all, [span, number]) => all.replace(span, number), text.toLowerCase());
  const named = [...plain.matchAll(NUMBERED_NAME)].map(([number, unit]) => ({ number, unit }));
  const values = [...plain.matchAll(VALUE)].map(([, number, counted, after = '']) => {
    const name = /^[만천억]|^바이트/.exec(after)?.[0] ?? unitOf(after);
    const amount = counted ? String(COUNTED.indexOf(counted)) : numberOf(number ?? '');
    const measure = MEASURES.get(name ?? '');
    if (!measure) return { number: amount, unit: name && 'counted' };
    return { number: String(Math.round(Number(amount) * measure.factor * 1e3) / 1e3), unit: measure.unit };
  });
  return [...values, ...named];
}

/** Whether a number is among others, in the same unit; one that stands alone is in any. */
export const hasValue = (values: readonly Value[], { number, unit }: Value): boolean =>
  values.some(
    (each) => each.number === number && (each.unit === unit || each.unit === undefined || unit === undefined),
  );

/** The unit that a word after a number is, in the singular. */
function unitOf(after: string): string | undefined {
  if (after === '%') return after;
  if (!/^[a-z]/.test(after)) return KOREAN_UNIT.exec(after)?.[0];
  if (NO_UNIT.test(after)) return undefined;
  const single = after.length > 3 ? after.replace(/s$/, '') : after;
  return SPELLINGS.get(single) ?? SPELLINGS.get(single.replace(/s$/, '')) ?? single;
}

/** A {@link NUMBER} in figures. */
function numberOf(amount: string): string {
  const [ones, tens] = [NUMBERS.indexOf(amount), TENS.indexOf(amount)];
  if (ones > 0) return String(ones);
  return tens > 0 ? String(10 * tens) : amount.replaceAll(',', '');
}

/** Whether a text has values of a unit that others have, and none of theirs. */
export function differs(values: readonly Value[], others: readonly Value[]): boolean {
  const own = Map.groupBy(values, sortOf);
  const theirs = new Set(others.map(sortOf));
  return [...own].some(([sort, of]) => theirs.has(sort) && !of.some((each) => hasValue(others, each)));
}
const sortOf = ({ unit = 'counted' }: Value) => unit;
