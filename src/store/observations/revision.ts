import { sql } from 'kysely';
import type { ObservationText } from '../../domain/observation.ts';
import { recordChange } from '../record.ts';
import { findRow, insertRows, updateRows } from '../rows.ts';
import { query } from '../statements.ts';
import type { Tx, Writer } from '../tx.ts';
import { WRITER, writerRow } from '../writer.ts';
import { hashOf, reindexObservation, type StoredObservation } from './observation.ts';

/**
 * The earlier texts of an observation, oldest first.
 * @param newest so many at most, the newest ones; default: all
 * @param before only those before this revision
 */
export async function revisionsOf(
  tx: Tx,
  observationId: number,
  { newest, before }: { newest?: number; before?: number | undefined } = {},
) {
  const rows = await query<ObservationText & Writer & { revision: number; replacedAt: number }>(tx)`
    select x.revision, x.title, x.content, x.type, x.replaced_at, ${WRITER}
    from observation_revisions as x join writers as w on w.id = x.writer
    where x.observation_id = ${observationId} ${before === undefined ? sql`` : sql`and x.revision < ${before}`}
    order by x.revision desc ${newest === undefined ? sql`` : sql`limit ${newest}`}`;
  return rows.toReversed();
}

/** An earlier text of an observation; undefined when there is none of this number. */
export function findRevision(
  tx: Tx,
  observationId: number,
  revision: number,
): Promise<ObservationText | undefined> {
  return findRow(tx, 'observationRevisions', { observationId, revision });
}

/**
 * Replaces the text of an observation and keeps the present one as a revision. Unless a date was given, which is checked, it is
 * never of an earlier one than that, whatever the clock says: another machine orders both by their dates (Y-6). @param writer of the new text
 */
export async function replaceText(
  writing: Tx,
  current: StoredObservation,
  { title, content, type }: ObservationText,
  writer: Writer,
): Promise<StoredObservation> {
  const isBehind = writing.now === writing.entered && writing.now < current.updatedAt;
  // Texts are distinguished by their dates: two machines that are behind take different moments.
  const moment = current.updatedAt + 1 + (Number.parseInt(writing.newId().slice(0, 5), 16) || 0);
  const tx = isBehind ? { ...writing, now: moment } : writing;
  const revisionCount = current.revisionCount + 1;
  const { id: number } = await writerRow(tx, writer.session);
  await insertRows(tx, 'observationRevisions', [
    {
      observationId: current.id,
      revision: revisionCount,
      title: current.title,
      content: current.content,
      type: current.type,
      replacedAt: tx.now,
      writer: current.writer,
    },
  ]);
  const replaced = { title, content, type, revisionCount, updatedAt: tx.now, writer: number };
  const derived = { contentHash: hashOf(content), lastSeenAt: tx.now };
  await updateRows(tx, 'observations', { id: current.id }, { ...replaced, ...derived });
  await recordChange(tx, 'rewritten', current.seq, { after: { revision: revisionCount } });
  const present = { ...current, ...writer, ...replaced };
  await reindexObservation(tx, present);
  return present;
}
