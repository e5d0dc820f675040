import * as z from 'zod';
import { PrecedentError } from '../../domain/error.ts';
import type { ObservationBrief } from '../../domain/observation.ts';
import { findObservation, type StoredObservation } from '../../store/observations/observation.ts';
import type { Tx } from '../../store/tx.ts';
import { dim, type Span, strong, warn } from '../view.ts';
import { iso, resultDate } from './fields.ts';
import { author, toAuthor } from './writer.ts';

/** An observation in the lists and trees of others. */
export const observationBrief = z.object({
  id: z.int(),
  title: z.string(),
  type: z.string(),
  deleted: z.boolean(),
});

/** An observation as it is read whole; its relations are in relations.ts. */
export const observationRecord = z.object({
  id: z.int(),
  title: z.string(),
  type: z.string(),
  content: z.string(),
  deleted: z.boolean(),
  project: z.string().nullable(),
  scope: z.string(),
  topic_key: z.string().nullable(),
  revision: z.int().meta({ description: '1 for the first text' }),
  duplicate_count: z.int().meta({ description: 'How often the same text was saved again' }),
  created_at: resultDate(),
  updated_at: resultDate(),
  author: author(),
  session_id: z.string(),
  client: z.string(),
});

/** The observation with this id, deleted ones included. @throws PrecedentError `not_found` */
export async function requireObservation(tx: Tx, id: number): Promise<StoredObservation> {
  const observation = await findObservation(tx, id);
  if (observation) return observation;
  throw new PrecedentError(
    'not_found',
    `Expected the id of an observation, found ${id}, which does not exist. Look for it with mem_search.`,
  );
}

/** {@link requireObservation}, not deleted. @throws PrecedentError `not_found`, `conflict` when deleted */
export async function requireLiveObservation(tx: Tx, id: number): Promise<StoredObservation> {
  const observation = await requireObservation(tx, id);
  if (observation.deletedAt === null) return observation;
  throw new PrecedentError(
    'conflict',
    `Expected an observation that was not deleted, found ${id} ("${observation.title}"), which was. mem_restore brings it back.`,
  );
}

export function toObservationRecord(observation: StoredObservation): z.infer<typeof observationRecord> {
  return {
    id: observation.id,
    title: observation.title,
    type: observation.type,
    content: observation.content,
    deleted: observation.deletedAt !== null,
    project: observation.project,
    scope: observation.scope,
    topic_key: observation.topicKey,
    revision: observation.revisionCount + 1,
    duplicate_count: observation.duplicateCount,
    created_at: iso(observation.createdAt),
    updated_at: iso(observation.updatedAt),
    ...toAuthor(observation),
    session_id: observation.session,
    client: observation.client,
  };
}

/** An observation's name in lines and trees. */
export function briefSpans(brief: ObservationBrief): Span[] {
  return [
    strong(`#${brief.id}`),
    ` ${brief.title} `,
    dim(brief.type),
    ...(brief.deleted ? [' ', warn('deleted')] : []),
  ];
}
