const NUMBERS = ' one two three four five six seven eight nine ten eleven twelve'.split(' ');
const TENS = '  twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
/** A number in figures or as an English word, in lower case. */
const NUMBER = `\\d+(?:[.,]\\d+)*|(?:${[...NUMBERS.slice(2), ...TENS.slice(2)].join('|')})(?![a-z])`;
/** Counters and units of Korean, the longer first; what follows one of them is a particle. */
const KOREAN_UNIT = /^(?:시간|개월|퍼센트|초|분|일|주|달|년|번|회|개|명|장|건|원|배|대|줄|자)/;
/** What follows a number and is not a unit. */
const NO_UNIT = /^(?:and|or|of|to|in|on|at|by|per|for|as|is|are|the|a|from|with|than)$/;
const SPELLINGS = new Map(
  Object.entries({ sec: 'second', min: 'minute', hr: 'hour', h: 'hour', s: 'second', m: 'minute' }),
);

/** A number of a text and its unit, if that is one of time, size or share. Times are in seconds. */
export interface Value {
  number: string;
  unit: string | undefined;
}

/** Seconds of the units of time, by what {@link unitOf} calls them. */
const SECONDS: Readonly<Record<string, number>> = {
  ...{
    ms: 1e-3,
    millisecond: 1e-3,
    밀리초: 1e-3,
    second: 1,
    초: 1,
    minute: 60,
    분: 60,
    hour: 3600,
    시간: 3600,
  },
  ...{
    day: 86_400,
    일: 86_400,
    week: 604_800,
    주: 604_800,
    month: 2_592_000,
    개월: 2_592_000,
    달: 2_592_000,
  },
  ...{ year: 31_536_000, 년: 31_536_000 },
};
const OTHER_UNITS = new Map(
  '% 퍼센트=% percent=% kb mb gb tb'.split(' ').map((each) => {
    const [name = '', unit = name] = each.split('=');
    return [name, unit] as const;
  }),
);
/** Numbers written as words, which only mean a number next to what is counted. */
const COUNTED = ' 한 두 세 네 다섯 여섯 일곱 여덟 아홉 열'.split(' ');
const VALUE = new RegExp(
  `(?<![\\p{L}\\p{N}.])(?:v?(${NUMBER})|(${COUNTED.slice(1).join('|')})(?=\\s?(?:[명개번회건장대]|시간|달|주일)))[ -]?(%|[a-z]{1,12}|[가-힣]{1,8})?`,
  'gu',
);
/** Spans of time without a number. */
const SPANS: readonly [RegExp, string][] = [
  [/(\d):00\b/g, '$1'],
  [/\bhalf an hour\b|반\s?시간/g, '30 minutes'],
  [/\bhalf a second\b/g, '500 ms'],
  [/\b(?:an?|one)(?: (?:whole|full|single))? (hour|minute|day|week)\b/g, '1 $1'],
  [/하루/g, '1일'],
  [/일주일/g, '7일'],
];

/** The numbers of a text: 10 minutes, ten minutes, 10분, Node 20, 두 명. A rate, "100 requests a minute", has one. */
export function valuesIn(text: string): Value[] {
  const plain = SPANS.reduce((all, [span, number]) => all.replace(span, number), text.toLowerCase());
  return [...plain.matchAll(VALUE)].map(([, number, counted, after = '']) => {
    const unit = unitOf(after) ?? '';
    const amount = counted ? String(COUNTED.indexOf(counted)) : numberOf(number ?? '');
    const seconds = SECONDS[unit];
    return seconds === undefined
      ? { number: amount, unit: OTHER_UNITS.get(unit) }
      : { number: String(Math.round(Number(amount) * seconds * 1e3) / 1e3), unit: 'second' };
  });
}

/** Whether a number is among others, in the same unit; one without a unit is in any but time. */
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
  return SPELLINGS.get(single.replace(/s$/, '')) ?? SPELLINGS.get(single) ?? single;
}

/** A {@link NUMBER} in figures. */
function numberOf(amount: string): string {
  const [ones, tens] = [NUMBERS.indexOf(amount), TENS.indexOf(amount)];
  if (ones > 0) return String(ones);
  return tens > 0 ? String(10 * tens) : amount.replaceAll(',', '');
}
