import type { DatabaseSync } from 'node:sqlite';

/** The words of a memory with the number of records in which each stands. */
export function wordsOf(raw: DatabaseSync): { term: string; doc: number }[] {
  return raw.prepare('select term, doc from search_terms').all() as { term: string; doc: number }[];
}

/** Those words that are nearest to standing in this share of so many records. */
export function nearest(
  words: ReturnType<typeof wordsOf>,
  count: number,
  share: number,
  many: number,
): string[] {
  const distance = ({ doc }: { doc: number }) => Math.abs(Math.log(doc / count / share));
  return words
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, many)
    .map(({ term }) => term);
}
