import { queryTerms } from '../../domain/language/analysis.ts';
import { snippet } from '../../domain/language/snippet.ts';
import { information } from '../../domain/ranking/similarity.ts';
import { evidenceSeqs } from '../decisions/evidence.ts';
import { Pauses } from '../pauses.ts';
import type { Tx } from '../tx.ts';
import { everyDocument } from './documents.ts';
import type { Question } from './question.ts';

/** Records whose texts are read at once: as many as a search shows. */
const TOGETHER = 10;

/** A record that answers a question, with the text that will be shown of it. */
export interface Shown {
  seq: number;
  shown: string;
}

/**
 * The words around the match, by `seq`, of those records whose shown text does not tell why they were found (W-3): it
 * holds less of the question than the rest of the record, or nothing at all, as when evidence matched.
 * @param read the words of the question that each record has, where they were read already
 */
export async function matchedWords(
  tx: Tx,
  asked: Question,
  records: Shown[],
  read?: Map<number, ReadonlySet<string>>,
): Promise<Map<number, string>> {
  // A listing of the newest has no words to match.
  if (asked.found.length === 0) return new Map();
  const weights = new Map(asked.found.map((term) => [term, information(term, asked.frequencies)]));
  const weightOf = (terms: string[]) => terms.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
  const seqs = records.map(({ seq }) => seq);
  const matched = read ?? (await tx.text.termsIn(tx.db, seqs, asked.found));
  const unexplained = new Map<number, Map<string, number>>();
  const pauses = new Pauses();
  for (const { seq, shown } of records) {
    await pauses.before(1, shown.length);
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
  const found = new Map<number, string>();
  const pauses = new Pauses();
  const look = async (seq: number, text: string) => {
    await pauses.before(1, text.length);
    const words = snippet(text, wanted.get(seq) ?? new Map());
    if (words !== undefined) found.set(seq, words);
  };
  const seqs = [...wanted.keys()];
  for (let at = 0; at < seqs.length; at += TOGETHER)
    for (const { seq, body } of await everyDocument(tx, seqs.slice(at, at + TOGETHER))) await look(seq, body);
  const others = seqs.filter((seq) => !found.has(seq));
  for (const { seq, version } of others.length > 0 ? await matchingEvidence(tx, others, wanted) : [])
    for (const { body } of found.has(version) ? [] : await everyDocument(tx, [seq]))
      await look(version, body);
  return found;
}

/** The evidence of these versions that has one of their terms: a piece is long, and there may be hundreds. */
async function matchingEvidence(tx: Tx, versions: number[], wanted: Map<number, Map<string, number>>) {
  const evidence = await evidenceSeqs(tx, versions);
  const terms = [...new Set(versions.flatMap((version) => [...(wanted.get(version)?.keys() ?? [])]))];
  const seqs = evidence.map(({ seq }) => seq);
  const matched = await tx.text.termsIn(tx.db, seqs, terms);
  return evidence.filter(({ seq }) => (matched.get(seq)?.size ?? 0) > 0);
}
