import { analyse, queryTerms } from '../language/analysis.ts';
import { type Frequencies, informationOf } from '../ranking/similarity.ts';

/** A word of a prompt as the index knows it. */
export interface AskedWord {
  terms: string[];
  /** How much it tells, in nats: the rarer, the more. */
  information: number;
}

/** The words of a prompt that any record has a part of, with what each tells. */
export function askedWords(words: string[], frequencies: Frequencies): AskedWord[] {
  return words.map((word) => {
    const terms = queryTerms(word).filter((term) => term.length > 1);
    const found = terms.map((term) => frequencies.of.get(term) ?? 0);
    // A word is as rare as its rarest part; one that no record has tells as much as one that a single record has.
    return { terms, information: informationOf(Math.max(1, Math.min(...found)), frequencies.documents) };
  });
}

/** A prompt with fewer telling words is silently about what was said before it. */
const FEWEST = 2;
/** The share of a word's parts that a text needs to hold it: `재설정` of `비밀번호재설정` alone does not. */
const PARTS = 0.6;
/** Of one word alone: the share of what the prompt asks that it must be. */
const ALONE = 0.5;
/** Of several words: the share that they must be together. */
const TOGETHER = 0.25;
/** What the words must tell at least, as a share of what a word tells that one record has. */
const TELLING = 0.45;

/**
 * How surely a record is about what a prompt says: 0 when that is not telling enough to be shown unasked. It must
 * hold two words of the prompt in the text that is shown, or one that is half of what was asked; words that many records
 * have do not carry it.
 * @param shown title and text of the record
 */
export function tellingness(asked: AskedWord[], shown: string, documents: number): number {
  if (asked.length < FEWEST) return 0;
  const held = new Set(analyse(shown));
  const all = asked.reduce((sum, { information }) => sum + information, 0);
  const found = asked.filter(
    ({ terms }) => terms.length > 0 && terms.filter((term) => held.has(term)).length >= PARTS * terms.length,
  );
  const told = found.reduce((sum, { information }) => sum + information, 0);
  const share = all === 0 ? 0 : told / all;
  const best = Math.max(0, ...found.map(({ information }) => information));
  if (best < TELLING * informationOf(1, documents)) return 0;
  if (found.length >= 2) return share >= TOGETHER ? share : 0;
  return share >= ALONE ? share : 0;
}
