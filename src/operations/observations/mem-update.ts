import * as z from 'zod';
import { conflict, invalid } from '../../domain/error.ts';
import { findByTopicKey, type NewObservation } from '../../store/observations/observation.ts';
import { updateObservation } from '../../store/observations/save.ts';
import type { Tx } from '../../store/tx.ts';
import {
  content,
  kind,
  observationId,
  observationScope,
  project,
  title,
  topicKey,
} from '../fields/observation.ts';
import { defineOperation } from '../operation.ts';
import { copiesOfNote } from '../results/copies.ts';
import { iso, resultDate, written } from '../results/fields.ts';
import { requireLiveObservation } from '../results/observation.ts';
import { dim, good, line } from '../view.ts';

/** What an observation need not have, and can lose (T-16). */
const CLEARED = ['project', 'topic_key'] as const;
const CHANGES = ['title', 'content', 'type', 'project', 'scope', 'topic_key', 'clear'] as const;

export const memUpdate = defineOperation({
  name: 'mem_update',
  family: 'observations',
  title: 'Correct an observation',
  summary:
    'Correct an observation by its id; what you leave out stays. The earlier text is kept as a revision.',
  access: 'write',
  idempotent: true,
  tool: 'optIn',
  positional: ['id'],
  input: z.strictObject({
    id: observationId(),
    title: title().optional(),
    content: content().optional(),
    type: kind('Any kind').optional(),
    project: project().optional(),
    scope: observationScope().optional(),
    topic_key: topicKey().optional(),
    clear: z
      .array(z.enum(CLEARED))
      .max(CLEARED.length, `to hold at most ${CLEARED.length} names`)
      .optional()
      .describe('Fields to empty; a blank one is left as it is'),
  }),
  output: written({
    id: z.int(),
    title: z.string(),
    revision: z.int().describe('How many texts it has had'),
    cleared: z.array(z.enum(CLEARED)).optional().describe('Fields that are empty now'),
    updated_at: resultDate(),
  }),
  async run(tx, input) {
    if (CHANGES.every((change) => input[change] === undefined))
      throw invalid.missing(`mem_update: Expected at least one of ${CHANGES.join(', ')}, found none.`);
    const cleared = [...new Set(input.clear)];
    const both = cleared.find((field) => input[field] !== undefined);
    if (both !== undefined)
      throw invalid.both_given(`mem_update: Expected either "${both}" or "clear" with it, found both.`);
    const kept = (field: (typeof CLEARED)[number], value: string | null) =>
      cleared.includes(field) ? null : (input[field] ?? value);
    const current = await requireLiveObservation(tx, input.id);
    const changed: NewObservation = {
      title: input.title ?? current.title,
      content: input.content ?? current.content,
      type: input.type ?? current.type,
      project: kept('project', current.project),
      scope: input.scope ?? current.scope,
      topicKey: kept('topic_key', current.topicKey),
    };
    await checkTopicKey(tx, current.id, changed);
    const updated = await updateObservation(tx, current, changed);
    const isOther = updated.content !== current.content;
    const warnings = isOther ? await copiesOfNote(tx, { ...updated, id: current.id }, true) : [];
    return {
      id: updated.id,
      title: updated.title,
      revision: updated.revisionCount + 1,
      ...(cleared.length > 0 && { cleared }),
      updated_at: iso(updated.updatedAt),
      ...(warnings.length > 0 && { warnings }),
    };
  },
  view: ({ id, title, revision, cleared = [], workspace }) => [
    line(good('✔ updated'), ` #${id} ${title}`, dim(`  revision ${revision} · workspace ${workspace}`)),
    ...(cleared.length > 0 ? [line(dim(`emptied: ${cleared.join(', ')}`))] : []),
  ],
});

/** A topic key names one observation in its project and scope. */
async function checkTopicKey(tx: Tx, id: number, changed: NewObservation): Promise<void> {
  if (changed.topicKey === null) return;
  const holder = await findByTopicKey(tx, changed);
  if (!holder || holder.id === id) return;
  throw conflict.name_taken(
    `mem_update: Expected a topic_key that no other observation has in this project and scope, found "${changed.topicKey}", which observation ${holder.id} ("${holder.title}") has. Update that one, or choose another key.`,
  );
}
