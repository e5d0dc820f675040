import { sql } from 'kysely';
import type { ChangeKind } from '../../domain/change.ts';
import type { Decision } from '../../domain/decision.ts';
import type { SavedKind } from '../../domain/kinds.ts';
import { KINDS_WITH_ID, STORED } from '../kinds/kinds.ts';
import { shortIds } from '../prefix.ts';
import { isOfRevision } from '../record.ts';
import { query } from '../statements.ts';
import type { Table } from '../tables.ts';
import type { Tx, Writer } from '../tx.ts';
import { type Recorded, recorded } from '../writer.ts';
import { readInPieces } from './records.ts';
import { type Happened, REWRITING, type SourceName } from './timeline.ts';

/** A row of the log: what happened, and to what. */
export interface Reported
  extends Partial<Pick<Decision, 'topic' | 'scope' | 'reasoning' | 'strength' | 'outcome' | 'branch'>>,
    Pick<Writer, 'author' | 'client'>,
    Recorded {
  /** The id of the record, by which it is read; `#38` for an observation. Undefined where nothing is left to read. */
  id?: string | undefined;
  /** The beginning of the id. */
  ref?: string | undefined;
  /** Of an observation, which has no topic. */
  title?: string | null;
  text: string | null;
  /** The date of a record, in milliseconds UTC. */
  dated?: number;
  /** Of a decision or a note: the text that it replaced. */
  was?: string | null;
  /** Whether it was decided, revised, withdrawn or undone. */
  happened?: string;
  /** Of a change: which kind of record it happened to, what kind it is, and the values that it replaced and brought, as JSON. */
  of?: SavedKind | null;
  change?: ChangeKind;
  before?: string | null;
  after?: string | null;
  /** When it was undone, or deleted, if it was. */
  retractedAt?: number | null;
  deletedAt?: number | null;
}

/** Characters of a text that may be long, and of one that is asked for whole: no limit is as high. */
const READ = 400;
const WHOLE = 10_000_000;
/** A row with the present title of what has one. */
type Row = Reported & { seq: number; observationId?: number | null | undefined; called?: string };

/**
 * Reads the entries of the log: in the order given, with a query for each kind.
 * @param full whether texts are whole
 * @returns with whole texts only the first few, at least one, where they are long
 */
export async function readHappened(tx: Tx, happened: Happened[], full = false): Promise<Reported[]> {
  if (!full) return read(tx, happened, READ);
  return readInPieces(
    happened,
    (piece) => read(tx, piece, WHOLE),
    ({ text, reasoning, was }) => [text, reasoning, was].reduce((sum, each) => sum + (each?.length ?? 0), 0),
  );
}

async function read(tx: Tx, happened: Happened[], characters: number): Promise<Reported[]> {
  const reported = new Map<Happened, Reported>();
  for (const [source, own] of Map.groupBy(happened, (each) => each.source)) {
    const rows = await rowsOf(tx, source, own, characters);
    const shortId = await shortIdsOf(tx, source, rows);
    for (const [index, each] of own.entries()) {
      const { seq: _, called: __, observationId, ...row } = rows[index] as Row;
      const id = observationId == null ? (row.id ?? undefined) : `#${observationId}`;
      reported.set(each, { ...row, id, ref: id && shortId(id) });
    }
  }
  return happened.map((each) => reported.get(each) as Reported);
}

/** Digits of an id that is named in passing, where it need not be the only one that begins so. */
const SHORT = 8;

async function shortIdsOf(
  tx: Tx,
  source: SourceName,
  rows: (Row | undefined)[],
): Promise<(id: string) => string> {
  const named = source === 'revision' || source === 'change' ? undefined : tableOfIds(source);
  if (named === undefined) return (id) => id.slice(0, SHORT);
  const ids = rows.flatMap((row) => row?.id ?? []);
  return shortIds(tx, named, ids);
}

function tableOfIds(kind: SavedKind): Table | undefined {
  const { table, log } = STORED[kind];
  return log.ids ?? (KINDS_WITH_ID.includes(kind) ? table : undefined);
}

async function rowsOf(
  tx: Tx,
  source: SourceName,
  own: Happened[],
  characters: number,
): Promise<(Row | undefined)[]> {
  if (source === 'revision') return revisions(tx, own, characters);
  const numbers = own.map(({ number }) => number);
  const bySeq = await (source === 'change'
    ? changes(tx, numbers, characters)
    : records(tx, source, numbers, characters));
  return numbers.map((number) => bySeq.get(number));
}

async function records(
  tx: Tx,
  kind: SavedKind,
  seqs: number[],
  characters: number,
): Promise<Map<number, Row>> {
  const wanted = sql`(${tx.lists.numbers(seqs)}) as wanted`;
  const rows = await query<Row>(tx)`${STORED[kind].log.read(wanted, characters)}`;
  return new Map(rows.map((row) => [row.seq, row]));
}

/** The text that a rewriting of a memo, `changes as x`, replaced, and the one that it brought. */
const [MEMO_WAS, MEMO_NOW] = [
  sql`v.summary`,
  sql`coalesce((select n.summary from memo_revisions as n
    where n.memo_seq = v.memo_seq and n.revision = v.revision + 1), m.summary)`,
].map(
  (text) => sql`(select ${text} from memo_revisions as v join memos as m on m.seq = v.memo_seq
    where v.memo_seq = x.record_seq and x.kind = 'rewritten' and ${isOfRevision('x', 'v')})`,
);

/** Changes, each with what the log says of the record that it happened to; nothing where that is gone. */
async function changes(tx: Tx, seqs: number[], characters: number): Promise<Map<number, Row>> {
  const rows = await query<Row & { recordSeq: number; of: SavedKind | null; now: string | null }>(tx)`
    select x.seq, ${MEMO_WAS} as was, ${MEMO_NOW} as now, x.kind as change, x.before, x.after, x.record_seq, r.kind as "of", w.author, w.client,
      ${recorded(sql`x.seq`, sql`x.created_at`, 'change')} as recorded
    from (${tx.lists.numbers(seqs)}) as wanted join changes as x on x.seq = wanted.id
    join writers as w on w.id = x.writer left join records as r on r.seq = x.record_seq`;
  const changed = new Map<number, Row>();
  for (const [kind, those] of Map.groupBy(rows, (row) => row.of)) {
    const wanted = [...new Set(those.map(({ recordSeq }) => recordSeq))];
    const found = kind === null ? [] : await records(tx, kind, wanted, characters);
    // A record with a title is named by it.
    const isTitled = kind !== null && STORED[kind].title !== undefined;
    for (const [seq, row] of found) changed.set(seq, isTitled ? { ...row, text: null } : row);
  }
  return new Map(
    rows.map(({ recordSeq, now, ...row }) => {
      const { id, observationId, topic = null, called = null, text = null } = changed.get(recordSeq) ?? {};
      return [row.seq, { ...row, id, observationId, topic, title: called, text: now ?? text }];
    }),
  );
}

/** The texts that took the place of earlier ones, with who wrote them. */
async function revisions(tx: Tx, own: Happened[], characters: number): Promise<Row[]> {
  const numbers = (of: 'number' | 'second') => tx.lists.numbers([...new Set(own.map((each) => each[of]))]);
  const rows = await query<Row & { revision: number; observationId: number }>(tx)`
    select x.observation_id, x.revision, coalesce(n.title, o.title) as title,
      substr(coalesce(n.content, o.content), 1, ${characters}) as text, substr(x.content, 1, ${characters}) as was,
      w.author, w.client, x.replaced_at as dated, ${recorded(REWRITING, sql`x.replaced_at`, 'change')} as recorded
    from (${numbers('number')}) as wanted
    join observation_revisions as x on x.observation_id = wanted.id join observations as o on o.id = x.observation_id
    left join observation_revisions as n on n.observation_id = x.observation_id and n.revision = x.revision + 1
    join writers as w on w.id = coalesce(n.writer, o.writer)
    where x.revision in (select id from (${numbers('second')}) as revisions)`;
  const byKey = new Map(rows.map((row) => [`${row.observationId} ${row.revision}`, row]));
  return own.map(({ number, second }) => byKey.get(`${number} ${second}`) as Row);
}
