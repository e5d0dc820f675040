import { queryTerms } from './analysis.ts';
import { keywordsIn } from './keywords.ts';
import { KINDS, OPPOSITES } from './kinds.ts';
import { subjectTerms } from './subject.ts';

/** Pieces of each sort that are shown: it is read at a glance. */
const MOST = 3;
const LONGEST = 24;
/** The share of the shorter rule's words that both have: with less, two rules speak of different things, and each is right. */
const ALIKE = 1 / 3;
/** The same for a word that says no, which most rules have for a reason of their own. */
const ALIKE_BUT_NO = 1 / 2;

const WORD = /[a-z][a-z0-9+#'’]*(?:\.js(?![a-z0-9]))?|[가-힣]+/g;
const NEGATION =
  /^(?:never|not|no|without|cannot|[a-z]+n['’]t)$|^(?:않|안$|없(?!애)|못|말(?:고|자|것)$)|.(?:지않|않는|않고|않음|없이|없음)/;
const NUMBERS = ' one two three four five six seven eight nine ten eleven twelve'.split(' ');
const TENS = '  twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
/** A number in figures or as an English word, in lower case. */
export const NUMBER = `\\d+(?:[.,]\\d+)*|(?:${[...NUMBERS.slice(2), ...TENS.slice(2)].join('|')})(?![a-z])`;
const AMOUNT = new RegExp(`(?<![a-z0-9.])(${NUMBER})[ -]?(%|[a-z]{1,12}|[가-힣]{1,8})`, 'g');
/** Counters and units of Korean, the longer first; what follows one of them is a particle. */
const KOREAN_UNIT = /^(?:시간|개월|퍼센트|초|분|일|주|달|년|번|회|개|명|장|건|원|배|대|줄|자)/;
/** What follows a number and is not a unit. */
const NO_UNIT = /^(?:and|or|of|to|in|on|at|by|per|for|as|is|are|the|a|from|with|than)$/;
const SPELLINGS = new Map(
  Object.entries({ sec: 'second', min: 'minute', hr: 'hour', h: 'hour', s: 'second', m: 'minute' }),
);

/**
 * What two rules about the same matter have in common and where they differ, as a short neutral note for whoever saves one
 * of them next to the other (W-5): names of one kind, opposites, amounts of one unit, a negation on one side.
 * @param here the rule that is saved; the note is in its language, English or Korean
 * @returns undefined where none of these signs is seen, which does not say that both agree
 */
export function differenceNote(here: string, there: string): string | undefined {
  const [one, other] = [here.toLowerCase(), there.toLowerCase()];
  const { words, share } = sharedWords(here, there);
  if (share < ALIKE) return undefined;
  const pairs = contrasts(one, other).slice(0, MOST);
  const alone = pairs.length === 0 && share >= ALIKE_BUT_NO ? negatedAlone(one, other) : undefined;
  if (pairs.length === 0 && !alone) return undefined;
  const isKorean = /[가-힣]/.test(here);
  const [both, inHere, inThere] = isKorean ? ['둘 다', '여기', '저기'] : ['Both', 'here', 'there'];
  const differences = pairs.map(([mine, yours]) => `${inHere} ${mine}, ${inThere} ${yours}`);
  if (alone) {
    const side = alone.isHere ? inHere : inThere;
    differences.push(isKorean ? `${side}만 “${alone.word}”` : `only ${side} “${alone.word}”`);
  }
  const named = new Set(pairs.flat().flatMap((piece) => piece.split(' ')));
  const shared = words.filter((word) => !named.has(word) && !NEGATION.test(word)).slice(0, MOST);
  return [...(shared.length > 0 ? [`${both}: ${shared.join(', ')}`] : []), differences.join('; ')].join(
    ' · ',
  );
}

/** Names of one kind, amounts of one unit and opposites, one on each side. @param here in lower case, as `there` */
function contrasts(here: string, there: string): Pair[] {
  return [...namesOf(here, there), ...amountsOf(here, there), ...oppositesOf(here, there)];
}

/** Whether two rules show a sign of saying different things, whatever else they speak of (T-6). */
export function showsContrast(here: string, there: string): boolean {
  const [one, other] = [here.toLowerCase(), there.toLowerCase()];
  // Names of one kind are about the same thing in any words; an amount or a contrary needs a subject that both have.
  const subjects = subjectTerms(there);
  const isSameMatter = [...subjectTerms(here).keys()].some((term) => subjects.has(term));
  const pairs = isSameMatter ? contrasts(one, other) : namesOf(one, other);
  return pairs.length > 0 || negatedAlone(one, other) !== undefined;
}

/** The words of one rule that the other has, too, in whatever form, and which share of the shorter one's they are. */
function sharedWords(here: string, there: string): { words: string[]; share: number } {
  const wordsOf = (text: string) => keywordsIn(text, Number.POSITIVE_INFINITY);
  const [one, other] = [wordsOf(here), wordsOf(there)];
  const formOf = (word: string) => queryTerms(word).join(' ');
  const known = new Set(other.map(formOf));
  const words = [...new Map(one.map((word) => [formOf(word), word]))].flatMap(([form, word]) =>
    known.has(form) ? [word] : [],
  );
  return { words, share: words.length / Math.max(1, Math.min(one.length, other.length)) };
}

type Pair = [here: string, there: string];

/** A name on each side, of one kind, that the other side does not have. */
function namesOf(here: string, there: string): Pair[] {
  const [one, other] = [new Set(here.match(WORD)), new Set(there.match(WORD))];
  return KINDS.flatMap((kind): Pair[] => {
    const nameIn = (words: Set<string>, absent: Set<string>) => {
      const names = kind.find(
        (each) => each.some((name) => words.has(name)) && !each.some((name) => absent.has(name)),
      );
      return names?.find((name) => words.has(name));
    };
    const [a, b] = [nameIn(one, other), nameIn(other, one)];
    return a && b ? [[a, b]] : [];
  });
}

/** Amounts of one unit, where no amount of it is the same. */
function amountsOf(here: string, there: string): Pair[] {
  const [one, other] = [amountsIn(here), amountsIn(there)];
  return [...one].flatMap(([unit, amounts]): Pair[] => {
    const others = other.get(unit);
    if (!others || amounts.some(({ number }) => others.some((each) => each.number === number))) return [];
    return [[amounts[0]?.written ?? '', others[0]?.written ?? '']];
  });
}

function amountsIn(text: string): Map<string, { number: string; written: string }[]> {
  const found = new Map<string, { number: string; written: string }[]>();
  for (const [, amount = '', after = ''] of text.matchAll(AMOUNT)) {
    const unit = unitOf(after);
    if (unit === undefined) continue;
    const written = `${amount}${/^[a-z]/.test(after) ? ` ${after}` : unit}`;
    found.set(unit, [...(found.get(unit) ?? []), { number: numberOf(amount), written }]);
  }
  return found;
}

/** The unit that a word after a number is, in the singular. */
export function unitOf(after: string): string | undefined {
  if (after === '%') return after;
  if (!/^[a-z]/.test(after)) return KOREAN_UNIT.exec(after)?.[0];
  if (NO_UNIT.test(after)) return undefined;
  const single = after.length > 3 ? after.replace(/s$/, '') : after;
  return SPELLINGS.get(single.replace(/s$/, '')) ?? SPELLINGS.get(single) ?? single;
}

/** A {@link NUMBER} in figures. */
export function numberOf(amount: string): string {
  const [ones, tens] = [NUMBERS.indexOf(amount), TENS.indexOf(amount)];
  if (ones > 0) return String(ones);
  return tens > 0 ? String(10 * tens) : amount.replaceAll(',', '');
}

/** Contrary words, one on each side alone. */
function oppositesOf(here: string, there: string): Pair[] {
  const [one, other] = [here.match(WORD) ?? [], there.match(WORD) ?? []];
  const only = (words: string[], wanted: RegExp, contrary: RegExp) =>
    words.some((word) => contrary.test(word)) ? undefined : words.find((word) => wanted.test(word));
  return OPPOSITES.flatMap(([left, right]): Pair[] => {
    for (const [mine, yours] of [
      [left, right],
      [right, left],
    ] as const) {
      const [a, b] = [only(one, mine, yours), only(other, yours, mine)];
      if (a && b) return [[a, b]];
    }
    return [];
  });
}

/** The word that says no, where one side alone has one. */
function negatedAlone(here: string, there: string): { isHere: boolean; word: string } | undefined {
  const no = (text: string) => text.match(WORD)?.find((word) => NEGATION.test(word));
  const [one, other] = [no(here), no(there)];
  const word = one ?? other;
  if (word === undefined || (one !== undefined && other !== undefined)) return undefined;
  return { isHere: one !== undefined, word: word.slice(0, LONGEST) };
}
