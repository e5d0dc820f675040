import { type RawBuilder, type Selectable, sql } from 'kysely';
import { conflict } from '../../domain/error.ts';
import {
  isSameText,
  type Observation,
  type ObservationBrief,
  type ObservationText,
  REPEAT_WINDOW,
} from '../../domain/observation.ts';
import { sha256 } from '../../domain/text/digest.ts';
import { putDocument, removeDocuments } from '../document.ts';
import type { Document } from '../engine.ts';
import { insertRecord, ofKeptFields, recordChange } from '../record.ts';
import { insertRow, requireRow, updateRows } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { query } from '../statements.ts';
import type { Tx, Writer } from '../tx.ts';
import { type Recorded, recorded, WRITER, writerRow } from '../writer.ts';

type ObservationRow = Selectable<Schema['observations']>;
type WholeRow = ObservationRow & Writer & Recorded & Partial<Noted>;

/** Who noted an observation, and when its present text took the place of another, in milliseconds UTC; null for a first text. */
type Noted = { firstAuthor: string; firstClient: string; rewrittenAt: number | null };

/** An observation with its number in the list of records, and who wrote its present text. */
export type StoredObservation = Observation &
  Writer &
  Recorded &
  Partial<Noted> & { seq: number; writer: number };

export type NewObservation = ObservationText & Pick<Observation, 'project' | 'scope' | 'topicKey'>;

/** Writes a new observation and makes it findable. */
export async function insertObservation(
  tx: Tx,
  given: NewObservation,
  writer: Writer,
): Promise<StoredObservation> {
  const by = await writerRow(tx, writer.session);
  const seq = await insertRecord(tx, 'observation', by);
  const row = await insertRow(tx, 'observations', {
    ...given,
    seq,
    project: given.project ?? '',
    contentHash: hashOf(given.content),
    revisionCount: 0,
    duplicateCount: 0,
    createdAt: tx.now,
    updatedAt: tx.now,
    lastSeenAt: tx.now,
    deletedAt: null,
    writer: by.id,
  });
  await putDocument(tx, observationDocument(row));
  return toObservation({ ...row, ...writer });
}

/** The observation with this id, deleted ones included. */
export async function findObservation(tx: Tx, id: number): Promise<StoredObservation | undefined> {
  return (await findObservations(tx, [id]))[0];
}

/** The observations with these ids, in no particular order. */
export async function findObservations(tx: Tx, ids: number[]): Promise<StoredObservation[]> {
  if (ids.length === 0) return [];
  return whole(tx, sql`o.id in (${tx.lists.numbers(ids)})`);
}

/** {@link findObservations} by their numbers in the list of records. */
export async function findObservationsAt(tx: Tx, seqs: number[]): Promise<StoredObservation[]> {
  if (seqs.length === 0) return [];
  return whole(tx, sql`o.seq in (${tx.lists.numbers(seqs)})`);
}

/** The fields of these observations that lists and trees show, by id. */
export async function briefsOf(tx: Tx, ids: number[]): Promise<Map<number, ObservationBrief>> {
  const rows = await query<{ id: number; title: string; type: string; deleted: number }>(tx)`
    select o.id, o.title, o.type, case when o.deleted_at is null then 0 else 1 end as deleted
    from (${tx.lists.numbers(ids)}) as wanted join observations as o on o.id = wanted.id`;
  return new Map(rows.map((row) => [row.id, { ...row, deleted: row.deleted === 1 }]));
}

/** The observation with this topic key in this project and scope, unless it is deleted. */
export async function findByTopicKey(
  tx: Tx,
  place: Pick<Observation, 'project' | 'scope' | 'topicKey'>,
): Promise<StoredObservation | undefined> {
  const [found] = await whole(tx, sql`${activeIn(place)} and o.topic_key = ${place.topicKey}`);
  return found;
}

/** The newest observation with the same text in the same place, seen within {@link REPEAT_WINDOW}. */
export async function findRepeat(tx: Tx, given: NewObservation): Promise<StoredObservation | undefined> {
  // A record that is entered with a date repeats nothing that came later.
  const until = tx.now === tx.entered ? sql`` : sql`and o.last_seen_at <= ${tx.now}`;
  const found = await whole(
    tx,
    sql`${activeIn(given)} and o.content_hash = ${hashOf(given.content)}
      and o.last_seen_at >= ${tx.now - REPEAT_WINDOW} ${until} order by o.id desc`,
  );
  return found.find((row) => isSameText(row, given));
}

/** Takes an observation out of search; it stays readable, and its relations stay (R-7). */
export async function softDelete(tx: Tx, observation: StoredObservation): Promise<void> {
  const updatedAt = Math.max(tx.now, observation.updatedAt);
  await updateRows(tx, 'observations', { id: observation.id }, { deletedAt: tx.now, updatedAt });
  await removeDocuments(tx, [observation.seq]);
  await recordChange(tx, 'deleted', observation.seq);
}

/**
 * Brings a deleted observation back, found again as before (U-6).
 * @throws PrecedentError `conflict` when another one has its topic key by now
 */
export async function restoreObservation(tx: Tx, observation: StoredObservation): Promise<void> {
  const holder = observation.topicKey === null ? undefined : await findByTopicKey(tx, observation);
  if (holder)
    throw conflict.name_taken(
      `Expected a topic key that no other observation has, found "${observation.topicKey}", which observation ${holder.id} ("${holder.title}") has since. Delete that one first, or give it another key with mem_update.`,
    );
  const updatedAt = Math.max(tx.now, observation.updatedAt);
  await updateRows(tx, 'observations', { id: observation.id }, { deletedAt: null, updatedAt });
  await putDocument(tx, observationDocument(observation));
  await recordChange(tx, 'restored', observation.seq, { before: { deletedAt: observation.deletedAt } });
}

/** Removes an observation for good; the database removes its relations and revisions with it (R-7). */
export async function hardDelete(tx: Tx, observation: StoredObservation): Promise<void> {
  await removeDocuments(tx, [observation.seq]);
  const { uid } = await requireRow(tx, 'records', { seq: observation.seq });
  await query(tx)`delete from observations where id = ${observation.id}`;
  await query(tx)`delete from records where seq = ${observation.seq}`;
  if (uid !== null) await query(tx)`delete from kept_facts where ${ofKeptFields(uid)}`;
  // It is gone from every past, and with it where it was (U-5).
  await query(tx)`delete from changes where record_seq = ${observation.seq}`;
  // By its number no other memory knows what is gone (Y-3).
  await recordChange(tx, 'erased', observation.seq, uid === null ? {} : { after: { uid } });
}

/** The body is the content and, as with decisions, the words of its topic. */
export function observationDocument(
  of: Pick<ObservationRow, 'seq' | 'title' | 'content' | 'topicKey'>,
): Document {
  const body = of.topicKey === null ? of.content : `${of.content}\n${of.topicKey}`;
  return { seq: of.seq, title: of.title, body };
}

/** Makes an observation findable by what it says now. */
export async function reindexObservation(tx: Tx, observation: StoredObservation): Promise<void> {
  await removeDocuments(tx, [observation.seq]);
  // One that is deleted is found by nothing.
  if (observation.deletedAt === null) await putDocument(tx, observationDocument(observation));
}

/** The observations that a condition on `observations as o` leaves, with who wrote their present text. */
const whole = async (tx: Tx, where: RawBuilder<unknown>) =>
  (
    await query<WholeRow>(tx)`
      select o.*, ${WRITER}, ${recorded(sql`o.seq`, sql`o.created_at`)} as recorded, f.author as first_author,
        f.client as first_client, (select max(x.replaced_at) from observation_revisions as x
          where x.observation_id = o.id) as rewritten_at
      from observations as o join writers as w on w.id = o.writer
        join records as r on r.seq = o.seq join writers as f on f.id = r.writer where ${where}`
  ).map(toObservation);

/** The observations of a project and scope that are not deleted. */
const activeIn = ({ project, scope }: Pick<Observation, 'project' | 'scope'>) =>
  sql`o.project = ${project ?? ''} and o.scope = ${scope} and o.deleted_at is null`;

function toObservation(row: WholeRow): StoredObservation {
  const { contentHash: _, lastSeenAt: __, ...observation } = row;
  return { ...observation, project: row.project === '' ? null : row.project };
}

/** Finds a repeat without comparing long texts: SHA-256 in hexadecimal. */
export function hashOf(content: string): string {
  return sha256(content);
}
