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
 * The numbers were chosen with `node bench/gate.ts` on 210 generic and 124 telling prompts: less of any lets through what has
 * nothing to do with a prompt, more silences what has. Around them the result is flat: 0.1 of ENOUGH moves it by two prompts.
 */
const ORDINARY = 0.5;
/** What a word counts that only the reasons have. */
const BEHIND = 0.9;
/** The share of a word's parts that a text needs to hold it: `재설정` of `비밀번호재설정` alone does not. */
const PARTS = 0.5;
/** Words that a record must have at least: by one alone, `looks good, go ahead` would find a word of any record. */
const FEWEST = 2;
/** What the words must tell together, in words that one record has. */
const ENOUGH = 1;
/** What they must tell of all that is asked: a long prompt has some words of any record. */
const SHARE = 0.16;
/** What one of them must tell: many words that many records have do not carry it. */
const CARRYING = 0.4;
/** What must be told by the text that is shown: else nobody sees what it has to do with the prompt. */
const VISIBLE = 0.3;

/** How surely a record is about what a prompt says: 0 when that is not telling enough to be shown unasked. */
export function tellingness(asked: AskedWord[], { shown, behind }: Said): number {
  const visible = new Set(analyse(shown));
  const all = new Set([...visible, ...analyse(behind)]);
  const words = asked
    .map(({ parts, weight }) => {
      const seen = weight * heldBy(visible, parts);
      return { seen, told: Math.max(seen, weight * BEHIND * heldBy(all, parts)) };
    })
    .filter(({ told }) => told > 0);
  const told = sum(words.map((word) => word.told));
  const isTelling =
    words.length >= FEWEST &&
    told >= Math.max(ENOUGH, SHARE * sum(asked.map(({ weight }) => weight))) &&
    words.some((word) => word.told >= CARRYING) &&
    sum(words.map(({ seen }) => seen)) >= VISIBLE;
  return isTelling ? told : 0;
}

const sum = (numbers: number[]): number => numbers.reduce((all, number) => all + number, 0);

/** What a word tells of a text: its rarest part there, by the share of its parts that are there. */
function heldBy(text: ReadonlySet<string>, parts: AskedWord['parts']): number {
  const held = parts.filter(({ term }) => text.has(term));
  if (held.length === 0 || held.length < PARTS * parts.length) return 0;
  return (Math.max(...held.map(({ information }) => information)) * held.length) / parts.length;
}
