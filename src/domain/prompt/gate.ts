import { analyse, queryTerms } from '../language/analysis.ts';
import { type Frequencies, informationOf } from '../ranking/similarity.ts';
import { GENERIC_WORDS } from './generic-words.ts';
import { ORDINARY_WORDS } from './ordinary-words.ts';

/** A word of a prompt as the index knows it. */
export interface AskedWord {
  /** Its parts, with what each tells as a share, 0..1, of what a part tells that one record has. */
  parts: { term: string; information: number }[];
  /** How much it counts: less for a word that prompts of any project have. */
  weight: number;
  /** Whether it only adds to what other words tell, since every prompt has it. */
  isGeneric: boolean;
  /** What it counts among all that is asked. */
  asked: number;
}

/** What a record says, as far as it is compared with a prompt. */
export interface Said {
  /** What an agent is shown of it: what it is called and says. */
  shown: string;
  /** What lies behind that: its reasons. */
  behind: string;
  /** The share, 0..1, of the prompt's information that it has. */
  similarity: number;
}

/** Whether a record is about what a prompt says. */
export interface Verdict {
  /** Whether it is surely enough to be shown unasked, or near enough to be shown beside one that is. */
  is: 'telling' | 'near' | 'silent';
  /** What it tells of the prompt, in words that one record has. */
  told: number;
}

/** The words of a prompt, with what each tells in this memory: the rarer, the more. */
export function askedWords(words: string[], { documents, of }: Frequencies): AskedWord[] {
  const most = informationOf(1, documents);
  const count = (term: string) => of.get(term) ?? 0;
  return words.map((word) => {
    const terms = queryTerms(word).filter((term) => term.length > 1);
    const isGeneric = GENERIC_WORDS.has(word);
    const weight = isGeneric ? GENERIC : ORDINARY_WORDS.has(word) ? ORDINARY : 1;
    const known = terms.filter((term) => count(term) > 0).length;
    const isHeard = known > 0 && known >= PARTS * terms.length;
    return {
      parts: terms.map((term) => ({
        term,
        information: Math.min(1, informationOf(count(term), documents) / most),
      })),
      weight,
      isGeneric,
      asked: isGeneric ? 0 : isHeard ? weight : UNHEARD * weight,
    };
  });
}

/*
 * The numbers were chosen with `node bench/gate.ts` on 355 generic and 124 telling prompts: less of any lets through what has
 * nothing to do with a prompt, more silences what has. Around them the result is flat: a step of any moves it by two prompts.
 */
const ORDINARY = 0.5;
const GENERIC = 0.2;
/** What a word counts among all that is asked which no record has: a verb's ending, or another word for what a record says. */
const UNHEARD = 0.75;
/** What a word counts that only the reasons have. */
const BEHIND = 0.7;
/** The share of a word's parts that a text needs to hold it: `재설정` of `비밀번호재설정` alone does not. */
const PARTS = 0.5;
/** Words that a record must have at least: by one alone, `looks good, go ahead` would find a word of any record. */
const FEWEST = 2;
/** What the words must tell together, in words that one record has. */
const ENOUGH = 1.05;
/** What they must tell of all that is asked: a long prompt has some words of any record. */
const SHARE = 0.16;
/** What must be told by the text that is shown: else nobody sees what it has to do with the prompt. */
const VISIBLE = 0.3;
/** The share of all that is asked, in so many words that are shown, that is telling however ordinary each word is. */
const ANSWERED = 0.6;
const ANSWERED_WORDS = 3;
/** What a record beside a telling one must tell, as a share of what that must. */
const BESIDE = 0.8;

/** Whether a record says enough of what a prompt says. */
export function verdictOn(asked: AskedWord[], { shown, behind, similarity }: Said): Verdict {
  const visible = new Set(analyse(shown));
  const all = new Set([...visible, ...analyse(behind)]);
  const held = asked
    .map((word) => {
      const seen = word.weight * heldBy(visible, word.parts);
      const told = Math.max(seen, word.weight * BEHIND * heldBy(all, word.parts));
      return { seen, told, isGeneric: word.isGeneric };
    })
    .filter(({ told }) => told > 0);
  const own = held.filter(({ isGeneric }) => !isGeneric);
  const told = sum(held.map((word) => word.told));
  const needed = Math.max(ENOUGH, SHARE * sum(asked.map((word) => word.asked)));
  const isTelling = own.length >= FEWEST && told >= needed && sum(own.map(({ seen }) => seen)) >= VISIBLE;
  const isAnswered = similarity >= ANSWERED && held.filter(({ seen }) => seen > 0).length >= ANSWERED_WORDS;
  if (isTelling || isAnswered) return { is: 'telling', told };
  return { is: own.length > 0 && told >= BESIDE * needed ? 'near' : 'silent', told };
}

const sum = (numbers: number[]): number => numbers.reduce((all, number) => all + number, 0);

/** What a word tells of a text: its rarest part there, by the share of its parts that are there. */
function heldBy(text: ReadonlySet<string>, parts: AskedWord['parts']): number {
  const held = parts.filter(({ term }) => text.has(term));
  if (held.length === 0 || held.length < PARTS * parts.length) return 0;
  return (Math.max(...held.map(({ information }) => information)) * held.length) / parts.length;
}
