import * as z from 'zod';
import { areAgreed, basesOf, type Chain, type Version } from '../../domain/chain.ts';
import { sidesOf } from '../../domain/decided-twice.ts';
import { contentOf } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import { shownReason } from '../../domain/outcome.ts';
import { annotate } from '../../store/decisions/annotation.ts';
import { outcomesOf } from '../../store/decisions/outcome.ts';
import { undoersOf } from '../../store/record.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { pick } from '../brief.ts';
import { bad, dim, good, indented, line, strong, type View, warn } from '../view.ts';
import { content, recordedOutcome, statusOf, toRecordedOutcome } from './decision.ts';
import { decisionRow } from './decision-row.ts';
import { readingOf } from './details.ts';
import { dayOf, iso } from './fields.ts';
import { by, shownBy, shownTidied, shownUndone, toBy, toTidied, toUndone, undone } from './writer.ts';

const { shape } = decisionRow;

/** A version of a decision with its whole reason, and every outcome that it ever had (U-2). */
export const version = z.object({
  ...pick(shape, 'id', 'ref'),
  ...content,
  reasoning: content.reasoning.describe('With topics and short ids for the ids that it refers to'),
  ...pick(shape, 'version', 'is_active', 'status', 'outcome', 'created_at', 'tidied'),
  mistaken: z.boolean().optional().describe('It was saved by mistake, and undone'),
  undone: undone(),
  is_side: z.boolean().optional().describe('It is a side of what was decided twice '),
  settles: z
    .string()
    .optional()
    .describe('What was decided twice until it settled that: what was overridden'),
  outcomes: z.array(recordedOutcome).describe('Oldest first: the last one that was not undone counts'),
  ...by(),
});
export type ShownVersion = z.infer<typeof version>;

/**
 * Reads these versions of a chain with their outcomes and annotations, in order. Also returns the function
 * that reads the annotations of one.
 */
export async function readVersions(tx: Tx, chain: Chain, versions: Version[]) {
  const [{ reading }, all, undoers] = await together(
    annotate(tx, versions, { chain }).then((annotationOf) => readingOf(tx, versions, annotationOf)),
    outcomesOf(tx, idsOf(versions)),
    undoersOf(tx, idsOf(versions.filter(({ isMistake }) => isMistake))),
  );
  const outcomes = Map.groupBy(all, ({ decisionId }) => decisionId);
  const read = versions.map((version): ShownVersion => {
    const { ref, reasoning, annotation } = reading(version);
    const decided = annotation.tidied?.decided ?? version;
    return {
      ...pick(version, 'id', 'version', 'outcome'),
      ref,
      ...contentOf(version),
      reasoning,
      is_active: version.isActive,
      status: statusOf(version),
      created_at: iso(decided.createdAt),
      ...toTidied(annotation),
      ...(version.isMistake && { mistaken: true, ...toUndone(undoers.get(version.id)) }),
      ...toForked(version, chain),
      outcomes: (outcomes.get(version.id) ?? []).map(toRecordedOutcome),
      ...toBy(decided),
    };
  });
  return { versions: read, reading };
}

/** Whether a version is a side of what was decided twice, or settled that; empty if it was undone (K-6). */
function toForked(version: Version, chain: Chain): { is_side?: true; settles?: string } {
  if (version.isMistake) return {};
  const bases = basesOf(version);
  // Nearly every version is based on one other version, so the chain is searched only if there are more.
  const seen = bases.length > 1 ? chain.versions.filter(({ id }) => bases.includes(id)) : [];
  const gone = sidesOf(seen).filter((_, at) => seen[at]?.text !== version.text);
  const ended = ['decided twice until then', ...gone.map((side) => `${side} was overridden`)].join('; ');
  return {
    ...(chain.sides.some(({ id }) => id === version.id) && { is_side: true }),
    ...(!areAgreed(seen) && { settles: ended }),
  };
}

/** The outcome of a version that counts. */
export const lastOutcome = ({ outcomes }: Pick<ShownVersion, 'outcomes'>) =>
  outcomes.findLast(({ retracted }) => !retracted);

/** A version in a person's view of the history: text, date, author, reason and outcomes. */
export function viewVersion(each: ShownVersion): View {
  const state = each.mistaken
    ? warn(shownUndone(each.undone))
    : each.is_side && each.status !== 'active'
      ? warn('decided twice')
      : { active: good, withdrawn: warn, superseded: dim }[each.status](each.status);
  return [
    line(strong(`v${each.version}`), '  ', state, dim(`  ${signature(each)} · ${each.ref}`)),
    indented(each.text),
    ...(each.reasoning ? [indented(dim('why: '), each.reasoning)] : []),
    ...(each.settles ? [indented(dim(each.settles))] : []),
    ...viewOutcomes(each),
  ];
}

/** Outcomes, the one that counts first. */
function viewOutcomes(version: ShownVersion): View {
  const counts = lastOutcome(version);
  return version.outcomes.toReversed().map((each) => {
    const back = each.retracted ? ' (undone)' : '';
    const said = `${MARK[each.outcome]} ${each.outcome}${back} — ${shownReason(each.reason)}`;
    const tone = each !== counts ? dim : { success: good, failed: bad, partial: warn }[each.outcome];
    return indented(tone(said), dim(`  ${signature(each)}`));
  });
}

const MARK = { success: '✓', failed: '✗', partial: '~' } as const;

/** When, who and by what: `2026-10-20 · Kim Minsu via claude-code`. */
export function signature(
  of: { created_at: string; tidied?: Parameters<typeof shownTidied>[0] } & Parameters<typeof shownBy>[0],
): string {
  return [dayOf(of.created_at), shownBy(of), shownTidied(of.tidied)].filter(Boolean).join(' · ');
}
