import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { cut } from '../../domain/text/sentence.ts';
import { shortIds } from '../../store/prefix.ts';
import type { Tx } from '../../store/tx.ts';
import { pick } from '../brief.ts';
import { decisionFacts, statusOf } from '../results/decision.ts';
import { dim, type Span, strong } from '../view.ts';
import { markOf } from './listed-decision.ts';

/** Characters of another decision's text. */
const SHOWN = 200;

/** A decision as others name it: by topic and short id (U-2). */
export const namedDecision = z.object(
  pick(decisionFacts.shape, 'id', 'ref', 'topic', 'version', 'text', 'strength', 'status', 'outcome'),
);
type NamedDecision = z.infer<typeof namedDecision>;
type Named = Pick<
  Decision,
  'id' | 'topic' | 'text' | 'version' | 'strength' | 'isActive' | 'withdrawn' | 'outcome'
>;

/** Decisions as others name them, in their order. */
export async function briefsOfDecisions(tx: Tx, decisions: Named[]): Promise<NamedDecision[]> {
  const ids = decisions.map(({ id }) => id);
  const shortId = await shortIds(tx, 'decisions', ids);
  return decisions.map((decision) => ({
    ...pick(decision, 'id', 'topic', 'version', 'strength', 'outcome'),
    ref: shortId(decision.id),
    text: cut(decision.text, SHOWN),
    status: statusOf(decision),
  }));
}

/**
 * As a person reads it: what became of it, its topic with the version where that is known and not active, its text, its short
 * id.
 */
export function decisionLine({
  ref,
  topic,
  version,
  text,
  status,
  outcome,
}: Omit<NamedDecision, 'id' | 'strength' | 'version'> & { version?: number }): Span[] {
  const name = `${topic ?? '(no topic)'}${status === 'active' || version === undefined ? '' : `@${version}`}`;
  const state = status === 'active' ? '' : dim(` (${status})`);
  return [markOf(outcome), ' ', strong(name), state, `  ${text}`, dim(`  ${ref}`)];
}
