import { type RawBuilder, sql } from 'kysely';
import type { ChangeKind } from '../../domain/change.ts';
import type { Strength } from '../../domain/decision.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { shortIds } from '../prefix.ts';
import type { Table } from '../tables.ts';
import type { Tx } from '../tx.ts';
import type { Happened, SourceName } from './timeline.ts';
import { readInPieces } from './whole.ts';

/** A row of the log: what happened, and to what. */
export interface Told {
  /** The id of the record, by which it is read; `#38` for an observation. Undefined where nothing is left to read. */
  id?: string | undefined;
  /** The beginning of the id. */
  ref?: string | undefined;
  topic?: string | null;
  scope?: string;
  /** Of an observation, which has no topic. */
  title?: string | null;
  text: string | null;
  version?: number;
  /** Of a decision: its reason, and the text of the version that it replaced. */
  reasoning?: string | null;
  was?: string | null;
  strength?: Strength;
  withdrawn?: number;
  /** What became of a decision, or what was recorded of it. */
  outcome?: Outcome | null;
  /** Of a change: what kind it is, and the values that it replaced and brought, as JSON. */
  change?: ChangeKind;
  before?: string | null;
  after?: string | null;
  author: string;
  client: string;
}

/** Characters of a text that may be long, and of one that is asked for whole: no limit is as high. */
const READ = 400;
const WHOLE = 10_000_000;
/** The table of the records whose ids are told. */
const TABLES: Partial<Record<SourceName, Table>> = {
  decision: 'decisions',
  outcome: 'decisions',
  evidence: 'evidence',
  anchor: 'anchors',
  checkpoint: 'checkpoints',
  memo: 'memos',
};

const WRITTEN = sql`join records as r on r.seq = x.seq join writers as w on w.id = r.writer`;
const WHO = sql`w.author, w.client`;

/** Each kind of what happened by the numbers of its rows, which a query finds in `wanted.id`. */
const QUERIES: Record<
  Exclude<SourceName, 'revision'>,
  (wanted: RawBuilder<unknown>, characters: number) => RawBuilder<unknown>
> = {
  decision: (
    wanted,
  ) => sql`select x.seq, x.id, x.topic, x.scope, x.text, x.version, x.strength, x.withdrawn, x.outcome, x.reasoning,
      before.text as was, ${WHO}
    from ${wanted} join decisions as x on x.seq = wanted.id ${WRITTEN}
    left join decisions as before on before.root_id = x.root_id and before.version = x.version - 1`,
  outcome: (
    wanted,
  ) => sql`select x.seq, d.id, d.topic, d.scope, coalesce(x.reason, d.text) as text, d.strength, x.outcome, ${WHO}
    from ${wanted} join outcomes as x on x.seq = wanted.id join decisions as d on d.id = x.decision_id ${WRITTEN}`,
  evidence: (
    wanted,
    characters,
  ) => sql`select x.seq, x.id, d.topic, d.scope, substr(x.content, 1, ${characters}) as text, ${WHO}
    from ${wanted} join evidence as x on x.seq = wanted.id join decisions as d on d.id = x.decision_ref ${WRITTEN}`,
  anchor: (wanted) => sql`select x.seq, x.id, d.topic, d.scope, x.hint as text, ${WHO}
    from ${wanted} join anchors as x on x.seq = wanted.id left join evidence as e on e.id = x.evidence_ref
    join decisions as d on d.id = coalesce(x.decision_ref, e.decision_ref) ${WRITTEN}`,
  checkpoint: (
    wanted,
    characters,
  ) => sql`select x.seq, x.id, substr(x.summary, 1, ${characters}) as text, ${WHO}
    from ${wanted} join checkpoints as x on x.seq = wanted.id ${WRITTEN}`,
  observation: (
    wanted,
    characters,
  ) => sql`select x.seq, x.id as observation_id, x.title, substr(x.content, 1, ${characters}) as text, ${WHO}
    from ${wanted} join observations as x on x.seq = wanted.id ${WRITTEN}`,
  memo: (wanted) => sql`select x.seq, x.id, x.summary as text, ${WHO}
    from ${wanted} join memos as x on x.seq = wanted.id ${WRITTEN}`,
  redaction: (wanted) => sql`select x.seq, r2.kind as text, o.id as observation_id, d.id, d.topic, ${WHO}
    from ${wanted} join redactions as x on x.seq = wanted.id left join records as r2 on r2.seq = x.record_seq
    left join observations as o on o.seq = x.record_seq left join decisions as d on d.seq = x.record_seq ${WRITTEN}`,
  // What it happened to is of any kind: an outcome is named by its decision, as where it was recorded.
  change: (
    wanted,
    characters,
  ) => sql`select x.seq, x.kind as change, x.before, x.after, o.id as observation_id, o.title, d.topic,
      coalesce(m.id, c.id, e.id, a.id, d.id) as id,
      coalesce(m.summary, substr(c.summary, 1, ${characters}), substr(e.content, 1, ${characters}), a.hint, became.reason) as text, ${WHO}
    from ${wanted} join changes as x on x.seq = wanted.id join writers as w on w.id = x.writer
    left join observations as o on o.seq = x.record_seq left join memos as m on m.seq = x.record_seq
    left join checkpoints as c on c.seq = x.record_seq left join outcomes as became on became.seq = x.record_seq
    left join anchors as a on a.seq = x.record_seq
    left join evidence as e on e.seq = x.record_seq
    left join evidence as grounds on grounds.id = a.evidence_ref
    left join decisions as itself on itself.seq = x.record_seq
    left join decisions as d on d.id = coalesce(itself.id, became.decision_id, e.decision_ref, a.decision_ref, grounds.decision_ref)`,
};

type Row = Told & { seq: number; observationId?: number | null };

/**
 * What happened, read: in the order given, with a query for each kind.
 * @param full whether texts are whole
 * @returns with whole texts only the first few, at least one, where they are long
 */
export async function readHappened(tx: Tx, happened: Happened[], full = false): Promise<Told[]> {
  if (!full) return read(tx, happened, READ);
  return readInPieces(
    happened,
    (piece) => read(tx, piece, WHOLE),
    ({ text, reasoning, was }) => [text, reasoning, was].reduce((sum, each) => sum + (each?.length ?? 0), 0),
  );
}

async function read(tx: Tx, happened: Happened[], characters: number): Promise<Told[]> {
  const told = new Map<Happened, Told>();
  for (const source of new Set(happened.map((each) => each.source))) {
    const own = happened.filter((each) => each.source === source);
    const rows =
      source === 'revision'
        ? await revisions(tx, own, characters)
        : await rowsOf(tx, source, own, characters);
    const table = TABLES[source];
    const shortId =
      table &&
      (await shortIds(
        tx,
        table,
        rows.flatMap(({ id }) => id ?? []),
      ));
    for (const [index, each] of own.entries()) {
      const row = rows[index] as Row;
      const { seq: _, observationId, ...rest } = row;
      const id = observationId == null ? (row.id ?? undefined) : `#${observationId}`;
      told.set(each, { ...rest, id, ref: id && (shortId?.(id) ?? id.slice(0, SHORT)) });
    }
  }
  return happened.map((each) => told.get(each) as Told);
}
/** Digits of an id that is named in passing, where it need not be the only one that begins so. */
const SHORT = 8;

async function rowsOf(
  tx: Tx,
  source: Exclude<SourceName, 'revision'>,
  own: Happened[],
  characters: number,
): Promise<Row[]> {
  const wanted = sql`(${tx.lists.numbers(own.map(({ number }) => number))}) as wanted`;
  const { rows } = await sql<Row>`${QUERIES[source](wanted, characters)}`.execute(tx.db);
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return own.map(({ number }) => bySeq.get(number) as Row);
}

/** The texts that took the place of earlier ones, with who wrote them. */
async function revisions(tx: Tx, own: Happened[], characters: number): Promise<Row[]> {
  const numbers = (of: 'number' | 'second') => tx.lists.numbers([...new Set(own.map((each) => each[of]))]);
  const { rows } = await sql<Row & { revision: number; observationId: number }>`
    select x.observation_id, x.revision, coalesce(n.title, o.title) as title,
      substr(coalesce(n.content, o.content), 1, ${characters}) as text, ${WHO}
    from (${numbers('number')}) as wanted
    join observation_revisions as x on x.observation_id = wanted.id join observations as o on o.id = x.observation_id
    left join observation_revisions as n on n.observation_id = x.observation_id and n.revision = x.revision + 1
    join writers as w on w.id = coalesce(n.writer, o.writer)
    where x.revision in (select id from (${numbers('second')}) as revisions)`.execute(tx.db);
  const byKey = new Map(rows.map((row) => [`${row.observationId} ${row.revision}`, row]));
  return own.map(({ number, second }) => byKey.get(`${number} ${second}`) as Row);
}
