import type { Outcome } from '../outcome.ts';
import { OTHER_WEIGHT, UNHEARD_DOCUMENTS } from './weights.ts';

/** How many documents there are, and how many of them have each term of a question. */
export interface Frequencies {
  documents: number;
  of: ReadonlyMap<string, number>;
}

/**
 * The information of a term in nats, always above zero: ln(1 + (N − n + ½) / (n + ½)). BM25's own IDF falls to zero in
 * a memory of three records, which would make every similarity meaningless.
 */
export function information(term: string, frequencies: Frequencies): number {
  return informationOf(frequencies.of.get(term) ?? 0, frequencies.documents);
}

/** {@link information} of a term that this many of the documents have. */
export function informationOf(found: number, documents: number): number {
  return Math.log1p((documents - found + 0.5) / (found + 0.5));
}

/** The rarest terms that any document has, at most `limit`, in a fixed order. */
export function rarestTerms(terms: string[], frequencies: Frequencies, limit: number): string[] {
  const found = (term: string) => frequencies.of.get(term) ?? 0;
  return terms
    .filter((term) => found(term) > 0)
    .sort((a, b) => found(a) - found(b) || (a < b ? -1 : 1))
    .slice(0, limit);
}

/**
 * The share, 0..1, of the question's information that a record matched. Terms that no document has count as missed.
 * @param given the question's own terms: those that are looked for instead of one count less
 */
export function similarity(
  terms: string[],
  matched: ReadonlySet<string>,
  frequencies: Frequencies,
  given?: ReadonlySet<string>,
): number {
  return share(
    terms,
    matched,
    (term) => information(term, frequencies) * (given?.has(term) === false ? OTHER_WEIGHT : 1),
  );
}

/** To three decimal places; 0 for no terms. */
function share(
  terms: string[],
  matched: ReadonlySet<string>,
  weightOf: (term: string) => number,
  instead: Stead[] = [],
): number {
  let asked = 0;
  let answered = 0;
  for (const term of terms) {
    const weight = weightOf(term);
    asked += weight;
    if (matched.has(term)) answered += weight;
  }
  for (const { missing, by } of instead)
    if (by.some((each) => each.every((term) => matched.has(term))))
      for (const term of missing) if (!matched.has(term)) answered += INSTEAD * weightOf(term);
  return asked === 0 ? 0 : Math.round((answered / asked) * 1000) / 1000;
}

/** The terms of a word that no record has, and those of each word that was looked for instead. */
export interface Stead {
  missing: string[];
  by: string[][];
}

/** How much of a word is answered by a record that has another one in its place (T-8). */
const INSTEAD = 0.5;

/**
 * The {@link similarity} that people and programs see. Every memory counts as one with some more documents: in one of
 * three records, a word that one of them has would tell little next to a word that none has. And a Korean word that none has
 * counts once, as an English one does, not once for each pair of its syllables. A replacement for a word is not part
 * of the question: it answers half of that word.
 * @param wordsOf how many words a term is
 */
export function shareAnswered(
  { terms, instead }: { terms: string[]; instead: Stead[] },
  matched: ReadonlySet<string>,
  { documents, of }: Frequencies,
  wordsOf: (term: string) => number,
): number {
  const weightOf = (term: string) => {
    const found = of.get(term) ?? 0;
    return informationOf(found, documents + UNHEARD_DOCUMENTS) * (found === 0 ? wordsOf(term) : 1);
  };
  return share(terms, matched, weightOf, instead);
}

/** The fields of a matching version that ranking needs. `isHead`: the newest version of its chain. */
export interface Match {
  id: string;
  rootId: string;
  version: number;
  text: string;
  isHead: boolean;
  outcome: Outcome | null;
  /** Higher is better; 0 for a version that is shown only because its chain matched. */
  score: number;
}

/**
 * Turns chains into the rows to show: of each the newest version, then at most one superseded version, a failed one by
 * preference, but none that the newest repeats, as after an undo (K-6). With `all`, every version, the newer first.
 * @param chains matches grouped by chain, best chain first
 */
export function arrange(chains: Match[][], all: boolean, limit: number): Match[] {
  const rows = chains.flatMap((chain) => {
    const newestFirst = [...chain].sort((a, b) => b.version - a.version);
    if (all) return newestFirst;
    const head = newestFirst.find((match) => match.isHead);
    const superseded = newestFirst
      .filter((match) => !match.isHead && !isRepeated(match, head))
      .sort(preferFailed);
    return [...(head ? [head] : []), ...superseded.slice(0, 1)];
  });
  return rows.slice(0, limit);
}

function isRepeated({ text, outcome }: Match, head: Match | undefined): boolean {
  return head?.text === text && head.outcome === outcome;
}

function preferFailed(a: Match, b: Match): number {
  const failed = (match: Match) => (match.outcome === 'failed' ? 1 : 0);
  return failed(b) - failed(a) || b.score - a.score;
}
