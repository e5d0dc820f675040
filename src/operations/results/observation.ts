import * as z from 'zod';
import { conflict, notFound } from '../../domain/error.ts';
import type { ObservationBrief } from '../../domain/observation.ts';
import { findObservation, type StoredObservation } from '../../store/observations/observation.ts';
import { revisionsOf } from '../../store/observations/revision.ts';
import type { Tx } from '../../store/tx.ts';
import { pick } from '../brief.ts';
import { dim, type Span, strong, warn } from '../view.ts';
import { iso, resultDate } from './fields.ts';
import { by, shownAct, shownBy, toBy } from './writer.ts';

/** Of an observation whose first text was replaced: who noted it, next to who wrote its present text, and when (TR-3). */
export const noted = {
  noted_by: z.object(by()).optional().describe('Who wrote its first text, if that was replaced'),
  rewritten_at: resultDate().optional().describe('When its present text replaced another'),
};
export const toNoted = ({ rewrittenAt, firstAuthor = '', firstClient = '', recorded }: StoredObservation) =>
  rewrittenAt
    ? {
        noted_by: toBy({ author: firstAuthor, client: firstClient, recorded: recorded ?? null }),
        rewritten_at: iso(rewrittenAt),
      }
    : {};

/** Such as `Kim Minsu via claude-code, rewritten by Lee Jiwoo, 2026-10-20`. */
export function shownNoted(of: Parameters<typeof shownBy>[0] & z.infer<z.ZodObject<typeof noted>>) {
  const { noted_by, rewritten_at, author, via } = of;
  if (!noted_by || !rewritten_at) return shownBy(of);
  const rewritten = shownAct('rewritten', { author, via, at: rewritten_at });
  return [shownBy(noted_by), rewritten].filter(Boolean).join(', ');
}

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
  revision: z.int().describe('1 for the first text'),
  duplicate_count: z.int().describe('How often the same text was saved again'),
  created_at: resultDate(),
  updated_at: resultDate(),
  ...by(),
  ...noted,
  session_id: z.string(),
  client: z.string(),
});

/** An observation in the lists and trees of others. */
export const observationBrief = z.object(pick(observationRecord.shape, 'id', 'title', 'type', 'deleted'));

/** An earlier text of an observation. */
export const earlierText = z.object({
  revision: z.int().describe('1 for the first text'),
  title: z.string(),
  content: z.string(),
  type: z.string(),
  until: resultDate().describe('When another text took its place'),
  ...by(),
  ...pick(observationRecord.shape, 'session_id', 'client'),
});

/** The earlier texts, oldest first. @param which the newest of them, or those before a revision */
export async function earlierTexts(tx: Tx, id: number, which: Parameters<typeof revisionsOf>[2]) {
  return (await revisionsOf(tx, id, which)).map((each) => ({
    ...pick(each, 'revision', 'title', 'content', 'type'),
    until: iso(each.replacedAt),
    ...toBy(each),
    session_id: each.session,
    client: each.client,
  }));
}

/** The observation with this id, deleted ones included. @throws PrecedentError `not_found` */
export async function requireObservation(tx: Tx, id: number): Promise<StoredObservation> {
  const observation = await findObservation(tx, id);
  if (observation) return observation;
  throw notFound.no_record(
    `Expected the id of an observation, found ${id}, which does not exist. Look for it with mem_search.`,
  );
}

/** {@link requireObservation}, not deleted. @throws PrecedentError `not_found`, `conflict` when deleted */
export async function requireLiveObservation(tx: Tx, id: number): Promise<StoredObservation> {
  const observation = await requireObservation(tx, id);
  if (observation.deletedAt === null) return observation;
  throw conflict.deleted(
    `Expected an observation that was not deleted, found ${id} ("${observation.title}"), which is deleted. "precedent undelete" brings it back.`,
  );
}

export function toObservationRecord(observation: StoredObservation): z.infer<typeof observationRecord> {
  return {
    ...pick(observation, 'id', 'title', 'type', 'content', 'project', 'scope', 'client'),
    deleted: observation.deletedAt !== null,
    topic_key: observation.topicKey,
    revision: observation.revisionCount + 1,
    duplicate_count: observation.duplicateCount,
    created_at: iso(observation.createdAt),
    updated_at: iso(observation.updatedAt),
    ...toBy(observation),
    ...toNoted(observation),
    session_id: observation.session,
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
