import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { append } from '../../domain/append.ts';
import { TOKEN_CHARACTERS } from '../../domain/language/analysis.ts';
import { COLUMN_WEIGHTS } from '../../domain/ranking/weights.ts';
import { analysed } from '../document.ts';
import type { Document, TextIndex, TextsRead } from '../engine.ts';
import { Pauses, STRETCH, stretchesOf } from '../pauses.ts';
import { countOf } from '../rows.ts';

/** Bytes of a text that are read in the time in which the index looks up one term in one document (measured). */
const BYTES_PER_LOOKUP = 700;
/** Documents with a term that the index names in the time in which one text is read (measured). */
const HITS_PER_TEXT = 8;

/**
 * An ordinary FTS5 table that stores the analysed text: tokens of letters and digits, separated by spaces, which
 * its `ascii` tokenizer leaves unchanged. Not contentless: such a table's document count never falls again.
 */
export async function createTextIndex(db: QueryExecutorProvider): Promise<void> {
  await sql`create virtual table search_text using fts5(title, body, tokenize = 'ascii')`.execute(db);
  await sql`create virtual table search_terms using fts5vocab(search_text, 'row')`.execute(db);
}

const PUT = 'insert into search_text (rowid, title, body) values (?, ?, ?)';
/** A document takes as long as so many rows do. */
const ROWS = 10;

/**
 * @param database the one connection that writes take turns on: what is sent for each of thousands of documents goes
 *   to it without a detour. One by one, since a statement for many makes FTS5 write out what it has gathered each time.
 */
export function textIndex(database: DatabaseSync): TextIndex {
  let put: StatementSync | undefined;
  return {
    ...reading,
    async put(_, documents) {
      put ??= database.prepare(PUT);
      const pauses = new Pauses();
      for (const document of documents) {
        const { seq, title, body } = await analysed(document, pauses);
        await pauses.before(ROWS, title.length + body.length);
        put.run(seq, title, body);
      }
    },
  };
}

const reading: Omit<TextIndex, 'put'> = {
  async remove(db, seqs) {
    await sql`delete from search_text where rowid in (select t.value from ${listed(seqs)})`.execute(db);
  },

  async holds(db, document) {
    const { seq, title, body } = await analysed(document);
    const found = await sql`select 1 from search_text where rowid = ${seq}
      and title = ${title} and body = ${body}`.execute(db);
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

  matching(terms, isEvery = false) {
    return sql`select rowid as seq from search_text where search_text match ${anyOf(terms, isEvery ? 'AND' : 'OR')}`;
  },

  async frequencies(db, terms, most) {
    const of = new Map<string, number>();
    if (terms.length === 0) return { documents: 0, of };
    const pauses = new Pauses();
    for (const some of stretchesOf(terms, () => 0)) {
      await pauses.before(STRETCH.rows, 0);
      const counts =
        most === undefined
          ? sql`select term, doc from search_terms where term in (select t.value from ${listed(some)})`
          : sql`select t.value as term, (select count(*) from (
              select 1 from search_text where search_text match ${QUOTED} limit ${most})) as doc from ${listed(some)}`;
      const { rows } = await sql<{ term: string; doc: number }>`${counts}`.execute(db);
      for (const { term, doc } of rows) of.set(term, doc);
    }
    return { documents: await countOf({ db }, sql`search_text_docsize`), of };
  },

  async termsIn(db, seqs, terms, most = Number.POSITIVE_INFINITY) {
    // Where few documents have a term, most of these have none, and are not read.
    const isHit =
      most <= seqs.length * HITS_PER_TEXT
        ? sql`and wanted.value in (select rowid from search_text where search_text match ${anyOf(terms)})`
        : sql``;
    const { matched } = await look(db, seqs, terms, terms.length * BYTES_PER_LOOKUP, sql`null`, isHit);
    return matched;
  },

  read(db, seqs, terms, most) {
    const bytes = most * (TOKEN_CHARACTERS + 1);
    return look(db, seqs, terms, bytes, sql`substr(c.c1, 1, ${bytes})`);
  },

  async firstIn(db, terms, eligible) {
    if (terms.length === 0) return undefined;
    const { rows } = await sql<{ term: string }>`
      select t.value as term from ${listed(terms)} where exists (
        select 1 from search_text as f cross join records as r
        where f.search_text match ${QUOTED} and r.seq = f.rowid and ${eligible}
      ) limit 1`.execute(db);
    return rows[0]?.term;
  },
};

/**
 * Which of the terms are in each of a few documents, and these, a stretch of text at a time (Z-5). How long a body is comes
 * before it: a long one is not read for that.
 * @param most bytes of a body that is read
 * @param instead what is read of a longer one
 */
async function look(
  db: QueryExecutorProvider,
  seqs: number[],
  terms: string[],
  most: number,
  instead: RawBuilder<unknown>,
  isHit = sql``,
): Promise<TextsRead> {
  const matched = new Map<number, Set<string>>(seqs.map((seq) => [seq, new Set()]));
  if (seqs.length === 0 || most === 0) return { matched, kept: [] };
  const { rows: sizes } = await sql<{ seq: number; size: number }>`
    select c.id as seq, octet_length(c.c0) + octet_length(c.c1) as size
    from json_each(${JSON.stringify(seqs)}) as wanted cross join search_text_content as c
    where c.id = wanted.value ${isHit}`.execute(db);
  const kept: Document[] = [];
  const wanted = new Set(terms);
  const pauses = new Pauses();
  for (const some of stretchesOf(sizes, ({ size }) => Math.min(size, most))) {
    await pauses.before(
      some.length,
      some.reduce((sum, { size }) => sum + Math.min(size, most), 0),
    );
    const { rows } = await sql<Document & { long: number }>`
      select c.id as seq, c.c0 as title, octet_length(c.c1) > ${most} as long,
        case when octet_length(c.c1) > ${most} then ${instead} else c.c1 end as body
      from json_each(${JSON.stringify(some.map(({ seq }) => seq))}) as wanted
      cross join search_text_content as c where c.id = wanted.value`.execute(db);
    const long: number[] = [];
    for (const row of rows) {
      if (row.long === 1) long.push(row.seq);
      else addTerms(`${row.title} ${row.body}`, wanted, matched.get(row.seq));
    }
    append(kept, rows);
    if (long.length === 0 || terms.length === 0) continue;
    const found = await sql<{ seq: number; term: string }>`
      select f.rowid as seq, t.value as term
      from ${listed(terms)} cross join json_each(${JSON.stringify(long)}) as wanted cross join search_text as f
      where f.search_text match ${QUOTED} and f.rowid = wanted.value`.execute(db);
    for (const { seq, term } of found.rows) matched.get(seq)?.add(term);
  }
  return { matched, kept };
}

/** It takes as long as the text is, however many terms are looked for. */
function addTerms(tokens: string, terms: ReadonlySet<string>, found: Set<string> | undefined): void {
  for (const token of tokens.split(' ')) if (terms.has(token)) found?.add(token);
}

/** Terms as `t.value`, in their order: `json_each` gives them one after the other. */
function listed(values: (string | number)[]) {
  return sql`json_each(${JSON.stringify(values)}) as t`;
}

/** One of them as a query, quoted as by {@link anyOf}. */
const QUOTED = sql`'"' || t.value || '"'`;

/** Each term quoted: a token has no quote in it, so nothing of a user's text is read as query syntax. */
function anyOf(terms: string[], link = 'OR'): string {
  return terms.map((term) => `"${term}"`).join(` ${link} `);
}
