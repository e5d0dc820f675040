import * as z from 'zod';
import { LIMITS } from '../../domain/text/text.ts';
import { settleFork } from '../../store/decisions/settle.ts';
import { text } from '../fields/basic.ts';
import { decisionId } from '../fields/decision.ts';
import { defineOperation } from '../operation.ts';
import { findSimilar } from '../results/similar-decisions.ts';
import { dim, good, indented, line, shortId, strong } from '../view.ts';

export const decisionSettle = defineOperation({
  name: 'decision_settle',
  family: 'decisions',
  title: 'Settle what was decided twice',
  summary:
    'Settles a fork: two machines decided differently on one topic, and neither knew of the other. The new version follows both.',
  access: 'write',
  tool: false,
  positional: ['topic'],
  input: z.strictObject({
    topic: decisionId().describe('The topic, or the id of one of its versions'),
    keep: text(LIMITS.id, 'The id of the side to keep, or an id prefix')
      .refine((id) => id.length >= 4, 'to have at least four characters of an id')
      .optional(),
    text: text(LIMITS.decision, 'A decision that replaces both').optional(),
    reasoning: text(
      LIMITS.reasoning,
      'Why. Default with keep: the reason of that side. Needed if a lock or an axis is overridden',
    ).optional(),
  }),
  output: z.object({
    id: z.string(),
    topic: z.string().nullable(),
    version: z.number(),
    text: z.string(),
    settled: z.array(z.string()).describe('The ids of the versions that it settles'),
    warnings: z.array(z.string()),
    workspace: z.string(),
  }),
  async run(tx, { topic, ...how }) {
    const { decision, settled, warnings } = await settleFork(tx, topic, how);
    const { id, version } = decision;
    return {
      ...{ id, topic: decision.topic, version, text: decision.text },
      settled: settled.map((each) => each.id),
      warnings,
    };
  },
  // T-6: a text that replaces both is a decision like any other.
  async afterCommit(tx, result) {
    const { warnings } = await findSimilar(tx, result.id, { isSaved: true });
    return { ...result, warnings: [...result.warnings, ...warnings] };
  },
  view: ({ topic, id, version, text, workspace }) => [
    line(good('✔ settled '), strong(topic ?? '(no topic)'), ` v${version}`, dim(`  workspace ${workspace}`)),
    indented(text),
    indented(dim(shortId(id))),
  ],
});
