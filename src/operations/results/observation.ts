import * as z from 'zod';
import { PrecedentError } from '../../domain/error.ts';
import { LIMITS } from '../../domain/text.ts';
import { findObservation, type StoredObservation } from '../../store/observations/observation.ts';
import {
  countRelations,
  type Direction,
  type RelationOf,
  relationsOf,
} from '../../store/observations/relation.ts';
import type { Tx } from '../../store/tx.ts';
import { date, iso, name, text, verbatim, wholeNumber } from '../fields.ts';
import { type Branch, dim, good, type Span, strong, warn } from '../view.ts';

/** Largest id that is exact in every program that reads it. */
const LARGEST_ID = Number.MAX_SAFE_INTEGER;

export const observationId = (description = 'Id of an observation') =>
  wholeNumber(1, LARGEST_ID, description);
export const title = () => text(LIMITS.title, 'What it is about, in a few words');
export const content = () => verbatim(LIMITS.content, 'The knowledge itself, any length');
export const kind = () =>
  name(LIMITS.kind, 'Any kind, such as manual (default), bugfix, architecture, pattern, config, discovery');
export const project = () => name(LIMITS.scope, 'The project it belongs to');
export const observationScope = () => name(LIMITS.scope, 'Such as project (default) or personal');
export const topicKey = () =>
  name(LIMITS.topic, 'Stable key: saving it again in this project and scope replaces the text');
export const relationLimit = (description: string) => wholeNumber(1, 10_000, description);

/** An observation in the lists and trees of others. */
export const observationBrief = z.object({
  id: z.int(),
  title: z.string(),
  type: z.string(),
  deleted: z.boolean(),
});

const relationEnd = z.object({
  id: z.int().meta({ description: 'Id of the relation, for mem_unrelate' }),
  type: z.string(),
  note: z.string().nullable(),
  created_at: date(),
  observation: observationBrief,
});

/** The direct relations of an observation, newest first, and how many there are in all. */
export const relationLists = z.object({
  outgoing: z.array(relationEnd),
  incoming: z.array(relationEnd),
});
export const relationTotals = z.object({ outgoing: z.int(), incoming: z.int() });

/** An observation as it is read whole. */
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
  created_at: date(),
  updated_at: date(),
  session_id: z.string(),
  client: z.string(),
  relations: relationLists,
  relation_count: relationTotals.meta({ description: 'All relations, shown or not' }),
});

/** The observation with this id, deleted ones included. @throws PrecedentError `not_found` */
export async function requireObservation(tx: Tx, id: number): Promise<StoredObservation> {
  const observation = await findObservation(tx, id);
  if (observation) return observation;
  throw new PrecedentError(
    'not_found',
    `Expected the id of an observation in workspace "${tx.workspace}", found ${id}, which does not exist. Look for it with mem_search.`,
  );
}

/** {@link requireObservation}, not deleted. @throws PrecedentError `not_found`, `conflict` when deleted */
export async function requireLiveObservation(tx: Tx, id: number): Promise<StoredObservation> {
  const observation = await requireObservation(tx, id);
  if (observation.deletedAt === null) return observation;
  throw new PrecedentError(
    'conflict',
    `Expected an observation that stands, found ${id} ("${observation.title}"), which was deleted. Save it anew with mem_save.`,
  );
}

export async function toObservationRecord(
  tx: Tx,
  observation: StoredObservation,
  limit: number,
): Promise<z.infer<typeof observationRecord>> {
  const { id } = observation;
  return {
    id,
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
    session_id: observation.session,
    client: observation.client,
    ...(await toRelationLists(tx, id, limit)),
  };
}

/** Relations in both directions with their totals. */
export async function toRelationLists(tx: Tx, id: number, limit: number) {
  const ends = async (direction: Direction) =>
    (await relationsOf(tx, id, direction, limit)).map(toRelationEnd);
  const relations = { outgoing: await ends('outgoing'), incoming: await ends('incoming') };
  const shown = { outgoing: relations.outgoing.length, incoming: relations.incoming.length };
  // Counting is needed only when a list was cut.
  const isCut = shown.outgoing === limit || shown.incoming === limit;
  const counted = isCut ? (await countRelations(tx, [id])).get(id) : shown;
  return { relations, relation_count: counted ?? shown };
}

function toRelationEnd({ relation, observation }: RelationOf): z.infer<typeof relationEnd> {
  return {
    id: relation.id,
    type: relation.type,
    note: relation.note,
    created_at: iso(relation.createdAt),
    observation,
  };
}

/** An observation's name in lines and trees. */
export function briefSpans(brief: z.infer<typeof observationBrief>): Span[] {
  return [
    strong(`#${brief.id}`),
    ` ${brief.title} `,
    dim(brief.type),
    ...(brief.deleted ? [' ', warn('deleted')] : []),
  ];
}

/** Relations as branches of a tree: what they lead to, what comes in. */
export function relationBranches(
  lists: z.infer<typeof relationLists>,
  totals: z.infer<typeof relationTotals>,
): Branch[] {
  const branch =
    (arrow: string) =>
    (end: z.infer<typeof relationEnd>): Branch => ({
      label: [
        good(`${arrow} ${end.type} `),
        ...briefSpans(end.observation),
        dim(`  relation ${end.id}${end.note ? ` · ${end.note}` : ''}`),
      ],
      children: [],
    });
  const left = totals.outgoing + totals.incoming - lists.outgoing.length - lists.incoming.length;
  return [
    ...lists.outgoing.map(branch('→')),
    ...lists.incoming.map(branch('←')),
    ...(left > 0 ? [{ label: [dim(`${left} more relations are not shown`)], children: [] }] : []),
  ];
}
