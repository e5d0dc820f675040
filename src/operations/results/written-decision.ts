import * as z from 'zod';
import { idsOf } from '../../domain/id.ts';
import { isPerson } from '../../domain/via.ts';
import type { Written } from '../../store/decisions/chain.ts';
import { requireDecision } from '../../store/decisions/reference.ts';
import type { Tx } from '../../store/tx.ts';
import { dim, facts, good, indented, line, shortId, strong, type View, warnings } from '../view.ts';
import { checkAgainst, checks, viewChecks } from './check-against.ts';
import { copiesWarned } from './copies.ts';
import { decisionRecord, referenceLists, toDecisionRecord } from './decision.ts';
import { asks, givenHints } from './hints.ts';
import { binds, replacedDecision, toBinds, toReplaced, viewBinds } from './replaced.ts';
import {
  COMPARED_WITH_NONE,
  comparedField,
  findSimilar,
  similarDecision,
  viewSimilar,
} from './similar-decisions.ts';

/** The result of `decision_save` and `decision_revise`. */
export const writtenDecision = z.object({
  decision: decisionRecord,
  unchanged: z.boolean().optional().describe('The active version says the same: no new version was made'),
  binds: binds(),
  replaced: replacedDecision.optional(),
  edges: z.object({ supersedes: z.string().nullable(), ...referenceLists }),
  evidence: z.array(z.string()).describe('Ids of the evidence that was added'),
  warnings: z.array(z.string()),
  ask: asks(),
  similar: z
    .array(similarDecision)
    .optional()
    .describe('Close decisions of other chains, failed ones too: link, debate or revise them'),
  check_against: checks(),
  compared: comparedField(),
  workspace: z.string(),
});
type WrittenDecision = z.infer<typeof writtenDecision>;

/**
 * The answer to a save. The version gets the hints that came with it, and what is worth asking now is asked.
 * @param scope the scope that was given
 */
export async function toWrittenDecision(
  tx: Tx,
  { decision, annotation, unchanged, replaced, evidence, warnings }: Written,
  {
    scope,
    hints,
    isBatch = false,
  }: { scope?: string | undefined; hints?: readonly string[] | undefined; isBatch?: boolean },
) {
  const isNew = !isBatch && !unchanged && !decision.withdrawn;
  const given = await givenHints(tx, decision, hints, isNew && decision.strength !== 'normal');
  const list = isNew ? await checkAgainst(tx, decision) : [];
  return {
    decision: toDecisionRecord(decision, annotation),
    ...(unchanged && { unchanged: true }),
    ...toBinds(decision, scope, tx.writer.client),
    ...(replaced && { replaced: toReplaced(replaced) }),
    edges: { supersedes: decision.previousVersionId, ...annotation.references },
    evidence: idsOf(evidence),
    ...given,
    warnings: [...warnings, ...given.warnings],
    ...(list.length > 0 && { check_against: list }),
  };
}

/**
 * Adds what is close to the decision, and the warnings of it, after the commit (T-6). What was withdrawn contradicts nothing, and
 * a person who corrects the wording decides nothing anew (TR-3): of both, only copies of the old text are named.
 */
export async function comparedDecision<
  Result extends Pick<WrittenDecision, 'decision' | 'warnings' | 'unchanged'>,
>(tx: Tx, result: Result): Promise<Result> {
  const { id, withdrawn, tidied } = result.decision;
  if (withdrawn || (tidied?.how === 'worded' && isPerson(tx.writer.client))) {
    const { warnings } = await copiesWarned(tx, await requireDecision(tx, id));
    return { ...result, warnings: [...result.warnings, ...warnings] };
  }
  return withSimilar(tx, id, result);
}

/** A result with what is close to a decision that was saved. */
export async function withSimilar<
  Result extends Pick<WrittenDecision, 'warnings' | 'unchanged' | 'check_against'>,
>(tx: Tx, id: string, result: Result) {
  const { similar, warnings, compared } = await findSimilar(tx, id, { isSaved: !result.unchanged });
  const all = [...result.warnings, ...warnings];
  const isSilent = all.length === 0 && result.check_against === undefined;
  return { ...result, warnings: all, similar, ...(isSilent && { compared }) };
}

export function viewWrittenDecision(result: WrittenDecision): View {
  const { decision } = result;
  return [
    line(
      good(result.unchanged ? '= text unchanged' : decision.withdrawn ? '✔ withdrawn' : '✔ saved'),
      ' ',
      strong(decision.topic ?? '(no topic)'),
      dim(
        `  ${decision.strength} · ${decision.scope} · v${decision.version} · workspace ${result.workspace}`,
      ),
    ),
    indented(decision.text),
    facts(shortId(decision.id)),
    ...viewBinds(result.binds),
    ...(result.unchanged && decision.outcome_warning ? warnings([decision.outcome_warning]) : []),
    ...viewBeside(result),
  ];
}

type Beside = Partial<Pick<WrittenDecision, 'similar' | 'check_against' | 'compared'>>;
/** The records beside which a save is to be read, else those that it was compared with. */
export const viewBeside = ({ similar, check_against, compared }: Beside): View => [
  ...viewSimilar(similar ?? []),
  ...viewChecks(check_against ?? []),
  ...(compared === undefined || compared === COMPARED_WITH_NONE ? [] : [line(dim(`compared ${compared}`))]),
];
