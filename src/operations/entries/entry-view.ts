import { compact, telltaleScope } from '../brief.ts';
import { dayOf } from '../results/fields.ts';
import { shownAuthor } from '../results/writer.ts';
import { bad, dim, good, indented, line, strong, type View, warn } from '../view.ts';
import type { Entry } from './entry.ts';

/** An entry as a model reads it: every token counts (W-3). What is usual, or said already, is left out. */
export function briefEntry(each: Entry): Record<string, unknown> {
  const {
    kind,
    ref,
    title,
    status,
    scope,
    why,
    when,
    author,
    because,
    matched,
    anchors,
    id: _,
    ...rest
  } = each;
  const isSaid = status === 'stands' || rest.outcome_warning !== undefined;
  return compact({
    kind,
    id: ref,
    title,
    ...rest,
    status: isSaid ? undefined : status,
    why: rest.outcome_warning === undefined ? why : undefined,
    matched,
    when: dayOf(when),
    author: author && shownAuthor(author),
    scope: telltaleScope(scope, title),
    anchors,
    because,
  });
}

/** An entry as a person sees it: what was decided, what failed, why; then when, who and why it is listed. */
export function viewEntry(each: Entry): View {
  const facts = [
    `${each.kind} ${each.ref}`,
    dayOf(each.when),
    each.author && shownAuthor(each.author),
    each.because,
  ];
  return [
    line(strong(each.title ?? each.kind), ...state(each)),
    indented(each.text),
    ...(each.outcome_warning ? [indented(bad(each.outcome_warning))] : []),
    ...(each.earlier_failure ? [indented(warn(`! failed before: ${each.earlier_failure}`))] : []),
    ...(each.failed_basis ?? []).map((basis) => indented(warn(`! builds on what failed: ${basis}`))),
    ...(each.why && !each.outcome_warning ? [indented(dim('why: '), each.why)] : []),
    ...(each.matched ? [indented(dim(`matched: ${each.matched}`))] : []),
    ...(each.anchors ?? []).map((anchor) => indented(dim(`⚓ ${anchor}`))),
    indented(dim(facts.filter(Boolean).join(' · '))),
  ];
}

function state({ status, scope, version }: Entry) {
  if (status === undefined) return [];
  const tone = { stands: good, failed: bad, withdrawn: warn }[status];
  return ['  ', tone(status), dim([' ', scope, version && `v${version}`].filter(Boolean).join(' · '))];
}
