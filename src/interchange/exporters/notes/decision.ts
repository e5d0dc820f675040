import { attributesOf } from '../../../domain/decision.ts';
import type { VersionWhole } from '../../../store/export/versions.ts';
import type { Kept } from '../chains.ts';
import { embedded } from '../markdown.ts';
import { titleOf } from '../names.ts';
import { day, type Event, type Note, type NoteLink, type NoteRef, oneLine } from './note.ts';
import type { Places } from './places.ts';

/** A version as this note tells of it. */
interface WholeVersion {
  kept: Kept;
  whole: VersionWhole;
  /** Why it was withdrawn; undefined where it was not. */
  withdrawn: string | undefined;
}

/** A chain of decisions as one note: the active version first, with what it depends on; then the earlier ones. */
export function decisionNote(
  ref: NoteRef,
  versions: WholeVersion[],
  { ofDecision, ofObservation }: Places,
  authors: boolean,
): Note {
  const last = versions.at(-1) as WholeVersion;
  const { decision, writer } = last.whole;
  const all = versions.flatMap(({ whole }) => whole);
  const linked = (ends: 'from' | 'to'): NoteLink[] =>
    distinct(
      all.flatMap((whole) =>
        whole[ends].flatMap(({ relationship, fromId, toId }) => {
          const to = ofDecision.get(ends === 'from' ? toId : fromId);
          return to === undefined || to === ref || relationship === 'supersedes'
            ? []
            : [{ relation: relationship, to }];
        }),
      ),
    );
  const anchors = all.flatMap((whole) => whole.anchors);
  const earlier = versions.slice(0, -1).toReversed();
  return {
    ...ref,
    kind: 'decision',
    description: titleOf(decision.text),
    createdAt: (versions[0] as WholeVersion).whole.decision.createdAt,
    updatedAt: Math.max(decision.updatedAt, last.kept.withdrawal?.createdAt ?? 0),
    writer: authors ? writer : undefined,
    active: decision.isActive,
    values: {
      topic: decision.topic ?? undefined,
      ...Object.fromEntries(attributesOf(decision)),
      outcome: decision.outcome ?? undefined,
      versions: versions.length,
      id: decision.id,
    },
    sources: all.flatMap(({ evidence }) =>
      evidence.map(({ content, timestamp, observationId }) => ({
        content,
        at: timestamp,
        from: observationId === null ? undefined : ofObservation.get(observationId),
      })),
    ),
    parts: [
      bodyOf(last, ''),
      ...(anchors.length === 0
        ? []
        : [`## Hints\n\n${anchors.map(({ hint, type }) => `- ${type}: ${oneLine(hint)}`).join('\n')}`]),
      ...earlier.map((stated) =>
        bodyOf(stated, `## Before, until ${day(stated.kept.next?.createdAt ?? 0)}\n\n`),
      ),
    ],
    links: linked('from'),
    linkedFrom: linked('to'),
    events: versions.flatMap(eventsOf),
  };
}

/** A version with its grounds and how it turned out. */
function bodyOf(
  { whole: { decision, evidence, outcomes }, withdrawn }: WholeVersion,
  heading: string,
): string {
  const deeper = heading === '' ? '##' : '###';
  const parts = [
    `${heading}${embedded(decision.text)}`,
    ...(withdrawn === undefined ? [] : [`**Withdrawn.** ${oneLine(withdrawn)}`]),
    ...outcomes.map(
      ({ outcome, reason, createdAt }) =>
        `**Outcome, ${day(createdAt)}: ${outcome}.**${reason === null ? '' : ` ${oneLine(reason)}`}`,
    ),
    ...(decision.reasoning === null ? [] : [`${deeper} Why\n\n${embedded(decision.reasoning)}`]),
    ...(evidence.length === 0
      ? []
      : [`${deeper} Evidence`, ...evidence.map(({ content }) => embedded(content))]),
  ];
  return parts.join('\n\n');
}

function eventsOf({ kept, whole: { decision, outcomes }, withdrawn }: WholeVersion, index: number): Event[] {
  const text = titleOf(decision.text);
  return [
    { at: decision.createdAt, what: `${index === 0 ? 'decided' : 'decided anew'}: ${text}` },
    ...outcomes.map(({ outcome, reason, createdAt }) => ({
      at: createdAt,
      what: `${outcome}: ${text}${reason === null ? '' : ` — ${titleOf(reason)}`}`,
    })),
    ...(withdrawn === undefined
      ? []
      : [{ at: kept.withdrawal?.createdAt ?? 0, what: `withdrawn: ${text} — ${titleOf(withdrawn)}` }]),
  ];
}

/** Each link once, in the order of the files. */
function distinct(links: NoteLink[]): NoteLink[] {
  const keyed = new Map(links.map((link) => [`${link.to.path} ${link.relation}`, link]));
  return [...keyed].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, link]) => link);
}
