import { analyse, wordsOfToken } from '../../domain/language/analysis.ts';
import { type Frequencies, information } from '../../domain/ranking/similarity.ts';
import { bestStretch, type Stretch } from '../../domain/ranking/stretch.ts';
import { STRETCH_TOKENS } from '../../domain/ranking/weights.ts';
import type { Document } from '../engine.ts';
import type { Tx } from '../tx.ts';
import { everyDocument } from './documents.ts';

/**
 * The stretch of each of these documents that answers the most of a question, by `seq`.
 * @param known the texts of some of them, as the index keeps them
 */
export async function stretchesOf(
  tx: Tx,
  seqs: number[],
  terms: string[],
  frequencies: Frequencies,
  known: ReadonlyMap<number, Document>,
): Promise<Map<number, Stretch>> {
  const weights = new Map(terms.map((term) => [term, information(term, frequencies)]));
  const documents = await analysed(tx, seqs, known);
  return new Map(documents.map((document) => [document.seq, bestStretch(document, weights, wordsOfToken)]));
}

/** Documents as tokens separated by spaces: as the index keeps them, or made once more where it does not. */
async function analysed(tx: Tx, seqs: number[], known: ReadonlyMap<number, Document>): Promise<Document[]> {
  const unread = seqs.filter((seq) => !known.has(seq));
  const read = await tx.text.read(tx.db, unread, [], STRETCH_TOKENS);
  const kept = [...seqs.flatMap((seq) => known.get(seq) ?? []), ...read.kept];
  const found = new Set(kept.map(({ seq }) => seq));
  const unknown = seqs.filter((seq) => !found.has(seq));
  const others = unknown.length > 0 ? await everyDocument(tx, unknown) : [];
  const tokens = (text: string) => analyse(text).join(' ');
  return [
    ...kept,
    ...others.map(({ seq, title, body }) => ({ seq, title: tokens(title), body: tokens(body) })),
  ];
}
