import { keywordsIn } from '../language/keywords.ts';
import { isInSyllables } from '../language/script.ts';
import { subjectTerms } from '../language/subject.ts';
import type { Frequencies } from '../ranking/similarity.ts';
import { sentencesIn } from '../text/segments.ts';
import { isUniversal, partsOf, placesIn, saysNo, setsApart, tellsPast } from './told.ts';
import { differs, hasValue, type Value, valuesIn } from './values.ts';
import { isWhole, massOf, share, termsOf, termsOfWord, WORDS, type Word, wordsOf } from './words.ts';

/** A text that was replaced, and the one that took its place; none if it was withdrawn or failed. */
export interface Correction {
  old: string;
  next?: string | undefined;
}

/** A sentence of a record or a file, and the words above it that say what it is about: a topic, a title, a heading. */
export interface Sentence {
  text: string;
  about?: string | undefined;
}

/** A sentence that still says what was corrected. */
export interface Twin {
  /** Its place among the sentences that were read. */
  at: number;
  /** The share of the old text's words that it has, 0..1, rare words counting more. */
  closeness: number;
}

/** Sentences and their words, read once for many corrections. */
export interface Readings {
  sentences: readonly Sentence[];
  /** The places of the sentences that have a term, in themselves or in what they are about. */
  places: ReadonlyMap<string, readonly number[]>;
  /** The terms of each sentence with what it is about. */
  terms: readonly ReadonlySet<string>[];
  /** Further parts of a sentence that is close to a correction. */
  partsAt(at: number): Parts;
}

/** A sentence by itself: each part is read when it is first asked for, once for many corrections. */
class Parts {
  readonly text: string;
  readonly isKorean: boolean;
  #terms: ReadonlySet<string> | undefined;
  #values: Value[] | undefined;
  #words: string[][] | undefined;
  #turns: Parts[] | undefined;
  #places: [preposition: string, terms: string[]][] | undefined;
  #isPast: boolean | undefined;
  #isApart: boolean | undefined;

  constructor(text: string, terms?: ReadonlySet<string>) {
    this.text = text;
    this.isKorean = isInSyllables(text);
    this.#terms = terms;
  }
  get terms() {
    this.#terms ??= new Set(termsOf(this.text));
    return this.#terms;
  }
  get values() {
    this.#values ??= valuesIn(this.text);
    return this.#values;
  }
  /** The terms of each keyword. */
  get words() {
    this.#words ??= keywordsIn(this.text, WORDS).map(termsOfWord);
    return this.#words;
  }
  /** The texts between the places where it may turn. */
  get turns() {
    this.#turns ??= partsOf(this.text).map((each) => new Parts(each));
    return this.#turns;
  }
  get places() {
    this.#places ??= placesIn(this.text).map(([preposition, place]) => [preposition, termsOf(place)]);
    return this.#places;
  }
  get isPast() {
    this.#isPast ??= tellsPast(this.text);
    return this.#isPast;
  }
  get isApart() {
    this.#isApart ??= setsApart(this.text);
    return this.#isApart;
  }
}

/** Characters read of a text. */
const READ = 2_000;
/** The least closeness: with the old value, with an old name, and where nothing took the old text's place. */
const LEAST = { value: 0.34, name: 0.45, gone: 0.6 };
/** The least share of its own words that the old text has, if something took its place, and if nothing did. */
const OWN = { replaced: 0.25, gone: 0.35 };
/** Without a changed value, the least share of the words that changed and of those that did not. */
const CHANGED = 0.4;
const KEPT = 0.42;
/** The share of the old sentence's words that is enough where the new text has none of them: a copy. */
const WHOLE = 0.85;
/** Words of a short one. */
const SHORT = 2;
/** The least share of known words in a sentence that says the same of another thing. */
const ALIKE = 0.6;
/** The greatest share of the words that the new text alone has. */
const FRESH = 0.35;
/** Verbs that a rule may begin with; the first other word says what the rule is about, and a twin has it. */
const VERBS =
  /^(?:use|keep|store|put|run|send|write|make|set|retry|cache|deploy|log|return|add|read|load|build|serve|call|allow|let|go|apply|require|save|create|all|every)s?$/;

/** The sentences of a text, line by line; one that sets the sentence before it apart belongs to that. */
export function sentencesOf(text: string): string[] {
  const found: string[] = [];
  for (const line of text.slice(0, READ).split('\n'))
    for (const [at, sentence] of sentencesIn(line).entries()) {
      const before = at > 0 && setsApart(sentence) ? found.pop() : undefined;
      found.push([before, sentence.trim()].filter(Boolean).join(' '));
    }
  return found.filter(Boolean);
}

export function readSentences(sentences: readonly Sentence[]): Readings {
  const places = new Map<string, number[]>();
  // Sentences of a list are about the same.
  const abouts = new Map<string, string[]>();
  const own: ReadonlySet<string>[] = [];
  const terms = sentences.map(({ text, about = '' }, at) => {
    const above = abouts.get(about) ?? termsOf(about);
    abouts.set(about, above);
    const said = new Set(termsOf(text));
    own.push(said);
    const found = new Set([...said, ...above]);
    for (const term of found) {
      const known = places.get(term);
      if (known) known.push(at);
      else places.set(term, [at]);
    }
    return found;
  });
  const parts = new Map<number, Parts>();
  const partsAt = (at: number) => {
    const known = parts.get(at) ?? new Parts(sentences[at]?.text ?? '', own[at]);
    parts.set(at, known);
    return known;
  };
  return { sentences, places, terms, partsAt };
}

/** The terms whose frequencies {@link stillSays} needs. */
export const termsToCount = ({ old, next = '' }: Correction): string[] => [
  ...new Set([old, next].flatMap((text) => [...subjectTerms(text.slice(0, READ)).keys()])),
];

/** The least share of the words of an old sentence, whatever each weighs, that a sentence has which may say the same. */
const LIKE = 0.25;

/**
 * Whether any sentence may still say what was corrected, before the words are counted: none without a value that it is said with,
 * and in another language each.
 */
export function mayStillSay({ old, next }: Correction, { terms, partsAt }: Readings): boolean {
  const after = next === undefined ? undefined : valuesIn(next.slice(0, READ));
  const said = sentencesOf(old).map((sentence) => ({
    terms: [...subjectTerms(sentence).keys()],
    gone: after ? valuesIn(sentence).filter((value) => !hasValue(after, value)) : [],
  }));
  const isKorean = isInSyllables(old);
  return terms.some((own, at) => {
    const sentence = partsAt(at);
    return said.some(
      (one) =>
        (sentence.isKorean !== isKorean ||
          one.terms.filter((term) => own.has(term)).length >= LIKE * one.terms.length) &&
        (one.gone.length === 0 || one.gone.some((value) => hasValue(sentence.values, value))),
    );
  });
}

/**
 * The sentences that still say what was corrected, the closest first (CC-1, CC-2): close to a sentence of the old text, with its
 * values and names where the new text has others. Not a sentence that has the new ones, denies the old or tells of the past.
 * @param frequencies of {@link termsToCount} in the memory
 */
export function stillSays(
  correction: Correction,
  { places, terms, partsAt }: Readings,
  frequencies: Frequencies,
): Twin[] {
  const found = new Map<number, number>();
  let fresh: Word[] | undefined;
  for (const claim of claimsOf(correction, frequencies))
    for (const [at, closeness] of closest(claim, places)) {
      // Read here: few corrections are close to any sentence.
      fresh ??= freshIn(correction, frequencies);
      if (
        closeness > (found.get(at) ?? 0) &&
        isSaid(claim, fresh, partsAt(at), terms[at] as ReadonlySet<string>)
      )
        found.set(at, closeness);
    }
  return [...found]
    .map(([at, closeness]) => ({ at, closeness }))
    .sort((a, b) => b.closeness - a.closeness || a.at - b.at);
}

/** A sentence of the old text, and what of it the new text changes. */
interface Claim {
  text: string;
  words: Word[];
  /** Itself, as a sentence that is read. */
  said: Parts;
  /** Its subject. */
  head: Word[];
  least: number;
  isReplaced: boolean;
  isKorean: boolean;
  /** Terms and values of the whole old text. */
  terms: ReadonlySet<string>;
  values: readonly Value[];
  /** Words and values that the new text does not have. */
  changed: Word[];
  gone: Value[];
  kept: Word[];
  /** Values that the new text alone has. */
  freshValues: Value[];
}

/** The words that the new text alone has. */
function freshIn({ old, next = '' }: Correction, frequencies: Frequencies): Word[] {
  const terms = new Set(termsOf(old.slice(0, READ)));
  return wordsOf(next.slice(0, READ), frequencies).filter((word) => !isWhole(word, terms));
}

/** The sentences of the old text that the new one does not repeat, and their parts. */
function claimsOf({ old: whole, next }: Correction, frequencies: Frequencies): Claim[] {
  const [old, said] = [whole.slice(0, READ), (next ?? '').slice(0, READ)];
  const [terms, inNext] = [new Set(termsOf(old)), new Set(termsOf(said))];
  const [before, after] = [valuesIn(old), valuesIn(said)];
  const freshValues = after.filter((value) => !hasValue(before, value));
  const isReplaced = next !== undefined;
  const repeated = new Set(sentencesOf(said));
  const sentences = sentencesOf(old).flatMap((sentence) => [sentence, ...sentence.split(/;\s/)]);
  return [...new Set(sentences)].flatMap((text) => {
    if (repeated.has(text)) return [];
    const words = wordsOf(text, frequencies);
    const changed = words.filter((word) => !isWhole(word, inNext));
    const kept = words.filter((word) => isWhole(word, inNext));
    const gone = isReplaced ? valuesIn(text).filter((value) => !hasValue(after, value)) : [];
    if (words.length < 2 || changed.length + gone.length === 0) return [];
    const least = isReplaced ? (gone.length > 0 ? LEAST.value : LEAST.name) : LEAST.gone;
    const isKorean = isInSyllables(old);
    const head = words.filter(({ word }) => !VERBS.test(word)).slice(0, 1);
    return [
      {
        ...{ text, said: new Parts(text), words, head, least, isReplaced, isKorean, terms, values: before },
        ...{ changed, gone, kept, freshValues },
      },
    ];
  });
}

/**
 * Whether a sentence that is close enough says what was claimed.
 * @param fresh words that the new text alone has @param all its terms and those of what it is about
 */
function isSaid(claim: Claim, fresh: readonly Word[], sentence: Parts, all: ReadonlySet<string>): boolean {
  const { text, terms: own } = sentence;
  const isForeign = sentence.isKorean !== claim.isKorean;
  const { gone } = claim;
  if (gone.length > 0 && !gone.some((value) => hasValue(sentence.values, value))) return false;
  if (claim.freshValues.some((value) => hasValue(sentence.values, value))) return false;
  if (share(fresh, own) > FRESH) return false;
  if (!isForeign && share(claim.head, all) < 1 / 2) return false;
  if (sentence.isPast && !claim.said.isPast) return false;
  if (sentence.isApart && !claim.said.isApart) return false;
  if (denies(claim, sentence)) return false;
  if (isElsewhere(claim, sentence, all)) return false;
  const { words } = sentence;
  if (isOfAnother(claim, sentence, all)) return false;
  const known = words.filter((word) => word.every((term) => claim.terms.has(term)));
  if (!isForeign && known.length < words.length * (claim.isReplaced ? OWN.replaced : OWN.gone)) return false;
  if (gone.length > 0) return true;
  if (differs(sentence.values, claim.values)) return false;
  if (!claim.isReplaced) return true;
  const isChanged = share(claim.changed, all) >= CHANGED || (isUniversal(claim.text) && isUniversal(text));
  // Two words are a copy only where the sentence says nothing else.
  const isCopy =
    (claim.words.length > SHORT || words.length <= claim.words.length) && share(claim.words, own) >= WHOLE;
  return isChanged && (isCopy || share(claim.kept, all) >= KEPT);
}

/** Whether a sentence is about another thing: "strings of the tablet app", where the old text says "strings of the dashboard". */
function isElsewhere(claim: Claim, { places }: Parts, all: ReadonlySet<string>): boolean {
  const isNone = (place: string[], terms: ReadonlySet<string>) => !place.some((term) => terms.has(term));
  return claim.said.places.some(
    ([preposition, place]) =>
      isNone(place, all) &&
      places.some(([other, where]) => other === preposition && isNone(where, claim.terms)),
  );
}

/**
 * Whether a sentence says the same in the same words of another thing: "stops creatinine when", where the old text says "stops a
 * potassium result when". At the beginning stands what is to be done, in any words.
 */
function isOfAnother(
  { text, words: claimed, terms: known }: Claim,
  { words }: Parts,
  all: ReadonlySet<string>,
): boolean {
  const isKnown = (terms: string[]) => terms.every((term) => known.has(term));
  const placeOf = (terms: string[] | undefined) =>
    terms === undefined ? -1 : claimed.findIndex((each) => each.terms.every((term) => terms.includes(term)));
  if (words.filter(isKnown).length < words.length * ALIKE) return false;
  return words.some((own, at) => {
    if (isKnown(own)) return false;
    const [before, after] = [words.slice(0, at).findLast(isKnown), words.slice(at + 1).find(isKnown)];
    const [begin, end] = [placeOf(before), placeOf(after)];
    const [there] = begin === -1 || end <= begin ? [] : claimed.slice(begin + 1, end);
    // It names what stands before it once more: 문자(SMS).
    if (there && text.toLowerCase().includes(`(${there.word})`)) return false;
    return there !== undefined && end - begin <= 3 && !VERBS.test(there.word) && share([there], all) === 0;
  });
}

/** Whether a sentence says no where the claim does not, or the other way round. A no counts in the part that has what changed. */
function denies({ text: claimed, gone, changed }: Claim, { text, turns }: Parts): boolean {
  const isNo = saysNo(claimed).some;
  const telling = turns.filter((turn) =>
    gone.length > 0 ? gone.some((value) => hasValue(turn.values, value)) : share(changed, turn.terms) > 0,
  );
  const parts = telling.length > 0 ? telling.map((each) => each.text) : [text];
  if (gone.length > 0) return !isNo && parts.every((part) => saysNo(part).forbids);
  if (!isNo && saysNo(text).forbids) return true;
  return parts.every((part) => saysNo(part).some !== isNo);
}

/** The sentences that have enough of the words of a claim, each with the share of them. */
function closest({ words, least }: Claim, places: Readings['places']): [at: number, closeness: number][] {
  const shares = new Map<number, number>();
  const all = massOf(words);
  let left = all;
  for (const { terms, others, weight } of words.toSorted((a, b) => b.weight - a.weight)) {
    // A sentence without any of the words before has too few of them.
    const isFew = left < least * all * (1 - 1e-9);
    left -= weight;
    const found = new Map<number, number>();
    for (const term of terms)
      for (const at of places.get(term) ?? []) found.set(at, (found.get(at) ?? 0) + 1 / terms.length);
    for (const [first = '', ...rest] of others)
      for (const at of places.get(first) ?? [])
        if (rest.every((term) => places.get(term)?.includes(at))) found.set(at, 1);
    for (const [at, part] of found) {
      const known = shares.get(at);
      if (known !== undefined || !isFew) shares.set(at, (known ?? 0) + (weight * part) / all);
    }
  }
  return [...shares].filter(([, closeness]) => closeness >= least);
}
