import { createHash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import {
  isSameText,
  type Observation,
  type ObservationBrief,
  type ObservationText,
  REPEAT_WINDOW,
} from '../../domain/observation.ts';
import { putDocument, removeDocument } from '../document.ts';
import type { Document } from '../engine.ts';
import { insertRecord } from '../record.ts';
import type { Schema } from '../schema.ts';
import type { Author, Tx } from '../tx.ts';

type ObservationRow = Selectable<Schema['observations']>;

/** An observation with its number in the list of records, and who wrote its present text. */
export type StoredObservation = Observation & Author & { seq: number };

export type NewObservation = ObservationText & Pick<Observation, 'project' | 'scope' | 'topicKey'>;

/** The type of an observation that was saved without one. */
const DEFAULT_TYPE = 'manual';

/** What saving did: made a new one, replaced a text (kept as a revision), or counted a repeat. */
export interface SavedObservation {
  observation: StoredObservation;
  action: 'created' | 'revised' | 'repeated';
}

/**
 * Saves an observation. The same topic key in project and scope replaces its text; the same content again within
 * 15 minutes counts up.
 */
export async function saveObservation(
  tx: Tx,
  draft: Omit<NewObservation, 'type'> & { type: string | undefined },
  session: string | undefined,
): Promise<SavedObservation> {
  const keyed = draft.topicKey === null ? undefined : await findByTopicKey(tx, draft);
  const given = { ...draft, type: draft.type ?? keyed?.type ?? DEFAULT_TYPE };
  if (keyed && isSameText(keyed, given))
    return { observation: await countRepeat(tx, keyed), action: 'repeated' };
  const author = { ...tx.author, session: session ?? tx.author.session };
  if (keyed) return { observation: await replaceText(tx, keyed, given, author), action: 'revised' };
  const repeated = given.topicKey === null ? await findRepeat(tx, given) : undefined;
  if (repeated) return { observation: await countRepeat(tx, repeated), action: 'repeated' };
  return { observation: await insertObservation(tx, given, author), action: 'created' };
}

/** Replaces texts and places of an observation; the earlier text becomes a revision. */
export async function updateObservation(
  tx: Tx,
  standing: StoredObservation,
  changes: NewObservation,
): Promise<StoredObservation> {
  const { project, scope, topicKey } = changes;
  await tx.db
    .updateTable('observations')
    .set({ project: project ?? '', scope, topicKey, updatedAt: tx.now })
    .where('id', '=', standing.id)
    .execute();
  const moved = { ...standing, project, scope, topicKey, updatedAt: tx.now };
  return isSameText(standing, changes) ? moved : replaceText(tx, moved, changes, tx.author);
}

/** Marks as deleted: gone from search, still readable and in its relations. */
export async function softDelete(tx: Tx, observation: StoredObservation): Promise<void> {
  await tx.db
    .updateTable('observations')
    .set({ deletedAt: tx.now, updatedAt: tx.now })
    .where('id', '=', observation.id)
    .execute();
  await removeDocument(tx, observation.seq);
}

/** Removes for good, with its relations and revisions, which the database cascades. */
export async function hardDelete(tx: Tx, observation: StoredObservation): Promise<void> {
  await removeDocument(tx, observation.seq);
  await tx.db.deleteFrom('observations').where('id', '=', observation.id).execute();
  await tx.db.deleteFrom('records').where('seq', '=', observation.seq).execute();
}

/** The observation with this id, deleted ones included. */
export async function findObservation(tx: Tx, id: number): Promise<StoredObservation | undefined> {
  return (await findObservations(tx, [id]))[0];
}

/** The observations with these ids, in no particular order. */
export async function findObservations(tx: Tx, ids: number[]): Promise<StoredObservation[]> {
  if (ids.length === 0) return [];
  const rows = await tx.db.selectFrom('observations').selectAll().where('id', 'in', ids).execute();
  return rows.map(toObservation);
}

/** What lists and trees show of these observations, by id. */
export async function briefsOf(tx: Tx, ids: number[]): Promise<Map<number, ObservationBrief>> {
  const { rows } = await sql<{ id: number; title: string; type: string; deleted: number }>`
    select o.id, o.title, o.type, case when o.deleted_at is null then 0 else 1 end as deleted
    from (${tx.lists.numbers(ids)}) as wanted join observations as o on o.id = wanted.id
  `.execute(tx.db);
  return new Map(rows.map((row) => [row.id, { ...row, deleted: row.deleted === 1 }]));
}

/** Whether another observation that is not deleted has this topic key in this project and scope. */
export async function findByTopicKey(
  tx: Tx,
  place: Pick<Observation, 'project' | 'scope' | 'topicKey'>,
): Promise<StoredObservation | undefined> {
  const row = await tx.db
    .selectFrom('observations')
    .selectAll()
    .where('project', '=', place.project ?? '')
    .where('scope', '=', place.scope)
    .where('topicKey', '=', place.topicKey)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return row && toObservation(row);
}

/** The texts an observation had before, oldest first. */
export function revisionsOf(tx: Tx, observationId: number) {
  return tx.db
    .selectFrom('observationRevisions')
    .select(['revision', 'title', 'content', 'type', 'replacedAt', 'sessionId', 'client'])
    .where('observationId', '=', observationId)
    .orderBy('revision')
    .execute();
}

/** What of every observation that is not deleted is searched, of these records. */
export async function observationDocuments(tx: Tx, seqs: number[]): Promise<Document[]> {
  const rows = await tx.db
    .selectFrom('observations')
    .select(['seq', 'title', 'content'])
    .where('deletedAt', 'is', null)
    .where('seq', 'in', sql<number>`(${tx.lists.numbers(seqs)})`)
    .execute();
  return rows.map(observationDocument);
}

function observationDocument(row: Pick<ObservationRow, 'seq' | 'title' | 'content'>): Document {
  return { seq: row.seq, title: row.title, body: row.content };
}

async function insertObservation(tx: Tx, given: NewObservation, author: Author): Promise<StoredObservation> {
  const seq = await insertRecord(tx, 'observation', author.session);
  const row = await tx.db
    .insertInto('observations')
    .values({
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
      sessionId: author.session,
      client: author.client,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await putDocument(tx, observationDocument(row));
  return toObservation(row);
}

async function replaceText(
  tx: Tx,
  standing: StoredObservation,
  { title, content, type }: ObservationText,
  author: Author,
): Promise<StoredObservation> {
  const revisionCount = standing.revisionCount + 1;
  await tx.db
    .insertInto('observationRevisions')
    .values({
      observationId: standing.id,
      revision: revisionCount,
      title: standing.title,
      content: standing.content,
      type: standing.type,
      replacedAt: tx.now,
      sessionId: standing.session,
      client: standing.client,
    })
    .execute();
  await tx.db
    .updateTable('observations')
    .set({
      title,
      content,
      type,
      contentHash: hashOf(content),
      revisionCount,
      updatedAt: tx.now,
      lastSeenAt: tx.now,
      sessionId: author.session,
      client: author.client,
    })
    .where('id', '=', standing.id)
    .execute();
  await removeDocument(tx, standing.seq);
  await putDocument(tx, observationDocument({ seq: standing.seq, title, content }));
  return { ...standing, ...author, title, content, type, revisionCount, updatedAt: tx.now };
}

async function countRepeat(tx: Tx, standing: StoredObservation): Promise<StoredObservation> {
  const duplicateCount = standing.duplicateCount + 1;
  await tx.db
    .updateTable('observations')
    .set({ duplicateCount, lastSeenAt: tx.now })
    .where('id', '=', standing.id)
    .execute();
  return { ...standing, duplicateCount };
}

/** The newest observation with the same text in the same place, seen within the last 15 minutes. */
async function findRepeat(tx: Tx, given: NewObservation): Promise<StoredObservation | undefined> {
  const rows = await tx.db
    .selectFrom('observations')
    .selectAll()
    .where('contentHash', '=', hashOf(given.content))
    .where('project', '=', given.project ?? '')
    .where('scope', '=', given.scope)
    .where('lastSeenAt', '>=', tx.now - REPEAT_WINDOW)
    .where('deletedAt', 'is', null)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toObservation).find((row) => isSameText(row, given));
}

function toObservation(row: ObservationRow): StoredObservation {
  const { contentHash: _, lastSeenAt: __, sessionId: session, ...observation } = row;
  return { ...observation, session, project: row.project === '' ? null : row.project };
}

export function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
