import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { BM25, COLUMN_WEIGHTS } from '../../domain/ranking/weights.ts';
import { analysed } from '../document.ts';
import type { Db, Document, TextIndex } from '../engine.ts';
import { Pauses } from '../pauses.ts';
import { oneAhead, together } from '../statements.ts';
import { ON_ITS_NODE } from './rows.ts';

/**
 * Which document has which term how often: exact BM25 in plain SQL. The primary key holds all that ranking reads, so
 * that the table itself is not read; each document's length is next to each of its terms for the same reason.
 */
export async function createTextIndex(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_documents')
    .addColumn('seq', 'bigint', (column) => column.primaryKey())
    .addColumn('length', 'integer', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('search_postings')
    .addColumn('term', 'text', (column) => column.notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('weight', 'real', (column) => column.notNull())
    .addColumn('length', 'integer', (column) => column.notNull())
    .execute();
  await sql`alter table all_search_postings add constraint search_postings_key
    primary key (workspace, term, seq) include (weight, length)`.execute(db);
  await db.schema.createIndex('search_postings_document').on('search_postings').column('seq').execute();
  await db.schema
    .createTable('search_totals')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('documents', 'bigint', (column) => column.notNull())
    .addColumn('tokens', 'bigint', (column) => column.notNull())
    .execute();
}

/** Characters of the documents that one statement puts in. */
const TOGETHER = 500_000;

export const textIndex: TextIndex = {
  async put(db, documents) {
    const pauses = new Pauses();
    const ready: Document[] = [];
    for (const document of documents) ready.push(await analysed(document, pauses));
    await oneAhead(inPieces(ready), (piece) => {
      const seqs = piece.map(({ seq }) => seq);
      const lengths = piece.map(lengthOf);
      const [titles, bodies] = [piece.map(({ title }) => title), piece.map(({ body }) => body)];
      const tokens = lengths.reduce((sum, length) => sum + length, 0);
      const { title, body } = COLUMN_WEIGHTS;
      return together(
        sql`insert into search_documents (workspace, seq, length, digest)
          select one.workspace, u.* from unnest(${seqs}::bigint[], ${lengths}::integer[], ${piece.map(digestOf)}::text[])
            as u ${sql.raw(ON_ITS_NODE)}`.execute(db),
        // Insert neighbours in the key together.
        sql`insert into search_postings (workspace, term, seq, weight, length)
          select one.workspace, t.term, d.seq, sum(t.weight), d.length
          from unnest(${seqs}::bigint[], ${lengths}::integer[], ${titles}::text[], ${bodies}::text[])
            as d (seq, length, title, body)
          cross join lateral (
            select term, ${sql.lit(title)}::real as weight from unnest(string_to_array(d.title, ' ')) as term
            union all select term, ${sql.lit(body)}::real from unnest(string_to_array(d.body, ' ')) as term
          ) as t ${sql.raw(ON_ITS_NODE)}
          group by one.workspace, t.term, d.seq, d.length order by t.term collate "C", d.seq`.execute(db),
        sql`update search_totals set documents = documents + ${piece.length}, tokens = tokens + ${tokens}`.execute(
          db,
        ),
      );
    });
  },

  async remove(db, seqs) {
    const these = sql`seq = any(${seqs}::bigint[])`;
    // Counted off while they are still there.
    await together(
      sql`update search_totals set documents = documents - d.count, tokens = tokens - d.length
        from (select count(*) as count, sum(length) as length from search_documents where ${these}) as d
        where d.count > 0`.execute(db),
      sql`delete from search_documents where ${these}`.execute(db),
      sql`delete from search_postings where ${these}`.execute(db),
    );
  },

  async holds(db, document) {
    const digest = digestOf(await analysed(document));
    const found = await sql`
      select 1 from search_documents where seq = ${document.seq} and digest = ${digest}`.execute(db);
    return found.rows.length > 0;
  },

  async clear(db) {
    // Emptied as a whole, which also mends a damaged index.
    await sql`delete from search_postings`.execute(db);
    await sql`delete from search_documents`.execute(db);
    await sql`insert into search_totals (id, documents, tokens) values (1, 0, 0)
      on conflict (id) do update set documents = 0, tokens = 0`.execute(db);
  },

  hits(terms) {
    // Materialized: else the planner reads the whole table for words that are in much of it.
    return sql`
      with found as materialized (
        select term, seq, weight, length from search_postings where term = any(${terms}::text[])
      ),
      totals as materialized (
        select documents::float8 as documents, tokens::float8 / greatest(documents, 1) as average from search_totals limit 1
      ),
      known as materialized (
        select term, ln((documents - count(*) + 0.5) / (count(*) + 0.5)) as information
        from found cross join totals group by term, documents
      )
      select found.seq, floor(0.5 + 1e9 * sum(
        case when information > 0 then information else ${sql.lit(BM25.leastInformation)}::float8 end * weight * ${sql.lit(BM25.k1 + 1)}::float8
        / (weight + ${sql.lit(BM25.k1)}::float8 * (${sql.lit(1 - BM25.b)}::float8 + ${sql.lit(BM25.b)}::float8 * length / average))
      )) / 1e9 as score
      from found join known on known.term = found.term cross join totals group by found.seq`;
  },

  matching(terms, isEvery = false) {
    if (isEvery)
      return sql`select seq from search_postings where term = any(${terms}::text[])
        group by seq having count(*) = ${terms.length}`;
    return sql`select distinct seq from search_postings where term = any(${terms}::text[])`;
  },

  async frequencies(db, terms, most) {
    const of = new Map<string, number>();
    if (terms.length === 0) return { documents: 0, of };
    const counts =
      most === undefined
        ? sql`select term, count(*) as count from search_postings where term = any(${terms}::text[]) group by term`
        : sql`select t.term, (select count(*) from (
            select 1 from search_postings as p where p.term = t.term limit ${most}) as found) as count
          from unnest(${terms}::text[]) as t (term)`;
    const counted = await sql<{ term: string | null; count: number }>`
      ${counts}
      union all select null, documents from search_totals`.execute(db);
    let documents = 0;
    for (const { term, count } of counted.rows) {
      if (term === null) documents = count;
      else of.set(term, count);
    }
    return { documents, of };
  },

  async termsIn(db, seqs, terms) {
    const matched = new Map<number, Set<string>>(seqs.map((seq) => [seq, new Set()]));
    if (seqs.length === 0 || terms.length === 0) return matched;
    // Each looked up in the key. Asked for as a list, or by two columns that are equal, the planner reads every posting of the
    // documents; a range of numbers within a term is in the key alone.
    const { rows } = await sql<{ seq: number; term: string }>`
      select d.seq, t.term from unnest(${seqs}::bigint[]) as d (seq) cross join unnest(${terms}::text[]) as t (term)
      where (select true from search_postings as p
        where p.term = t.term and p.seq between d.seq and d.seq limit 1)`.execute(db);
    for (const { seq, term } of rows) matched.get(seq)?.add(term);
    return matched;
  },

  async read(db, seqs, terms) {
    return { matched: await textIndex.termsIn(db, seqs, terms), kept: [] };
  },

  async firstIn(db, terms, eligible) {
    if (terms.length === 0) return undefined;
    const { rows } = await sql<{ term: string }>`
      select t.term from unnest(${terms}::text[]) with ordinality as t (term, place) where exists (
        select 1 from search_postings as p join records as r on r.seq = p.seq where p.term = t.term and ${eligible}
      ) order by t.place limit 1`.execute(db);
    return rows[0]?.term;
  },
};

/** Compares the totals and the postings with the documents. @returns a line when they differ */
export async function checkTotals(db: Db): Promise<string[]> {
  const { rows } = await sql<{ sound: number }>`
    select count(*) as sound from search_totals as t
    cross join (select count(*) as documents, coalesce(sum(length), 0) as tokens from search_documents) as d
    where t.documents = d.documents and t.tokens = d.tokens`.execute(db);
  const { rows: apart } = await sql<{ count: number }>`
    select count(*) as count from (select distinct seq from search_postings) as p
    full join (select seq from search_documents where length > 0) as d on d.seq = p.seq
    where p.seq is null or d.seq is null`.execute(db);
  const isSound = rows[0]?.sound === 1 && apart[0]?.count === 0;
  return isSound ? [] : ['the text index does not add up to its documents'];
}

/** Analysed documents, as many together as one statement should hold. */
function* inPieces(documents: Document[]): Generator<Document[]> {
  let piece: Document[] = [];
  let characters = 0;
  for (const document of documents) {
    piece.push(document);
    characters += document.title.length + document.body.length;
    if (characters < TOGETHER) continue;
    yield piece;
    [piece, characters] = [[], 0];
  }
  if (piece.length > 0) yield piece;
}

/** The hash that tells an analysed document from another. */
const digestOf = ({ title, body }: Document) => hash('sha256', `${title}\n${body}`, 'base64');

/** Tokens of an analysed document. */
const lengthOf = ({ title, body }: Document) => tokensIn(title) + tokensIn(body);
const tokensIn = (text: string) => (text === '' ? 0 : text.split(' ').length);
