import { analyse, queryTerms } from '../language/analysis.ts';
import { type Frequencies, informationOf } from '../ranking/similarity.ts';
import { ORDINARY_WORDS } from './ordinary-words.ts';

/** A word of a prompt as the index knows it. */
export interface AskedWord {
  /** Its parts, with what each tells as a share, 0..1, of what a part tells that one record has. */
  parts: { term: string; information: number }[];
  /** How much it counts: less for a word that prompts of any project have. */
  weight: number;
}

/** What a record says, as far as it is compared with a prompt. */
export interface Said {
  /** What an agent is shown of it: what it is called and says. */
  shown: string;
  /** What lies behind that: its reasons. */
  behind: string;
}

/** The words of a prompt, with what each tells in this memory: the rarer, the more. */
export function askedWords(words: string[], { documents, of }: Frequencies): AskedWord[] {
  const most = informationOf(1, documents);
  return words.map((word) => ({
    parts: queryTerms(word)
      .filter((term) => term.length > 1)
      .map((term) => ({
        term,
        information: Math.min(1, informationOf(of.get(term) ?? 0, documents) / most),
      })),
    weight: ORDINARY_WORDS.has(word) ? ORDINARY : 1,
  }));
}

/*
 * The numbers were chosen with `node bench/gate.ts` on the half of bench/data/gate that may be looked at; around them the
 * result is flat: ±0.1 of ENOUGH moves it by one prompt of 64.
 */
const ORDINARY = 0.5;
/** What a word counts that only the reasons have. */
const BEHIND = 0.9;
/** The share of a word's parts that a text needs to hold it: `재설정` of `비밀번호재설정` alone does not. */
const PARTS = 0.5;
/** What the words must tell together, in words that one record has: more than one word of the project, or one and another. */
const ENOUGH = 1;
/** What one of them must tell: many words that many records have do not carry it. */
const CARRYING = 0.3;
/** What a prompt must ask, in words of the project, for a single one to carry a record: `looks good, go ahead` asks one. */
const ALONE = 2;
/** What must be told by the text that is shown: else nobody sees what it has to do with the prompt. */
const VISIBLE = 0.3;

/**
 * How surely a record is about what a prompt says: 0 when that is not telling enough to be shown unasked. Words that the
 * memory does not know count neither for nor against it: people tell stories in their prompts.
 */
export function tellingness(asked: AskedWord[], { shown, behind }: Said): number {
  const visible = new Set(analyse(shown));
  const all = new Set([...visible, ...analyse(behind)]);
  let told = 0;
  let seen = 0;
  let best = 0;
  let words = 0;
  for (const { parts, weight } of asked) {
    const inShown = weight * heldBy(visible, parts);
    const held = Math.max(inShown, weight * BEHIND * heldBy(all, parts));
    told += held;
    seen += inShown;
    best = Math.max(best, held);
    if (held > 0) words++;
  }
  const asks = asked.reduce((sum, { weight }) => sum + weight, 0);
  if (words < 2 && asks < ALONE) return 0;
  return told >= ENOUGH && best >= CARRYING && seen >= VISIBLE ? told : 0;
}

/** What a word tells of a text: its rarest part there, by the share of its parts that are there. */
function heldBy(text: ReadonlySet<string>, parts: AskedWord['parts']): number {
  const held = parts.filter(({ term }) => text.has(term));
  if (held.length === 0 || held.length < PARTS * parts.length) return 0;
  return (Math.max(...held.map(({ information }) => information)) * held.length) / parts.length;
}
