import { append } from '../domain/append.ts';
import { analyse } from '../domain/language/analysis.ts';
import { textPieces } from '../domain/text/text-pieces.ts';
import type { Db, Document, TextIndex } from './engine.ts';
import { Pauses } from './pauses.ts';
import { query, together } from './statements.ts';
import type { Tx } from './tx.ts';

/** Documents that are sent with one statement. */
const TOGETHER = 500;

/**
 * A document with the tokens of its texts in their place.
 * @param pauses between pieces of a long text
 */
export async function analysed(document: Document, pauses = new Pauses()): Promise<Document> {
  if (document.isAnalysed) return document;
  const title = await tokensOf(document.title, pauses);
  const body = await tokensOf(document.body, pauses);
  return { ...document, title, body, isAnalysed: true };
}

/** The tokens of a text, separated by spaces. */
async function tokensOf(text: string, pauses: Pauses): Promise<string> {
  const tokens: string[] = [];
  for (const piece of textPieces(text)) {
    await pauses.before(0, piece.length);
    const found = analyse(piece).join(' ');
    // A piece may have several times as many characters of tokens, which take their time as well.
    await pauses.before(0, found.length);
    if (found !== '') tokens.push(found);
  }
  return tokens.join(' ');
}

/** Makes a record findable: by its text at once, by its meaning after a model has embedded it. */
export function putDocument(tx: Tx, document: Document): Promise<void> {
  return putDocuments(tx, [document]);
}

/** {@link putDocument} for several records. */
export async function putDocuments(tx: Tx, documents: Document[]): Promise<void> {
  await tx.text.put(tx.db, documents);
  append(tx.written, documents);
}

/** Removes records from every search. */
export async function removeDocuments(tx: Tx, seqs: number[]): Promise<void> {
  await together(
    tx.text.remove(tx.db, seqs),
    query(tx)`delete from vectors where seq in (${tx.lists.numbers(seqs)})`,
  );
}

/**
 * The text index for a transaction that saves much and searches nothing: what is put into it goes there together (U-7),
 * since each time costs statements, and on PostgreSQL another version of the row that counts the documents.
 * @returns also `flush`, which sends the rest
 */
export function gathering(text: TextIndex): { text: TextIndex; flush: (db: Db) => Promise<void> } {
  const waiting = new Map<number, Document>();
  const flush = async (db: Db) => {
    const documents = [...waiting.values()];
    waiting.clear();
    if (documents.length > 0) await text.put(db, documents);
  };
  return {
    flush,
    text: refusingIndex(
      () => {
        throw new Error('What gathers documents is not searched.');
      },
      {
        async put(db, documents) {
          for (const document of documents) waiting.set(document.seq, document);
          if (waiting.size >= TOGETHER) await flush(db);
        },
        async remove(db, seqs) {
          const there = seqs.filter((seq) => !waiting.delete(seq));
          if (there.length > 0) await text.remove(db, there);
        },
      },
    ),
  };
}

/** A text index that refuses all but what is its own. */
export const refusingIndex = (refuse: () => never, own: Partial<TextIndex> = {}): TextIndex =>
  new Proxy(own as TextIndex, { get: (index, name) => Reflect.get(index, name) ?? refuse });
