import { stemOf } from '../language/analysis.ts';
import { partsOf } from '../language/identifier.ts';
import { isParticle, nounOf } from '../language/particle.ts';
import { PLAIN } from '../text/plain.ts';
import { GENERIC_WORDS } from './generic-words.ts';
import { ORDINARY_WORDS } from './ordinary-words.ts';
import { wordsOf } from './prompt.ts';

/**
 * Words that may stand between those of a phrase. They say one thing only if they stand in one clause: "drop every row of the
 * table" is `drop table`, two words at the two ends of a long sentence are not.
 */
const BETWEEN = 6;
/** The boundary between two sentences or lines, so that no phrase reaches across. */
const BREAK = 100;
/** Syllables of a Korean compound, which may be written as one word or as two, and of its first part. */
const COMPOUND = 3;
const FIRST = 2;

/** A run of letters and digits with what it may be called in a phrase. */
interface Run {
  written: string;
  isHangul: boolean;
  /** The run in lower case, and its stem or noun. */
  keys: string[];
  /** Whether there is a sign between it and the run before, and no blank: `lodash.merge`. */
  isJoined: boolean;
  isNewSentence: boolean;
  /** Whether a bracket follows: `expect(` is a call, and not said by "expected". */
  isCall: boolean;
}

/** A text as it is compared with hints: which runs are where. */
interface TextRead {
  runs: Map<number, Run>;
  /** Also parts of identifiers, and Korean compounds that are written with a blank. */
  places: Map<string, number[]>;
  /** Parts of Korean compounds, which count next to other words alone: `메시지큐` does not say `메시`. */
  within: Map<string, number[]>;
  /** The first letters of all keys, without which no phrase need be read. */
  beginnings: Set<string>;
}

/**
 * The records whose hints a text has, with these hints (RE-16): every word of a phrase, in any order, within a sentence or line
 * and near each other. English words count in any form, Korean ones with any particle; a name with signs inside counts whole, a
 * call as it is written. One pattern drops the phrases that have a word which begins as none of the text does: a hook asks
 * once, and would make an index of all phrases in vain.
 * @param text what a person said (`saidIn`), or what is written or run; the caller bounds its length
 * @param records with their hints as `hintsText` writes them
 */
export function matchingHints<Hinted extends { hints: string }>(
  text: string,
  records: readonly Hinted[],
): { record: Hinted; hints: string[] }[] {
  const { word, placesOf } = readerOf(text);
  const begun = new RegExp(`^${word}(?: ${word})*$`, 'gim');
  return records.flatMap((record) => {
    const hints = (record.hints.match(begun) ?? []).filter((hint) => isIn(hint, placesOf));
    return hints.length > 0 ? [{ record, hints }] : [];
  });
}

/** The pattern of the words that a text may have, and where it has a word. */
function readerOf(text: string): { word: string; placesOf: (word: string) => Places } {
  const read = readText(text);
  const known = new Map<string, Places>();
  return {
    word: `(?:${[...read.beginnings, SIGN, SHORT].join('|')})\\S*`,
    placesOf(word) {
      const places = known.get(word) ?? placesIn(read, [...runsIn(word)]);
      known.set(word, places);
      return places;
    },
  };
}

/** The least that a prompt shares with the hints of a record, in words that no other record's hints have. */
const ENOUGH = 1.4;
/** The weight of a word that prompts of any project have. */
const COMMON = 0.3;

/**
 * The ids of records that share enough words with what a person says, from whatever hints of theirs: each counts the less the more records
 * it is shared with. Code has too many words to be read so.
 */
export function sharingHints(said: string, records: readonly { id: string; hints: string }[]): string[] {
  const { word, placesOf } = readerOf(said);
  const begun = new RegExp(`(?<!\\S)${word}`, 'gi');
  const all = records.map((record) => {
    const weights = new Map<number, number>();
    for (const each of new Set(record.hints.match(begun))) {
      const at = placesOf(each).whole?.[0];
      if (at !== undefined) weights.set(at, Math.min(weights.get(at) ?? 1, weightOf(each)));
    }
    return { record, weights };
  });
  const counts = new Map<number, number>();
  for (const { weights } of all) for (const at of weights.keys()) counts.set(at, (counts.get(at) ?? 0) + 1);
  const sum = (weights: Map<number, number>) =>
    [...weights].reduce((total, [at, weight]) => total + weight / Math.sqrt(counts.get(at) ?? 1), 0);
  return all.flatMap(({ record: { id }, weights }) => (sum(weights) >= ENOUGH ? id : []));
}

function weightOf(word: string): number {
  const [key] = wordsOf(word);
  if (key === undefined) return 0;
  return keysOf(key).some((each) => GENERIC_WORDS.has(each) || ORDINARY_WORDS.has(each)) ? COMMON : 1;
}

/** The ids of records of which a text has a hint that is not in what was there before. */
export function newlyHinted(
  text: string,
  known: string,
  records: readonly { id: string; hints: string }[],
): string[] {
  if (records.length === 0) return [];
  const found = matchingHints(text, records);
  const again = found.map(({ record }) => record);
  const before = matchingHints(known, again);
  const old = new Map(before.map(({ record, hints }) => [record.id, hints]));
  return found.flatMap(({ record: { id }, hints }) =>
    hints.some((hint) => !old.get(id)?.includes(hint)) ? id : [],
  );
}

/** Letters that the forms of a word begin with, and syllables. */
const BEGINNING = /^(?:[가-힣]{1,2}|.{1,3})/;
/** A word that may be in any text: it begins with a sign or a rare letter, or has no more than two. */
const SIGN = '[^a-z0-9가-힣\\s]';
const SHORT = '\\S{1,2}(?!\\S)';

function readText(text: string): TextRead {
  const read: TextRead = { runs: new Map(), places: new Map(), within: new Map(), beginnings: new Set() };
  let at = 0;
  let before: Run | undefined;
  for (const run of runsIn(text)) {
    at += run.isNewSentence ? BREAK : 1;
    read.runs.set(at, run);
    const { written, isHangul, keys, isJoined, isNewSentence } = run;
    const isSpaced = isHangul && before?.isHangul && !isNewSentence && !isJoined;
    const compounds = isSpaced ? keys.map((key) => before?.written + key) : [];
    const parts = isHangul ? [] : partsOf(written).flatMap(keysOf);
    for (const [keysHere, places] of [
      [[...keys, ...parts, ...compounds.filter((key) => key.length >= COMPOUND)], read.places],
      [isHangul ? keys.flatMap(compoundParts) : [], read.within],
    ] as const)
      for (const key of keysHere) {
        places.set(key, [...(places.get(key) ?? []), at]);
        read.beginnings.add(BEGINNING.exec(key)?.[0] ?? key);
      }
    before = run;
  }
  return read;
}

/** Where a text has a word of a phrase: as a whole, and in a compound; both undefined of a word without letters. */
interface Places {
  whole?: number[];
  within?: number[];
}

/** Words that may be others in a text: "into values.yaml" is said by `in values.yaml`. */
const LINKS = /^(?:an?|as|at|by|in|of|on|to)$/i;

function isIn(hint: string, placesOf: (word: string) => Places): boolean {
  const all = hint.split(' ');
  const telling = all.filter((word) => !LINKS.test(word));
  // One word alone would be found in texts about anything.
  const words = (telling.length > 1 ? telling : all).map(placesOf);
  const places = words.flatMap(({ whole, within = [] }) =>
    whole ? [words.length > 1 ? [...whole, ...within] : whole] : [],
  );
  const reach = places.length - 1 + BETWEEN;
  return places
    .flat()
    .some((from) => places.every((own) => own.some((at) => from <= at && at <= from + reach)));
}

function placesIn(read: TextRead, [first, ...others]: Run[]): Places {
  if (first === undefined) return {};
  const goesOn = (run: Run, at: number) => {
    const there = read.runs.get(at);
    return (
      there?.isJoined === true && run.keys.some((key) => there.keys.includes(key)) && isSameCall(run, at)
    );
  };
  const isSameCall = ({ isCall, written }: Run, at: number) => {
    const there = read.runs.get(at);
    return !isCall || (there?.isCall === true && there.written.toLowerCase() === written.toLowerCase());
  };
  const of = (places: Map<string, number[]>) => first.keys.flatMap((key) => places.get(key) ?? []);
  return {
    whole: of(read.places).filter(
      (at) => isSameCall(first, at) && others.every((run, index) => goesOn(run, at + index + 1)),
    ),
    within: others.length > 0 ? [] : of(read.within),
  };
}

/** The runs of a text in their order, without particles after Latin letters: `Redis에`. */
function* runsIn(text: string): Generator<Run> {
  const pattern = PLAIN.test(text) ? /[a-z0-9]+|[가-힣]+/gi : /[가-힣]+|(?:(?![가-힣])[\p{L}\p{N}\p{M}])+/gu;
  let end = 0;
  for (const { 0: written, index } of text.normalize('NFC').matchAll(pattern)) {
    const gap = text.slice(end, index);
    const isFirst = end === 0;
    end = index + written.length;
    const isHangul = /^[가-힣]/.test(written);
    if (isHangul && !isFirst && gap === '' && isParticle(written)) continue;
    yield {
      ...{ written, isHangul, keys: keysOf(written) },
      isJoined: !isFirst && !/\s/.test(gap),
      isNewSentence: /\n|[.!?。]\s/.test(gap),
      isCall: text[end] === '(',
    };
  }
}

function keysOf(written: string): string[] {
  const word = written.toLowerCase();
  return [...new Set([word, nounOf(word) ?? word, stemOf(word)])];
}

/** The parts that a Korean word may be made of. */
const compoundParts = (word: string): string[] =>
  Array.from({ length: Math.max(0, word.length - FIRST) }, (_, at) => at + FIRST).flatMap((at) => [
    word.slice(0, at),
    word.slice(at),
  ]);
