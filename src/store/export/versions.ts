import { type Selectable, sql } from 'kysely';
import { append } from '../../domain/append.ts';
import type { Decision } from '../../domain/decision.ts';
import type { Edge } from '../../domain/edge.ts';
import type { Evidence } from '../../domain/evidence.ts';
import { seqsOf } from '../../domain/id.ts';
import { anchorsOfChains, type PlacedAnchor } from '../decisions/anchor.ts';
import { toDecision } from '../decisions/decision.ts';
import { edgesFrom, edgesTo } from '../decisions/edge.ts';
import { evidenceOf } from '../decisions/evidence.ts';
import { type OutcomeEntry, outcomesOf } from '../decisions/outcome.ts';
import type { Condition } from '../kinds/condition.ts';
import { piecesOf } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { query } from '../statements.ts';
import type { Tx, Writer } from '../tx.ts';
import { WRITER, writersOf } from '../writer.ts';

/** Versions that are listed at once, and those that are read whole: texts may be long. */
const [LISTED, READ] = [1_000, 25];
/** Characters of a text that its name may be made of. */
const BEGINNING = 200;

/** A version of a decision, as little of it as names and links need. */
export interface VersionTold {
  seq: number;
  id: string;
  rootId: string;
  version: number;
  topic: string | null;
  /** The ids of the versions that its author saw, a line each (Y-6). */
  basedOn: string | null;
  /** The beginning of its text. */
  beginning: string;
  isActive: 0 | 1;
  withdrawn: 0 | 1;
  createdAt: number;
  /** It was retracted (K-6): it keeps its number, and is exported nowhere. */
  isMistake: 0 | 1;
  isChosen: 0 | 1;
}

/** A version with all that hangs on it. */
export interface VersionWhole {
  decision: Decision;
  writer: Writer;
  evidence: Evidence[];
  /** Oldest first, those that count. */
  outcomes: OutcomeEntry[];
  /** Its own, and those of its evidence. */
  anchors: PlacedAnchor[];
  from: Edge[];
  to: Edge[];
  rest: Rest;
}

/** Every version of every decision, in the order in which they were saved. */
export async function listedVersions(tx: Tx, chosen: Condition): Promise<VersionTold[]> {
  const all: VersionTold[] = [];
  for (;;) {
    const rows = await query<VersionTold>(tx)`
      select d.seq, d.id, d.root_id, d.version, d.topic, d.based_on, substr(d.text, 1, ${sql.lit(BEGINNING)}) as beginning,
        d.is_active, d.withdrawn, d.created_at, case when s.retracted_at is null then 0 else 1 end as is_mistake,
        case when s.retracted_at is null and ${chosen} then 1 else 0 end as is_chosen
      from decisions as d join records as s on s.seq = d.seq where d.seq > ${all.at(-1)?.seq ?? 0}
      order by d.seq limit ${LISTED}`;
    append(all, rows);
    if (rows.length < LISTED) return all;
  }
}

/** These versions whole, a few at a time, in the order of the ids. */
export async function* wholeVersions(tx: Tx, ids: readonly string[]): AsyncGenerator<VersionWhole> {
  for (const piece of piecesOf(ids, READ)) {
    const rows = await query<Selectable<Schema['decisions']> & Writer>(tx)`
      select d.*, ${WRITER} from (${tx.lists.texts(piece)}) as wanted
      join decisions as d on d.id = wanted.id ${writersOf('d')}`;
    const byId = new Map(rows.map((row) => [row.id, row]));
    const roots = [...new Set(rows.map(({ rootId }) => rootId))];
    const [evidence, outcomes, anchors, from, to, rests] = [
      await evidenceOf(tx, piece),
      await outcomesOf(tx, piece),
      await anchorsOfChains(tx, roots),
      await edgesFrom(tx, piece),
      await edgesTo(tx, piece),
      await restOf(tx, seqsOf(rows)),
    ];
    for (const id of piece) {
      const row = byId.get(id);
      if (!row) continue;
      const { author, host, client, session } = row;
      yield {
        decision: toDecision(row),
        writer: { author, host, client, session },
        evidence: evidence.filter(({ decisionRef }) => decisionRef === id),
        // The log is that of the version which was decided (TR-3).
        outcomes: outcomes.filter(
          ({ decisionId, retractedAt }) => row.tidies === null && decisionId === id && retractedAt === null,
        ),
        anchors: anchors.filter(({ decisionId }) => decisionId === id),
        from: from.filter(({ fromId }) => fromId === id),
        to: to.filter(({ toId }) => toId === id),
        rest: rests.get(row.seq) ?? {},
      };
    }
  }
}

/** The fields of a source that have no place in a record (I-2), by their names there. */
type Rest = Record<string, unknown>;

/** The extra fields of these records, of all sources together, by the number of the record. */
async function restOf(tx: Tx, seqs: number[]): Promise<Map<number, Rest>> {
  if (seqs.length === 0) return new Map();
  const rows = await query<{ recordSeq: number; rest: string }>(tx)`
    select o.record_seq, o.rest from (${tx.lists.numbers(seqs)}) as wanted
    join origins as o on o.record_seq = wanted.id where o.rest is not null
    order by o.record_seq, o.source, o.key`;
  const all = new Map<number, Rest>();
  for (const { recordSeq, rest } of rows)
    all.set(recordSeq, { ...(JSON.parse(rest) as Rest), ...all.get(recordSeq) });
  return all;
}

/** One text that a source keeps besides its records, by their numbers. */
export async function restNamed(tx: Tx, source: string, name: string): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (let last = ''; ; ) {
    const rows = await query<{ key: string; recordSeq: number | null; rest: string | null }>(tx)`
      select key, record_seq, rest from origins where source = ${source} and key > ${last}
      order by key limit ${PAGE}`;
    for (const { recordSeq, rest } of rows) {
      const value = rest === null ? undefined : (JSON.parse(rest) as Rest)[name];
      if (recordSeq !== null && typeof value === 'string') found.set(recordSeq, value);
    }
    if (rows.length < PAGE) return found;
    last = rows.at(-1)?.key ?? last;
  }
}
const PAGE = 200;
