import { analyse, queryTerms } from '../language/analysis.ts';
import { type Frequencies, informationOf } from '../ranking/similarity.ts';
import { GENERIC_WORDS } from './generic-words.ts';
import { ORDINARY_WORDS } from './ordinary-words.ts';
import type { PromptRead } from './reading.ts';

/** A word of a prompt as the index knows it. */
interface AskedWord {
  /** Its parts, with what each tells as a share, 0..1, of what a part tells that one record has. */
  parts: { term: string; information: number }[];
  /** How much it counts: less for a word that prompts of any project have. */
  weight: number;
  /** Whether it only adds to what other words tell, since every prompt has it. */
  isGeneric: boolean;
}

/** A prompt as the gate compares it with records. */
export interface PromptQuery {
  words: AskedWord[];
  /** The least weight of a record that matches it, in words that one record has. */
  needed: number;
}

/** The texts of a record that are compared with a prompt. */
export interface Candidate {
  /** Its topic, which `shown` has as well; empty where it has none. */
  topic: string;
  /** The texts that an agent is shown: its name and what it says. */
  shown: string;
  /** The texts behind those: its reasons. */
  behind: string;
  /** Whether it is a lock or an axis, or was tried and failed. */
  isBinding: boolean;
  /** How many records the search ranks before it. */
  rank: number;
}

/** Whether a record is about what a prompt says. */
export interface Verdict {
  /** Whether it is relevant enough to be shown unasked, or may be shown next to one that is. */
  is: 'high' | 'medium' | 'none';
  /** The weight of the prompt's words in it, in words that one record has: the less, the later the search ranks it. */
  matched: number;
}

/** A prompt with what each of its words tells in this memory, the rarer, the more, and what a record must tell of it. */
export function promptQueryOf(
  { words, manner }: Pick<PromptRead, 'words' | 'manner'>,
  { documents, of }: Frequencies,
): PromptQuery {
  const most = informationOf(1, documents);
  return {
    words: words.map((word) => {
      const isGeneric = GENERIC_WORDS.has(word);
      const parts = queryTerms(word)
        .filter((term) => term.length > 1)
        .map((term) => ({
          term,
          information: Math.min(1, informationOf(of.get(term) ?? 0, documents) / most),
        }));
      return { parts, weight: isGeneric ? GENERIC : ORDINARY_WORDS.has(word) ? ORDINARY : 1, isGeneric };
    }),
    needed: ENOUGH * Math.min(1, documents / GROWN) ** GROWS * Math.exp(-LEANING * manner),
  };
}

/*
 * The numbers were chosen over five labelled sets of prompts (ADR 0068): less of any lets through what has nothing to do with
 * a prompt, more silences what has.
 */
const ORDINARY = 0.6;
const GENERIC = 0.2;
/** The weight of an ordinary word that is in the topic of a record: there it says what the record is about. */
const IN_TOPIC = 0.7;
/** The weight of a word that only the reasons have. */
const BEHIND = 0.6;
/** The least weight of the words together, in words that one record has. */
const ENOUGH = 1.6;
/** How much of that a record must tell that binds or failed: of all records, those warn of what is about to be done. */
const BINDING = 0.86;
/**
 * A memory of fewer records than `GROWN` needs less, since hardly any other record can be meant (T-10): in one of ten, a single
 * word is enough for what binds or failed.
 */
const GROWN = 300;
const GROWS = 0.1;
/** A higher threshold for prompts about the open file or the look of a screen. */
const LEANING = 0.35;
/** How fast what a record tells counts less, the later the search ranks it: the twelfth must tell two thirds more than the first. */
const LATER = 0.2;

/** Whether a record says enough of what a prompt says. */
export function relevanceOf(
  { words, needed }: PromptQuery,
  { topic, shown, behind, isBinding, rank }: Candidate,
): Verdict {
  const named = new Set(analyse(topic));
  const visible = new Set(analyse(shown));
  const all = new Set([...visible, ...analyse(behind)]);
  let sum = 0;
  let isAbout = false;
  for (const word of words) {
    const isInTopic =
      !word.isGeneric && word.parts.length > 0 && word.parts.every(({ term }) => named.has(term));
    const weight = isInTopic ? Math.max(IN_TOPIC, word.weight) : word.weight;
    const held = Math.max(heldBy(visible, word), BEHIND * heldBy(all, word));
    sum += weight * held;
    if (held > 0 && !word.isGeneric) isAbout = true;
  }
  const matched = sum * (rank + 1) ** -LATER;
  const isHigh = isAbout && matched >= (isBinding ? BINDING * needed : needed);
  return { is: isHigh ? 'high' : isAbout ? 'medium' : 'none', matched };
}

/** The weight of a word in a text: that of its rarest part there, by the share of its parts that are there. */
function heldBy(terms: ReadonlySet<string>, { parts }: AskedWord): number {
  const held = parts.filter(({ term }) => terms.has(term));
  const rarest = Math.max(0, ...held.map(({ information }) => information));
  return held.length === 0 ? 0 : (rarest * held.length) / parts.length;
}
