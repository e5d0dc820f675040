import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { invalid } from '../../domain/error.ts';
import { OUTCOMES, overruledWarning } from '../../domain/outcome.ts';
import { firstOf, LIMITS, quoted } from '../../domain/text/text.ts';
import { dependentsOf } from '../../store/decisions/edge.ts';
import { recordOutcome } from '../../store/decisions/outcome.ts';
import { requireDecision } from '../../store/decisions/reference.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { savedDate, text } from '../fields/basic.ts';
import { decisionId, hints } from '../fields/decision.ts';
import { defineOperation } from '../operation.ts';
import { copyWarnings } from '../results/copies.ts';
import {
  briefDecisionRow,
  mamaRow,
  toDecisionRow,
  toMamaRow,
  viewDecisionRow,
} from '../results/decision-row.ts';
import { detailsOf } from '../results/details.ts';
import { warnings } from '../results/fields.ts';
import { asks, givenHints } from '../results/hints.ts';
import { warnedOfMistake } from '../results/mistake.ts';
import { counted, dim, line, shortId } from '../view.ts';

const input = z.strictObject({
  id: decisionId(),
  outcome: z
    .enum(OUTCOMES)
    .meta({ cli: `How it went: ${OUTCOMES.join(', ')}` })
    .optional(),
  reason: text(
    LIMITS.outcomeReason,
    'What happened; for a failure, what to know before trying again',
  ).optional(),
  hints: hints('As in mama_save; may be given alone').optional(),
  date: savedDate(),
});

export const mamaUpdate = defineOperation({
  name: 'mama_update',
  family: 'decisions',
  title: 'Record the outcome of a decision',
  summary:
    'Record how a past decision went (success, failed or partial), and why, once that is known. Later readers are warned of what failed.',
  access: 'write',
  searchHint: 'outcome of a past decision: it worked, it failed',
  positional: ['id', 'outcome', 'reason'],
  input,
  output: mamaRow.extend({
    ask: asks(),
    warnings: warnings(),
    workspace: z.string(),
  }),
  async run(tx, input) {
    const { decision, warned, asked } = await recorded(tx, input);
    const [detailOf, warnings] = await together(detailsOf(tx, [decision]), warned());
    return { ...toMamaRow(toDecisionRow(decision, detailOf(decision))), ...asked, ...warnings };
  },
  // A batch enters what happened: nobody looks at what depends on it now.
  runInBatch: async (tx, input) => (await recorded(tx, input, true)).warned([]),
  toModel: ({ ask, warnings, workspace, ...row }) => ({
    ...briefDecisionRow(row),
    outcome: row.outcome,
    ...(ask && { ask }),
    ...(warnings && { warnings }),
    workspace,
  }),
  view: (result) => [...viewDecisionRow(result), line(dim(`workspace ${result.workspace}`))],
});

/** That active decisions depend on what failed: now is when somebody looks (T-7). */
function dependentsWarning(dependents: { id: string; topic: string | null; text: string }[]): string[] {
  if (dependents.length === 0) return [];
  const names = dependents.map(
    ({ id, topic, text }) => `${topic ?? shortId(id)} ${quoted(text, LONGEST_TEXT)} (${shortId(id)})`,
  );
  return [
    `⚠️ ${counted(dependents.length, 'active decision')} built on this: ${firstOf(names, MOST_DEPENDENTS)}`,
  ];
}
const NO_REASON =
  '⚠️ No reason was recorded for this failure. Record it again with one, so that others know whether to try it again';
/** Dependents that are named, and characters of what they say. */
const MOST_DEPENDENTS = 5;
const LONGEST_TEXT = 80;

/** What is said no longer, now that it failed. */
const failedText = ({ text, rootId, version }: Decision) => ({ old: text, rootId, from: version });

async function recorded(tx: Tx, { id, outcome, reason, hints }: z.output<typeof input>, isBatch = false) {
  if (outcome === undefined && (!hints || reason !== undefined))
    throw invalid.missing(
      `mama_update: Expected "outcome" to be one of ${OUTCOMES.join(', ')}, or "hints" alone; it is missing.`,
    );
  const found = await requireDecision(tx, id);
  // Said again without a reason, the reason that is there stays. A failure that is said again is not a second outcome.
  const known = found.outcome === outcome ? found.outcomeReason : null;
  const isSame = outcome === 'failed' && found.outcome === outcome && reason === undefined;
  const decision =
    isSame || outcome === undefined ? found : await recordOutcome(tx, found.id, outcome, reason ?? known);
  const isAskedNow = !isBatch && !isSame && outcome === 'failed';
  const { warnings: leftOut, ...asked } = await givenHints(tx, found, hints, isAskedNow);
  const overruled = found.outcome === 'failed' && outcome !== undefined && outcome !== 'failed';
  const said = isSame ? ['Nothing was changed: its outcome was failed already.'] : [];
  const others = overruled ? [overruledWarning(found.outcomeReason)] : said;
  const built = async () => {
    if (outcome !== 'failed') return [];
    const [dependents, copies] = await together(
      dependentsOf(tx, found.id),
      isSame ? [] : copyWarnings(tx, failedText(found)),
    );
    return [...(decision.outcomeReason ? [] : [NO_REASON]), ...dependentsWarning(dependents), ...copies];
  };
  return {
    decision,
    asked,
    warned: async (dependents?: string[]) =>
      warnedOfMistake(tx, found.id, [...leftOut, ...others, ...(dependents ?? (await built()))]),
  };
}
