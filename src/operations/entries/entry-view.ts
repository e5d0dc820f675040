import { compact, telltaleScope, telltaleStrength } from '../brief.ts';
import { importedText } from '../results/decision.ts';
import { dayOf, shownShare } from '../results/fields.ts';
import { markOf, type Named, nameLine, wordsOfName } from '../results/names.ts';
import { shownBy } from '../results/writer.ts';
import {
  bad,
  counted,
  date,
  dim,
  facts,
  good,
  indented,
  line,
  shares,
  strong,
  type View,
  warn,
} from '../view.ts';
import type { Entry } from './entry.ts';

/**
 * An entry as a model reads it: every token counts (W-3). Its text is under the name of its kind, such as `decision`
 * or `memo`; what is usual, or said already, is left out.
 */
export function briefEntry(each: Entry): Record<string, unknown> {
  const { kind, title, outcome_warning, status } = each;
  const isSaid = status === 'active' || outcome_warning !== undefined;
  return compact({
    id: each.ref,
    [kind === 'decision' ? 'topic' : 'title']: title,
    // Before a text that holds no longer.
    status: isSaid ? undefined : status,
    outcome_warning,
    superseded_by: each.superseded_by,
    [kind]: each.text,
    since: each.since,
    strength: telltaleStrength(each.strength),
    decided_twice: each.decided_twice,
    imported: each.imported,
    outcome: each.outcome,
    earlier_failure: each.earlier_failure,
    failed_basis: each.failed_basis,
    why: outcome_warning === undefined ? each.why : undefined,
    similarity: shownShare(each.similarity),
    matched: each.matched,
    when: dayOf(each.when),
    version: each.version,
    author: each.author && shownBy(each),
    scope: telltaleScope(each.scope, title),
    debated_by: each.debated_by,
    evidence: each.evidence,
    anchors: each.anchors,
    // That it was searched for and found is plain.
    because: each.similarity === undefined ? each.because : undefined,
  });
}

/** An entry by its name: of an observation the title says more than how its text begins. */
export function toNamed({ kind, id, ref, title, text, status, superseded_by, strength }: Entry): Named {
  const isTitled = kind === 'observation' && title !== undefined;
  const mark = markOf({
    outcome: status,
    withdrawn: status === 'withdrawn',
    isReplaced: superseded_by !== undefined,
    strength,
  });
  return {
    ...{ kind, id, ref },
    ...(title !== undefined && !isTitled && { title }),
    text: wordsOfName(isTitled ? title : text, mark),
    ...mark,
  };
}

/** Its name, then that of the earlier version that matched. */
export const namesOf = (each: Entry): Named[] => [toNamed(each), ...(each.earlier ? [each.earlier] : [])];
export const entryNames = (each: Entry): string[] => namesOf(each).map(nameLine);

/** Entries as a person sees them, in their order. */
export function viewEntries(entries: readonly Entry[]): View {
  const answers = shares(entries.map(({ similarity }) => similarity));
  return entries.flatMap((each, at) => [...viewEntry(each, answers[at]), line('')]);
}

/** What was decided, what failed, why; then when, who and why it is listed. @param answers how much of the question */
function viewEntry(each: Entry, answers: string | undefined): View {
  return [
    line(strong(each.title ?? each.kind), ...state(each)),
    ...(each.superseded_by ? [indented(warn(`! superseded by ${each.superseded_by}`))] : []),
    ...(each.decided_twice ? [indented(warn(`! decided twice: ${each.decided_twice}`))] : []),
    ...importedText(each).map((said) => indented(warn(said))),
    indented(each.text),
    ...(each.since ?? []).map((later) => indented(warn(`! since then: ${later}`))),
    ...(each.outcome_warning ? [indented(bad(each.outcome_warning))] : []),
    ...(each.outcome ? [indented(good(`outcome: ${each.outcome}`))] : []),
    ...(each.earlier_failure ? [indented(warn(`! failed before: ${each.earlier_failure}`))] : []),
    ...(each.failed_basis ?? []).map((basis) => indented(warn(`! builds on what failed: ${basis}`))),
    ...(each.why && !each.outcome_warning ? [indented(dim('why: '), each.why)] : []),
    ...(each.matched ? [indented(dim('matched: '), each.matched)] : []),
    ...(each.debated_by ?? []).map((debater) => indented(dim(`debated by ${debater}`))),
    ...(each.anchors ?? []).map((anchor) => indented(dim(`⚓ ${anchor}`))),
    facts(
      date(each.when),
      shownBy(each),
      each.similarity === undefined ? each.because : answers,
      each.evidence && counted(each.evidence, 'piece of evidence', 'pieces of evidence'),
      `${each.kind} ${each.ref}`,
    ),
  ];
}

function state({ status, strength, scope, version }: Entry) {
  if (status === undefined) return [];
  const tone = { active: good, failed: bad, withdrawn: warn }[status];
  return [
    '  ',
    tone(status),
    dim([' ', telltaleStrength(strength), scope, version && `v${version}`].filter(Boolean).join(' · ')),
  ];
}
