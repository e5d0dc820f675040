import { analyse, wordsOfToken } from '../../domain/language/analysis.ts';
import { type Frequencies, information } from '../../domain/ranking/similarity.ts';
import { bestStretch, type Stretch } from '../../domain/ranking/stretch.ts';
import { STRETCH_TOKENS } from '../../domain/ranking/weights.ts';
import type { Document } from '../engine.ts';
import type { Tx } from '../tx.ts';
import { everyDocument } from './documents.ts';

/** The stretch of each of these documents that answers the most of a question, by `seq`. */
export async function stretchesOf(
  tx: Tx,
  seqs: number[],
  terms: string[],
  frequencies: Frequencies,
): Promise<Map<number, Stretch>> {
  const weights = new Map(terms.map((term) => [term, information(term, frequencies)]));
  const documents = await analysed(tx, seqs);
  return new Map(
    documents.map(({ seq, title, body }) => {
      const tokens = { title: tokensOf(title), body: tokensOf(body).slice(0, STRETCH_TOKENS) };
      return [seq, bestStretch(tokens, weights, wordsOfToken)];
    }),
  );
}

/** Documents as tokens separated by spaces: as the index keeps them, or made once more where it does not. */
async function analysed(tx: Tx, seqs: number[]): Promise<Document[]> {
  const kept = await tx.text.kept(tx.db, seqs, STRETCH_TOKENS);
  const known = new Set(kept.map(({ seq }) => seq));
  const unknown = seqs.filter((seq) => !known.has(seq));
  const others = unknown.length > 0 ? await everyDocument(tx, unknown) : [];
  const tokens = (text: string) => analyse(text).join(' ');
  return [
    ...kept,
    ...others.map(({ seq, title, body }) => ({ seq, title: tokens(title), body: tokens(body) })),
  ];
}

const tokensOf = (text: string): string[] => (text === '' ? [] : text.split(' '));
