import * as z from 'zod';
import type { Version } from '../../domain/chain.ts';
import { idsOf } from '../../domain/id.ts';
import { shownReason } from '../../domain/outcome.ts';
import { outcomesOf } from '../../store/decisions/outcome.ts';
import type { Tx } from '../../store/tx.ts';
import {
  content,
  decisionFacts,
  recordedOutcome,
  toDecisionFacts,
  toRecordedOutcome,
} from '../results/decision.ts';
import { detailsOf } from '../results/details.ts';
import { dayOf } from '../results/fields.ts';
import { by, shownBy, shownTidied, toBy } from '../results/writer.ts';
import { bad, dim, good, indented, line, strong, type View, warn } from '../view.ts';

/** A version of a decision with its whole reason, and every outcome that it ever had (U-2). */
export const versionLine = decisionFacts.omit({ topic: true, outcome: true }).extend({
  reasoning: content.reasoning.describe('With topics and short ids for the ids that it refers to'),
  mistaken: z.boolean().optional().describe('It was saved by mistake, and undone'),
  outcomes: z.array(recordedOutcome).describe('Oldest first: the last one that was not undone counts'),
  ...by(),
});
type VersionLine = z.infer<typeof versionLine>;

/** These versions with all that was said of them, in their order. */
export async function versionLines(tx: Tx, versions: Version[]): Promise<VersionLine[]> {
  const details = await detailsOf(tx, versions);
  const outcomes = Map.groupBy(await outcomesOf(tx, idsOf(versions)), ({ decisionId }) => decisionId);
  return versions.map((version) => {
    const own = details(version);
    const { topic: _, outcome: __, ...facts } = toDecisionFacts(version, own);
    return {
      ...facts,
      reasoning: own.reasoning,
      ...(version.isMistake && { mistaken: true }),
      outcomes: (outcomes.get(version.id) ?? []).map(toRecordedOutcome),
      ...toBy(own.annotation.tidied?.decided ?? version),
    };
  });
}

/** A version as a person reads it in a history: what it said, when and who, why, and what became of it. */
export function viewVersionLine(
  each: VersionLine & { isSide?: boolean | undefined; settles?: string | undefined },
): View {
  const state = each.mistaken
    ? warn('undone')
    : each.isSide && each.status !== 'active'
      ? warn('decided twice')
      : { active: good, withdrawn: warn, superseded: dim }[each.status](each.status);
  return [
    line(strong(`v${each.version}`), '  ', state, dim(`  ${signature(each)} · ${each.ref}`)),
    indented(each.text),
    ...(each.reasoning ? [indented(dim('why: '), each.reasoning)] : []),
    ...(each.settles ? [indented(dim(each.settles))] : []),
    ...viewOutcomes(each.outcomes),
  ];
}

/** Outcomes, the one that counts first. */
function viewOutcomes(outcomes: VersionLine['outcomes']): View {
  const counts = outcomes.findLast(({ retracted }) => !retracted);
  return outcomes.toReversed().map((each) => {
    const back = each.retracted ? ' (undone)' : '';
    const said = `${MARK[each.outcome]} ${each.outcome}${back} — ${shownReason(each.reason)}`;
    const tone = each !== counts ? dim : { success: good, failed: bad, partial: warn }[each.outcome];
    return indented(tone(said), dim(`  ${signature(each)}`));
  });
}

const MARK = { success: '✓', failed: '✗', partial: '~' } as const;

/** When, who and by what: `2026-10-20 · Kim Minsu via claude-code`. */
export function signature(
  of: { createdAt: string; tidied?: Parameters<typeof shownTidied>[0] } & Parameters<typeof shownBy>[0],
): string {
  return [dayOf(of.createdAt), shownBy(of), shownTidied(of.tidied)].filter(Boolean).join(' · ');
}
