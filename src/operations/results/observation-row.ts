import * as z from 'zod';
import { USUAL_SCOPE, USUAL_TYPE } from '../../domain/observation.ts';
import { CONTENT_SHOWN, excerpt } from '../../domain/text/text.ts';
import type { StoredObservation } from '../../store/observations/observation.ts';
import { compact, pick } from '../brief.ts';
import { dayOf, iso, nearness, shownShare } from './fields.ts';
import { firstWords, markOf, nameLine } from './names.ts';
import { observationRecord } from './observation.ts';
import { shortBy, shownBy } from './writer.ts';

const { shape } = observationRecord;

/** An observation that a search found (FR-011). */
export const observationRow = z.object({
  ...pick(shape, 'id', 'title', 'type', 'content'),
  matched: z.string().optional().describe('The words that matched, when they are not shown'),
  superseded_by: z.int().optional().describe('The observation that supersedes it'),
  relation_count: z.int().describe('In both directions'),
  similarity: z.number(),
  nearness: nearness(),
  ...pick(shape, 'project', 'scope', 'topic_key', 'created_at', 'updated_at', 'author', 'via', 'recorded'),
});
type ObservationRow = z.infer<typeof observationRow>;

/** What a search knows of an observation besides. */
interface Found {
  relations: { outgoing: number; incoming: number } | undefined;
  matched: string | undefined;
  supersededBy?: number | undefined;
  similarity: number;
  nearness?: number | undefined;
  /** Whether more than one author wrote in this memory. */
  namesAuthors: boolean;
}

export function toObservationRow(
  observation: StoredObservation,
  { relations, matched, supersededBy, similarity, nearness: near, namesAuthors }: Found,
): ObservationRow {
  return {
    ...pick(observation, 'id', 'title', 'type', 'project', 'scope'),
    content: excerpt(observation.content, CONTENT_SHOWN, 'mem_get_observation has all'),
    ...(matched !== undefined && { matched }),
    ...(supersededBy !== undefined && { superseded_by: supersededBy }),
    relation_count: (relations?.outgoing ?? 0) + (relations?.incoming ?? 0),
    topic_key: observation.topicKey,
    similarity,
    ...(near !== undefined && { nearness: near }),
    created_at: iso(observation.createdAt),
    updated_at: iso(observation.updatedAt),
    ...shortBy(observation, namesAuthors),
  };
}

/** A row as a model reads it: every token counts (W-3). */
export function briefObservationRow(row: ObservationRow): Record<string, unknown> {
  const {
    created_at: _,
    updated_at,
    author,
    via,
    similarity,
    nearness: _nearness,
    scope,
    type,
    ...rest
  } = row;
  return compact({
    ...rest,
    type: type === USUAL_TYPE ? undefined : type,
    scope: scope === USUAL_SCOPE ? undefined : scope,
    similarity: shownShare(similarity),
    updated_at: dayOf(updated_at),
    author: author && shownBy({ author, via }),
  });
}

/** A row by its name (RE-7). */
export const observationName = ({ id, title, superseded_by }: ObservationRow): string =>
  nameLine({
    ref: `#${id}`,
    text: firstWords(title),
    ...markOf({ isReplaced: superseded_by !== undefined }),
  });
