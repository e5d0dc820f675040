import { analyse, wordsOfToken } from '../../domain/language/analysis.ts';
import { type Frequencies, information } from '../../domain/ranking/similarity.ts';
import { bestStretch, type Stretch } from '../../domain/ranking/stretch.ts';
import { STRETCH_TOKENS } from '../../domain/ranking/weights.ts';
import { textPieces } from '../../domain/text/text-pieces.ts';
import type { Document } from '../engine.ts';
import { Pauses } from '../pauses.ts';
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
  const stretches = new Map<number, Stretch>();
  const pauses = new Pauses();
  for (const document of documents) {
    await pauses.before(1, document.title.length + document.body.length);
    stretches.set(document.seq, bestStretch(document, weights, wordsOfToken));
  }
  return stretches;
}

/** Documents as tokens separated by spaces: as the index keeps them, or made once more where it does not. */
async function analysed(tx: Tx, seqs: number[], known: ReadonlyMap<number, Document>): Promise<Document[]> {
  const unread = seqs.filter((seq) => !known.has(seq));
  const read = await tx.text.read(tx.db, unread, [], STRETCH_TOKENS);
  const kept = [...seqs.flatMap((seq) => known.get(seq) ?? []), ...read.kept];
  const found = new Set(kept.map(({ seq }) => seq));
  const unknown = seqs.filter((seq) => !found.has(seq));
  const others = unknown.length > 0 ? await everyDocument(tx, unknown) : [];
  const pauses = new Pauses();
  for (const { seq, title, body } of others)
    kept.push({ seq, title: await firstTokens(title, pauses), body: await firstTokens(body, pauses) });
  return kept;
}

/** As many tokens of a text as a stretch is looked for in, or some more, separated by spaces. */
async function firstTokens(text: string, pauses: Pauses): Promise<string> {
  let tokens: string[] = [];
  for (const piece of textPieces(text)) {
    await pauses.before(0, piece.length);
    // As arguments of push, those of a text without blanks would be too many for the stack.
    tokens = tokens.concat(analyse(piece));
    if (tokens.length >= STRETCH_TOKENS) break;
  }
  return tokens.join(' ');
}
