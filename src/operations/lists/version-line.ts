import * as z from 'zod';
import { contentOf, type Decision } from '../../domain/decision.ts';
import { OUTCOMES, shownReason } from '../../domain/outcome.ts';
import { mistakesAmong } from '../../store/decisions/decision.ts';
import { outcomesOf } from '../../store/decisions/outcome.ts';
import type { Tx } from '../../store/tx.ts';
import { content } from '../results/decision.ts';
import { detailsOf } from '../results/details.ts';
import { dayOf, iso, resultDate } from '../results/fields.ts';
import { author, shownAuthor, toAuthor } from '../results/writer.ts';
import { bad, dim, good, indented, line, strong, type View, warn } from '../view.ts';

/** A version of a decision with its whole reason, and every outcome that it ever had (U-2). */
export const versionLine = z.object({
  version: z.int(),
  id: z.string(),
  ref: z.string().meta({ description: 'The beginning of its id; every operation takes it' }),
  ...content,
  reasoning: content.reasoning.meta({
    description: 'With topics and short ids for the ids that it refers to',
  }),
  status: z.enum(['active', 'withdrawn', 'superseded']),
  mistaken: z.boolean().optional().meta({ description: 'It was saved by mistake, and retracted' }),
  outcomes: z
    .array(
      z.object({
        outcome: z.enum(OUTCOMES),
        reason: z.string().nullable(),
        createdAt: resultDate(),
        retracted: z.boolean().optional().meta({ description: 'It was retracted' }),
        author: author(),
      }),
    )
    .meta({ description: 'Oldest first: the last one that was not retracted counts' }),
  createdAt: resultDate(),
  author: author(),
});
export type VersionLine = z.infer<typeof versionLine>;

/** These versions with all that was said of them, in their order. @param authorOf who wrote each, by id */
export async function versionLines(
  tx: Tx,
  versions: Decision[],
  authorOf: (id: string) => string,
): Promise<VersionLine[]> {
  const details = await detailsOf(tx, versions);
  const outcomes = await outcomesOf(
    tx,
    versions.map(({ id }) => id),
  );
  const mistakes = await mistakesAmong(
    tx,
    versions.map(({ id }) => id),
  );
  return versions.map((version) => ({
    version: version.version,
    id: version.id,
    ref: details(version).ref,
    ...contentOf(version),
    reasoning: details(version).reasoning,
    status: statusOf(version),
    ...(mistakes.has(version.id) && { mistaken: true }),
    outcomes: outcomes
      .filter(({ decisionId }) => decisionId === version.id)
      .map(({ outcome, reason, createdAt, retractedAt, author }) => ({
        outcome,
        reason,
        createdAt: iso(createdAt),
        ...(retractedAt !== null && { retracted: true }),
        ...toAuthor({ author }),
      })),
    createdAt: iso(version.createdAt),
    ...toAuthor({ author: authorOf(version.id) }),
  }));
}

export function statusOf({
  isActive,
  withdrawn,
}: Pick<Decision, 'isActive' | 'withdrawn'>): VersionLine['status'] {
  if (isActive) return 'active';
  return withdrawn ? 'withdrawn' : 'superseded';
}

/** A version as a person reads it in a history: what it said, when and who, why, and what became of it. */
export function viewVersionLine(each: VersionLine): View {
  const state = each.mistaken
    ? warn('retracted')
    : { active: good, withdrawn: warn, superseded: dim }[each.status](each.status);
  return [
    line(strong(`v${each.version}`), '  ', state, dim(`  ${signature(each)} · ${each.ref}`)),
    indented(each.text),
    ...(each.reasoning ? [indented(dim('why: '), each.reasoning)] : []),
    ...viewOutcomes(each.outcomes),
  ];
}

/** Outcomes, the one that counts first. */
function viewOutcomes(outcomes: VersionLine['outcomes']): View {
  const counts = outcomes.findLast(({ retracted }) => !retracted);
  return outcomes.toReversed().map((each) => {
    const back = each.retracted ? ' (retracted)' : '';
    const said = `${MARK[each.outcome]} ${each.outcome}${back} — ${shownReason(each.reason)}`;
    const tone = each !== counts ? dim : { success: good, failed: bad, partial: warn }[each.outcome];
    return indented(tone(said), dim(`  ${signature(each)}`));
  });
}

const MARK = { success: '✓', failed: '✗', partial: '~' } as const;

/** When and who: `2026-10-20 · Kim Minsu`. */
export function signature({ createdAt, author }: { createdAt: string; author?: string | undefined }): string {
  return [dayOf(createdAt), author && shownAuthor(author)].filter(Boolean).join(' · ');
}
