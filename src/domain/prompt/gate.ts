import { analyse, queryTerms } from '../language/analysis.ts';
import { Kinship } from '../language/kinship.ts';
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
  /** What a record must tell of it. */
  needed: number;
  /** How many of its words that must be at least, of a record that binds or failed. */
  fewestOfBinding: number;
}

/** What a record says, as far as it is compared with a prompt. */
export interface Candidate {
  /** Its topic, which `shown` has as well; empty where it has none. */
  topic: string;
  /** What an agent is shown of it: what it is called and says. */
  shown: string;
  /** What lies behind that: its reasons. */
  behind: string;
  /** Whether it is a lock or an axis, or was tried and failed. */
  isBinding: boolean;
}

/** Whether a record is about what a prompt says. */
export interface Verdict {
  /** Whether it is relevant enough to be shown unasked, or may be shown next to one that is. */
  is: 'high' | 'medium' | 'none';
  /** What it tells of the prompt, in words that one record has. */
  matched: number;
}

/** A prompt with what each of its words tells in this memory, the rarer, the more, and what a record must tell of it. */
export function promptQueryOf(
  { words, manner }: Pick<PromptRead, 'words' | 'manner'>,
  { documents, of }: Frequencies,
): PromptQuery {
  const sized = informationOf(1, Math.max(SMALL, documents));
  const most = informationOf(1, documents) * (USUAL / sized) ** (1 - GROWS);
  const count = (term: string) => of.get(term) ?? 0;
  let asked = 0;
  const known = words.map((word): AskedWord => {
    const terms = queryTerms(word).filter((term) => term.length > 1);
    const isGeneric = GENERIC_WORDS.has(word);
    const weight = isGeneric ? GENERIC : ORDINARY_WORDS.has(word) ? ORDINARY : 1;
    const isHeard = terms.some((term) => count(term) > 0);
    if (!isGeneric) asked += isHeard ? weight : UNHEARD * weight;
    const parts = terms.map((term) => ({
      term,
      information: Math.min(1, informationOf(count(term), documents) / most),
    }));
    return { parts, weight, isGeneric };
  });
  return {
    words: known,
    needed: Math.max(ENOUGH, SHARE * asked) * Math.exp(-LEANING * manner),
    fewestOfBinding: documents <= YOUNG ? 1 : FEWEST,
  };
}

/*
 * The numbers were chosen with `node bench/gate.ts`: less of any lets through what has nothing to do with a prompt, more
 * silences what has. Around them the result is flat: a step of any moves it by two prompts of a hundred.
 */
const ORDINARY = 0.45;
const GENERIC = 0.2;
/** What an ordinary word counts that is in the topic of a record: there it says what the record is about. */
const IN_TOPIC = 0.7;
/** What a word counts among all that is asked which no record has: a verb's ending, or another word for what a record says. */
const UNHEARD = 0.75;
/** What a word counts that only the reasons have. */
const BEHIND = 0.8;
/** How much of a word counts that shares a part with one before it: `비밀번혼`, which was meant to be `비밀번호`. */
const AGAIN = 0.5;
/** What another word of its kin counts, of a word that is not an ordinary one: of those, too much is kin. */
const KIN = 0.6;
/** Distinct terms of a record that has some words of any prompt if it is longer, and how fast its words then tell less. */
const LONG = 40;
const SHRINKS = 0.12;
/** Words that a record must have at least: by one alone, `looks good, go ahead` would find a word of any record. */
const FEWEST = 2;
/** Records of a memory in which one word is enough for what binds or failed: hardly any other record can be meant (T-10). */
const YOUNG = 20;
/**
 * A word that one record has tells more in a large memory. How much of that must match as well: with all of it, a large memory
 * is more silent than a small one is, with nothing of it, less. It makes no difference where that is `USUAL`, in a memory of 1,600
 * records, and none between memories of at most `SMALL` records, where every word is rare.
 */
const GROWS = 0.55;
const USUAL = 7;
const SMALL = 500;
/** What the words must tell together, in words that one record has. */
const ENOUGH = 0.95;
/** What they must tell of all that is asked: a long prompt has some words of any record. */
const SHARE = 0.137;
/** How much more a prompt asks for that speaks of what lies before the one who writes, or of how a screen looks. */
const LEANING = 0.35;
/** How much of that a record must tell that binds or failed: of all records, those warn of what is about to be done. */
const BINDING = 0.86;
/** What the shown text must match: else nobody sees what it has to do with the prompt. */
const VISIBLE = 0.3;

/** Whether a record says enough of what a prompt says. */
export function relevanceOf(
  { words, needed, fewestOfBinding }: PromptQuery,
  { topic, shown, behind, isBinding }: Candidate,
): Verdict {
  const enough = isBinding ? BINDING * needed : needed;
  const named = new Set(analyse(topic));
  const visible = textOf(analyse(shown));
  const all = textOf([...visible.terms, ...analyse(behind)]);
  const said = new Set<string>();
  const held = words
    .map((word) => {
      const isInTopic =
        !word.isGeneric && word.parts.length > 0 && word.parts.every(({ term }) => named.has(term));
      const isAgain = word.parts.some(({ term }) => said.has(term));
      for (const { term } of word.parts) if (all.terms.has(term)) said.add(term);
      const weight = (isInTopic ? Math.max(IN_TOPIC, word.weight) : word.weight) * (isAgain ? AGAIN : 1);
      const seen = weight * heldBy(visible, word);
      return { seen, matched: Math.max(seen, weight * BEHIND * heldBy(all, word)), word };
    })
    .filter(({ matched }) => matched > 0);
  const own = held.filter(({ word }) => !word.isGeneric);
  const matched = sum(held.map((each) => each.matched));
  const short = (LONG / Math.max(LONG, all.terms.size)) ** SHRINKS;
  const fewest = isBinding ? fewestOfBinding : FEWEST;
  const isHigh =
    own.length >= fewest && matched * short >= enough && sum(own.map(({ seen }) => seen)) >= VISIBLE;
  return { is: isHigh ? 'high' : own.length > 0 ? 'medium' : 'none', matched };
}

const sum = (numbers: number[]): number => numbers.reduce((all, number) => all + number, 0);

/** The terms of a text, and how their kin are found. */
interface Text {
  terms: ReadonlySet<string>;
  kin: Kinship;
}

function textOf(tokens: string[]): Text {
  const terms = new Set(tokens);
  return { terms, kin: new Kinship(terms) };
}

/** What a word tells of a text: its rarest part there, by the share of its parts that are there. */
function heldBy({ terms, kin }: Text, { parts, weight }: AskedWord): number {
  const matched = parts.map(({ term, information }) =>
    terms.has(term) ? information : weight === 1 && kin.has(term) ? KIN * information : 0,
  );
  const held = matched.filter((each) => each > 0).length;
  return held === 0 ? 0 : (Math.max(...matched) * held) / parts.length;
}
