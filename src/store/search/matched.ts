import { queryTerms } from '../../domain/language/analysis.ts';
import { snippet } from '../../domain/language/snippet.ts';
import { information } from '../../domain/ranking/similarity.ts';
import { evidenceTextsOf } from '../decisions/evidence.ts';
import { Pauses } from '../pauses.ts';
import { together } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { everyDocument } from './documents.ts';
import type { Question } from './question.ts';

/** A record that answers a question, with the text that will be shown of it. */
export interface Shown {
  seq: number;
  shown: string;
}

/**
 * The words around the match, by `seq`, of those records whose shown text does not tell why they were found (W-3): it
 * holds less of the question than the rest of the record, or nothing at all, as when evidence matched.
 */
export async function matchedWords(tx: Tx, asked: Question, records: Shown[]): Promise<Map<number, string>> {
  // A listing of the newest has no words to match.
  if (asked.found.length === 0) return new Map();
  const weights = new Map(asked.found.map((term) => [term, information(term, asked.frequencies)]));
  const weightOf = (terms: string[]) => terms.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
  const seqs = records.map(({ seq }) => seq);
  const matched = await tx.text.termsIn(tx.db, seqs, asked.found);
  const unexplained = new Map<number, Map<string, number>>();
  for (const { seq, shown } of records) {
    const inShown = new Set(queryTerms(shown));
    const [seen, unseen] = [
      asked.found.filter((term) => inShown.has(term)),
      asked.found.filter((term) => !inShown.has(term)),
    ];
    const hidden = unseen.filter((term) => matched.get(seq)?.has(term));
    if (seen.length > 0 && weightOf(hidden) <= weightOf(seen)) continue;
    unexplained.set(seq, new Map(unseen.map((term) => [term, weights.get(term) ?? 0])));
  }
  return snippetsOf(tx, unexplained);
}

async function snippetsOf(tx: Tx, wanted: Map<number, Map<string, number>>): Promise<Map<number, string>> {
  const seqs = [...wanted.keys()];
  const found = new Map<number, string>();
  if (seqs.length === 0) return found;
  const documents = (await together(everyDocument(tx, seqs), evidenceTextsOf(tx, seqs))).flat();
  const pauses = new Pauses();
  for (const { seq, body } of documents) {
    await pauses.before(1, body.length);
    const words = found.has(seq) ? undefined : snippet(body, wanted.get(seq) ?? new Map());
    if (words !== undefined) found.set(seq, words);
  }
  return found;
}
