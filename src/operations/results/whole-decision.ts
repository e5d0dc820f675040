import * as z from 'zod';
import { OUTCOMES } from '../../domain/outcome.ts';
import { decisionRecord } from './decision.ts';
import { decisionContext, decisionLink } from './decision-links.ts';
import { decisionVersion } from './decision-version.ts';
import { resultDate } from './fields.ts';
import { anchorRecord, evidenceRecord } from './grounds.ts';
import { author, writer } from './writer.ts';

/** Everything about one decision: the result of `decision_get`. `version` says to which version a part belongs. */
export const wholeDecision = z.object({
  decision: decisionRecord.extend(writer()),
  versions: z
    .array(
      decisionVersion.extend({
        mistaken: z.boolean().optional().meta({ description: 'It was taken back as a mistake' }),
        author: author(),
      }),
    )
    .meta({ description: 'The whole chain, oldest first' }),
  edges: z.object({ outgoing: z.array(decisionLink), incoming: z.array(decisionLink) }),
  evidence: z.array(evidenceRecord.extend({ version: z.int(), length: z.int(), ...writer() })),
  anchors: z.array(anchorRecord),
  outcomes: z.array(
    z.object({
      version: z.int(),
      outcome: z.enum(OUTCOMES),
      reason: z.string().nullable(),
      createdAt: resultDate(),
      retracted: z.boolean().optional().meta({ description: 'It was taken back' }),
      author: author(),
    }),
  ),
  context: decisionContext.optional(),
});
export type WholeDecision = z.output<typeof wholeDecision>;
