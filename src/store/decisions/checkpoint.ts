import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Checkpoint } from '../../domain/checkpoint.ts';
import type { Decision } from '../../domain/decision.ts';
import { putDocument } from '../document.ts';
import type { Document } from '../engine.ts';
import { textsIn } from '../json-list.ts';
import { byIdOrPrefix } from '../prefix.ts';
import { insertRecord, notRetracted } from '../record.ts';
import { insertRows } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { query } from '../statements.ts';
import type { Tx, Writer } from '../tx.ts';
import { type Recorded, recorded, WRITER, writersOf } from '../writer.ts';
import { LAST_WORDING } from './decision.ts';

export async function insertCheckpoint(
  tx: Tx,
  content: Pick<Checkpoint, 'summary' | 'nextSteps' | 'openFiles'>,
): Promise<Checkpoint> {
  const checkpoint = { id: tx.newId(), ...content, createdAt: tx.now };
  const seq = await insertRecord(tx, 'checkpoint');
  const row = { ...checkpoint, seq, openFiles: JSON.stringify(checkpoint.openFiles) };
  await insertRows(tx, 'checkpoints', [row]);
  await putDocument(tx, checkpointDocument(row));
  return checkpoint;
}

/** A checkpoint with who noted it. */
type Signed = Checkpoint & Writer & Recorded;

/** The newest checkpoint, by its date; undefined in a memory without one. */
export async function newestCheckpoint(tx: Tx): Promise<Signed | undefined> {
  return signed(tx, sql`r.retracted_at is null order by c.created_at desc, c.seq desc limit 1`);
}

/** The newest checkpoint of each author but one, the newest first. */
export async function newestOfOthers(tx: Tx, author: string, limit: number) {
  return query<Pick<Checkpoint, 'id' | 'summary' | 'createdAt'> & Writer>(tx)`
    select * from (
      select c.id, c.summary, c.created_at, ${WRITER},
        row_number() over (partition by w.author order by c.created_at desc, c.seq desc) as place
      from checkpoints as c ${writersOf('c')} where r.retracted_at is null and w.author <> ${author}
    ) as newest where place = 1 order by created_at desc, id limit ${limit}`;
}

/** The checkpoint with this id, or with one that begins so (U-1). @throws PrecedentError `invalid` when several do */
export function resolveCheckpoint(tx: Tx, reference: string): Promise<Signed | undefined> {
  return byIdOrPrefix(tx, 'checkpoints', reference, 'checkpoints', (id) => signed(tx, sql`c.id = ${id}`));
}

/** A decision that was made, or failed, after work stopped; or a note: its title, and its number as the id. */
export interface Since extends Pick<Decision, 'id' | 'topic' | 'text'> {
  how: 'decided' | 'failed' | 'noted';
  /** Of a decision. */
  rootId: string | null;
}

/**
 * The decisions that are active and were saved after a checkpoint, and those that failed since, the newest first; then the
 * notes of that time. And how many.
 */
export async function decidedSince(
  tx: Tx,
  id: string,
  limit: number,
): Promise<{ newest: Since[]; total: number }> {
  const rows = await query<Since & { total: number }>(tx)`
    select id, root_id, topic, text, how, count(*) over () as total from (
      select d.id, d.root_id, d.topic, d.text, d.seq as at, 'decided' as how from checkpoints as c cross join decisions as d
        where c.id = ${id} and d.seq > c.seq and d.is_active = 1 and d.tidies is null and coalesce(d.outcome, '') <> 'failed'
      union all
      select d.id, d.root_id, d.topic, d.text, o.seq, 'failed'
        from checkpoints as c cross join outcomes as o join decisions as d on (d.id = o.decision_id or d.tidies = o.decision_id) and ${LAST_WORDING}
        where c.id = ${id} and o.seq > c.seq and o.outcome = 'failed' and d.outcome = 'failed'
          and ${notRetracted('o.seq')} and ${notRetracted('d.seq')}
      union all
      select cast(n.id as text), null, null, n.title, n.seq, 'noted' from checkpoints as c cross join observations as n
        where c.id = ${id} and n.seq > c.seq and n.deleted_at is null and ${notRetracted('n.seq')}
    ) as since order by how = 'noted', at desc limit ${limit}`;
  return { newest: rows, total: rows[0]?.total ?? 0 };
}

async function signed(tx: Tx, where: RawBuilder<unknown>): Promise<Signed | undefined> {
  const [row] = await query<Omit<Signed, 'openFiles'> & { openFiles: string }>(tx)`
    select c.id, c.summary, c.next_steps, c.open_files, c.created_at, ${WRITER},
      ${recorded(sql`c.seq`, sql`c.created_at`)} as recorded
    from checkpoints as c ${writersOf('c')} where ${where}`;
  return row && { ...row, openFiles: textsIn(row.openFiles) };
}

/** The searched text of a checkpoint. */
export function checkpointDocument(
  row: Pick<Selectable<Schema['checkpoints']>, 'seq' | 'summary' | 'nextSteps' | 'openFiles'>,
): Document {
  const body = [row.summary, row.nextSteps ?? '', ...textsIn(row.openFiles)].join('\n');
  return { seq: row.seq, title: '', body };
}
