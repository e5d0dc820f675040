import * as z from 'zod';
import { anchorText } from '../../domain/anchor.ts';
import type { ChangeKind } from '../../domain/change.ts';
import { STRENGTHS } from '../../domain/decision.ts';
import { LISTED_KINDS } from '../../domain/filter/filter.ts';
import { KINDS, SAVED_KINDS } from '../../domain/kinds.ts';
import { OUTCOMES } from '../../domain/outcome.ts';
import { cut } from '../../domain/text/sentence.ts';
import { valuesIn } from '../../store/json-list.ts';
import type { Reported } from '../../store/lists/happened.ts';
import type { Happened } from '../../store/lists/timeline.ts';
import { reasonOf } from '../results/details.ts';
import { iso, resultDate } from '../results/fields.ts';
import { markOfOutcome } from '../results/named-decision.ts';
import { by, shownBy, toBy } from '../results/writer.ts';
import { entry, type View } from '../view.ts';

/** Characters of a text in the log; `show` has all. */
const LONGEST_TEXT = 200;

/** What happened, as the log tells it (U-3). */
export const logged = z.object({
  kind: z.enum(LISTED_KINDS),
  of: z.enum(SAVED_KINDS).optional().describe('Of a change: the kind of the record that it happened to'),
  what: z.string().describe('What happened, such as decided, revised, withdrawn, failed, noted, deleted'),
  at: resultDate(),
  id: z.string().optional().describe('The record that it happened to: show and its own operation accept it'),
  ref: z.string().optional().describe('A prefix of the id'),
  topic: z.string().optional(),
  title: z.string().optional().describe('Of an observation'),
  scope: z.string().optional(),
  strength: z.enum(STRENGTHS).optional().describe('Of a decision'),
  text: z.string(),
  was: z.string().optional().describe('Of a decision or a note: the text that it replaced'),
  why: z.string().optional().describe('Of a decision: its reason in a sentence'),
  outcome: z
    .enum(OUTCOMES)
    .optional()
    .describe('For a decision, its outcome now; for an outcome, what was recorded'),
  removed: z.boolean().optional().describe('It was undone or deleted since'),
  ...by(),
  branch: z.string().optional().describe('Of a decision: the git branch it was taken on'),
  client: z.string(),
});
export type Logged = z.infer<typeof logged>;

/** @param full whether its text is whole */
export function toLogged({ source, at }: Happened, reported: Reported, full: boolean): Logged {
  const { id, ref, topic, title, scope, strength, outcome, was, branch, reasoning = null } = reported;
  // What became of a version since is another line of the log.
  const why = reasonOf({ reasoning });
  const own = reported.text ?? '';
  const text = (reported.change && changed(reported)) || (source === 'anchor' ? anchorText(own) : own);
  const shown = (each: string) => (full ? each.trim() : cut(each.trim(), LONGEST_TEXT));
  return {
    kind: source === 'revision' ? 'observation' : source,
    ...(reported.of && { of: reported.of }),
    what: whatHappened(source, detailOf(source, reported)),
    at: iso(at),
    ...(id !== undefined && { id, ref }),
    ...(topic && { topic }),
    ...(title && { title }),
    ...(scope !== undefined && { scope }),
    ...(strength && { strength }),
    text: shown(text),
    ...(was && { was: shown(was) }),
    ...(why && { why }),
    ...(outcome && { outcome }),
    ...(isRemoved(reported) && { removed: true }),
    ...toBy(reported),
    ...(branch && { branch }),
    client: reported.client,
  };
}

const BECAME = { success: 'worked', failed: 'failed', partial: 'partly worked' } as const;
const CHANGED: Record<ChangeKind, string> = {
  moved: 'moved',
  repeated: 'noted again',
  rewritten: 'rewritten',
  deleted: 'deleted',
  restored: 'restored',
  retracted: 'undone',
  reinstated: 'brought back',
  erased: 'erased',
  related: 'related',
  unrelated: 'unrelated',
  joined: 'joined',
  renamed: 'renamed',
  explored: 'explored',
  redacted: 'redacted',
};

/** What happened, in words. @param detail of a decision, an outcome or a change, as `store/lists/timeline.ts` has it */
export function whatHappened(source: Happened['source'], detail: string): string {
  if (source === 'change') return CHANGED[detail as ChangeKind];
  if (source === 'revision') return 'rewritten';
  if (source === 'decision') return detail;
  return (source === 'outcome' && BECAME[detail as keyof typeof BECAME]) || KINDS[source].logged;
}

/** An observation is deleted, any other record undone; the line of a withdrawal that was undone says so itself. */
const isRemoved = ({ retractedAt, deletedAt, happened }: Reported) =>
  happened !== 'undone' && (retractedAt ?? deletedAt) != null;

function detailOf(source: Happened['source'], { happened, outcome, change }: Reported): string {
  return (source === 'decision' ? happened : source === 'outcome' ? outcome : change) ?? '';
}

/** A change in words: a relation as it reads, any other as what it was and what it is. */
function changed({ change, before, after }: Reported): string {
  // Its text says it.
  if (change === 'rewritten') return '';
  const [was, now] = [valuesIn(before), valuesIn(after)];
  if (change === 'related' || change === 'unrelated') {
    const { from, to, type } = change === 'related' ? now : was;
    return `#${from} ${type} #${to}`;
  }
  const names = [...new Set([...Object.keys(was), ...Object.keys(now)])].filter(
    (name) => was[name] !== now[name],
  );
  const said = (value: unknown) => (value === undefined || value === null ? 'none' : String(value));
  // The change itself knows the moment; a renaming that is undone keeps all that its name was.
  const shownNames = names.filter((name) =>
    change === 'renamed' ? name === 'topic' : !/(At|Since)$/.test(name),
  );
  return shownNames.map((name) => `${name}: ${said(was[name])} → ${said(now[name])}`).join(', ');
}

/** What happened, on one line. */
export function viewLogged(each: Logged): View {
  return [
    entry({
      mark: markOfOutcome(each.outcome ?? null),
      ref: each.ref ?? '········',
      at: each.at,
      who: shownBy(each),
      what: `${each.what}${each.removed ? `, ${/^(obs|mem)/.test(each.kind) ? 'deleted' : 'undone'} since` : ''}`,
      title: each.topic ?? each.title ?? '',
      text: each.text,
    }),
  ];
}
