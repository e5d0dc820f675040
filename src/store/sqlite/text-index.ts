import { type QueryExecutorProvider, sql } from 'kysely';
import { analyse } from '../../domain/language/analysis.ts';
import { COLUMN_WEIGHTS } from '../../domain/ranking/weights.ts';
import type { TextIndex } from '../engine.ts';

/**
 * An ordinary FTS5 table that stores the analysed text: tokens of letters and digits, separated by spaces, which
 * its `ascii` tokenizer leaves unchanged. Not contentless: such a table's document count never falls again.
 */
export async function createTextIndex(db: QueryExecutorProvider): Promise<void> {
  await sql`create virtual table search_text using fts5(title, body, tokenize = 'ascii')`.execute(db);
  await sql`create virtual table search_terms using fts5vocab(search_text, 'row')`.execute(db);
}

export const textIndex: TextIndex = {
  async put(db, documents) {
    for (const { seq, title, body } of documents) {
      await sql`insert into search_text (rowid, title, body)
        values (${seq}, ${analyse(title).join(' ')}, ${analyse(body).join(' ')})`.execute(db);
    }
  },

  async remove(db, seq) {
    await sql`delete from search_text where rowid = ${seq}`.execute(db);
  },

  async holds(db, { seq, title, body }) {
    const found = await sql`select 1 from search_text where rowid = ${seq}
      and title = ${analyse(title).join(' ')} and body = ${analyse(body).join(' ')}`.execute(db);
    return found.rows.length > 0;
  },

  async clear(db) {
    // Dropped, not emptied: that is faster, and works when the index is damaged.
    await sql`drop table if exists search_terms`.execute(db);
    await sql`drop table if exists search_text`.execute(db);
    await createTextIndex(db);
  },

  hits(terms) {
    const { title, body } = COLUMN_WEIGHTS;
    // Rounded to nine digits through a whole number: round() works through a text, which costs as much as the sorting.
    return sql`select rowid as seq,
      cast(0.5 - 1e9 * bm25(search_text, ${sql.lit(title)}, ${sql.lit(body)}) as integer) / 1e9 as score
      from search_text where search_text match ${anyOf(terms)}`;
  },

  matching(terms) {
    return sql`select rowid as seq from search_text where search_text match ${anyOf(terms)}`;
  },

  async frequencies(db, terms) {
    const of = new Map<string, number>();
    if (terms.length === 0) return { documents: 0, of };
    const found = await sql<{ term: string; doc: number }>`
      select term, doc from search_terms where term in (${sql.join(terms)})`.execute(db);
    for (const { term, doc } of found.rows) of.set(term, doc);
    // The table of document sizes has a row for each document, and is far smaller than the documents.
    const counted = await sql<{ documents: number }>`
      select count(*) as documents from search_text_docsize`.execute(db);
    return { documents: counted.rows[0]?.documents ?? 0, of };
  },

  async termsIn(db, seqs, terms) {
    const matched = new Map<number, Set<string>>();
    if (seqs.length === 0) return matched;
    // Texts may be megabytes long, so they stay in the database, and each is put together once: the limit keeps the
    // planner from doing that again for each term.
    const parted = JSON.stringify(terms.map((term) => ` ${term} `));
    const { rows } = await sql<{ seq: number; term: number }>`
      select d.seq, t.key as term
      from (
        select c.rowid as seq, ' ' || c.title || ' ' || c.body || ' ' as tokens
        from json_each(${JSON.stringify(seqs)}) as wanted cross join search_text as c
        where c.rowid = wanted.value limit -1
      ) as d cross join json_each(${parted}) as t where instr(d.tokens, t.value) > 0
    `.execute(db);
    for (const seq of seqs) matched.set(seq, new Set());
    for (const { seq, term } of rows) matched.get(seq)?.add(terms[term] as string);
    return matched;
  },
};

/** Each term quoted: a token has no quote in it, so nothing of a user's text is read as query syntax. */
function anyOf(terms: string[]): string {
  return terms.map((term) => `"${term}"`).join(' OR ');
}
