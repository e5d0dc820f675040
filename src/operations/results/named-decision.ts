import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import { cut } from '../../domain/text/sentence.ts';
import { shortIds } from '../../store/prefix.ts';
import type { Tx } from '../../store/tx.ts';
import { pick } from '../brief.ts';
import { bad, dim, good, type Span, strong, warn } from '../view.ts';
import { statusOf, warningOf } from './decision.ts';
import { decisionRow } from './decision-row.ts';

const { shape } = decisionRow;

/** A decision as others name it: by topic and short id (U-2). */
export const namedDecision = z.object({
  ...pick(shape, 'id', 'ref', 'topic', 'version', 'text'),
  ...pick(shape, 'strength', 'status', 'outcome', 'outcome_warning'),
});
export type NamedDecision = z.infer<typeof namedDecision>;

/** Decisions as others name them, by id. @param most characters of a text */
export async function namedDecisions(tx: Tx, decisions: Decision[], most: number) {
  const shortId = await shortIds(tx, 'decisions', idsOf(decisions));
  return new Map(
    decisions.map((decision): [string, NamedDecision] => [
      decision.id,
      {
        ...pick(decision, 'id', 'topic', 'version', 'strength', 'outcome'),
        ref: shortId(decision.id),
        text: cut(decision.text, most),
        status: statusOf(decision),
        ...warningOf(decision),
      },
    ]),
  );
}

/** As a person reads it: what became of it, its topic with the version where it is not active, its text, its short id. */
export function decisionLine({ ref, topic, version, text, status, outcome }: NamedDecision): Span[] {
  const isActive = status === 'active';
  const name = `${topic ?? '(no topic)'}${isActive ? '' : `@${version}`}`;
  return [
    markOfOutcome(outcome),
    ' ',
    strong(name),
    isActive ? '' : dim(` (${status})`),
    `  ${text}`,
    dim(`  ${ref}`),
  ];
}

/** The outcome of a decision, as one character. */
export function markOfOutcome(outcome: Decision['outcome']): Span {
  if (outcome === 'failed') return bad('✗');
  if (outcome === 'partial') return warn('~');
  return outcome === 'success' ? good('✓') : dim('·');
}
