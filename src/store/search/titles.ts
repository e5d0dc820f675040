import { sql } from 'kysely';
import { queryTerms } from '../../domain/language/analysis.ts';
import { STORED } from '../kinds/kinds.ts';
import type { Tx } from '../tx.ts';
import { bestRecords } from './hits.ts';

/** Records looked at for a word: a title weighs more than other text, so that one with the word is among the best. */
const LOOKED_AT = 5;

/** Those of these words that stand in the topic of a decision or the title of an observation. */
export async function wordsInTitles(tx: Tx, words: string[]): Promise<Set<string>> {
  const asked: { word: string; terms: string[]; seqs: number[] }[] = [];
  for (const word of words) {
    const terms = queryTerms(word);
    const records = terms.length > 0 ? await bestRecords(tx, terms, LOOKED_AT) : [];
    if (records.length > 0) asked.push({ word, terms, seqs: records.map(({ seq }) => seq) });
  }
  const titles = await titlesOf(tx, [...new Set(asked.flatMap(({ seqs }) => seqs))]);
  const isInTitle = ({ terms, seqs }: { terms: string[]; seqs: number[] }) =>
    seqs.some((seq) => terms.every((term) => titles.get(seq)?.has(term)));
  return new Set(asked.filter(isInTitle).map(({ word }) => word));
}

/** The terms of the topics and titles of these records, by their numbers. */
async function titlesOf(tx: Tx, seqs: number[]): Promise<Map<number, Set<string>>> {
  if (seqs.length === 0) return new Map();
  const wanted = tx.lists.numbers(seqs);
  const titles = Object.values(STORED).flatMap(({ table, title }) => {
    if (title === undefined) return [];
    const column = sql.ref(`t.${title}`);
    return [
      sql`select t.seq, ${column} as title from (${wanted}) as wanted join ${sql.table(table)} as t on t.seq = wanted.id
        where ${column} is not null`,
    ];
  });
  const { rows } = await sql<{ seq: number; title: string }>`${sql.join(titles, sql` union all `)}`.execute(
    tx.db,
  );
  return new Map(rows.map(({ seq, title }) => [seq, new Set(queryTerms(title))]));
}
