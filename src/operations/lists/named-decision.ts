import * as z from 'zod';
import { type Decision, STRENGTHS } from '../../domain/decision.ts';
import { OUTCOMES } from '../../domain/outcome.ts';
import { cut } from '../../domain/text/sentence.ts';
import { shortIds } from '../../store/prefix.ts';
import type { Tx } from '../../store/tx.ts';
import { dim, type Span, strong } from '../view.ts';
import { markOf } from './listed-decision.ts';
import { statusOf } from './version-line.ts';

/** Characters of another decision's text. */
const SHOWN = 200;

/** A decision as others name it: by topic and short id (U-2). */
export const namedDecision = z.object({
  id: z.string(),
  ref: z.string().meta({ description: 'The beginning of its id' }),
  topic: z.string().nullable(),
  version: z.int(),
  text: z.string(),
  strength: z.enum(STRENGTHS),
  status: z.enum(['active', 'withdrawn', 'superseded']),
  outcome: z.enum(OUTCOMES).nullable(),
});
type NamedDecision = z.infer<typeof namedDecision>;
type Named = Pick<
  Decision,
  'id' | 'topic' | 'text' | 'version' | 'strength' | 'isActive' | 'withdrawn' | 'outcome'
>;

/** Decisions as others name them, in their order. */
export async function briefsOfDecisions(tx: Tx, decisions: Named[]): Promise<NamedDecision[]> {
  const shortId = await shortIds(
    tx,
    'decisions',
    decisions.map(({ id }) => id),
  );
  return decisions.map((decision) => ({
    id: decision.id,
    ref: shortId(decision.id),
    topic: decision.topic,
    version: decision.version,
    text: cut(decision.text, SHOWN),
    strength: decision.strength,
    status: statusOf(decision),
    outcome: decision.outcome,
  }));
}

/** As a person reads it: what became of it, its topic with the version where that does not stand, its text, its short id. */
export function decisionLine({ ref, topic, version, text, status, outcome }: NamedDecision): Span[] {
  const name = `${topic ?? '(no topic)'}${status === 'active' ? '' : `@${version}`}`;
  const state = status === 'active' ? '' : dim(` (${status})`);
  return [markOf(outcome), ' ', strong(name), state, `  ${text}`, dim(`  ${ref}`)];
}
