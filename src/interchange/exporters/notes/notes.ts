import { attributesOf } from '../../../domain/decision.ts';
import { PLAIN_KINDS, type PlainKind } from '../../../domain/kinds.ts';
import { type ObservationWhole, wholeObservations, wholePlain } from '../../../store/export/records.ts';
import { type VersionWhole, wholeVersions } from '../../../store/export/versions.ts';
import { STORED } from '../../../store/kinds/kinds.ts';
import { piecesOf } from '../../../store/rows.ts';
import type { Tx } from '../../../store/tx.ts';
import type { Kept } from '../chains.ts';
import type { ExportTerms } from '../exporter.ts';
import { embedded } from '../markdown.ts';
import { titleOf } from '../names.ts';
import { day, type Event, type Note, type NoteLink, type NoteRef, oneLine } from './note.ts';
import type { Placed, Places } from './places.ts';

/** Chains that are read at once. */
const PAGE = 20;
/** What most notes have none of. */
const NONE = { sources: [], links: [], linkedFrom: [], events: [] };

/** Every note of an export, folder by folder, each in the order in which its record was saved first. */
export async function* notesOf(
  tx: Tx,
  places: Places,
  { authors }: Pick<ExportTerms, 'authors'>,
): AsyncGenerator<Note> {
  for (const chains of piecesOf(places.chains, PAGE)) {
    const whole = new Map<string, VersionWhole>();
    const wanted = chains.flatMap(({ versions }) =>
      versions.flatMap(({ id, withdrawal }) => [id, ...(withdrawal ? [withdrawal.id] : [])]),
    );
    for await (const version of wholeVersions(tx, wanted)) whole.set(version.decision.id, version);
    for (const { versions, ref } of chains) {
      const stated = versions.map((kept) => ({
        kept,
        whole: whole.get(kept.id) as VersionWhole,
        withdrawn: kept.withdrawal && (whole.get(kept.withdrawal.id)?.decision.reasoning ?? ''),
      }));
      yield decisionNote(ref, stated, places, authors);
    }
  }
  const numbers = places.others.observation.map(({ id }) => Number(id));
  for await (const whole of wholeObservations(tx, numbers)) yield observationNote(whole, places, authors);
  for (const kind of PLAIN_KINDS) yield* plainNotes(tx, kind, places, authors);
}

async function* plainNotes(
  tx: Tx,
  kind: PlainKind,
  { others }: Places,
  authors: boolean,
): AsyncGenerator<Note> {
  const placed = new Map(others[kind].map((each) => [each.seq, each]));
  for await (const rows of wholePlain(tx, kind, others[kind])) {
    const notes = await STORED[kind].plain.notes(tx, rows);
    for (const [at, { seq, id, author, host, client, session }] of rows.entries()) {
      const { ref, title, createdAt } = placed.get(seq) as Placed;
      const { values, parts } = notes[at] as (typeof notes)[number];
      yield {
        ...NONE,
        ...ref,
        kind,
        description: titleOf(title),
        createdAt,
        updatedAt: createdAt,
        writer: authors ? { author, host, client, session } : undefined,
        active: true,
        values: { id, ...values },
        parts,
      };
    }
  }
}

function observationNote(whole: ObservationWhole, { ofObservation }: Places, authors: boolean): Note {
  const { id, title, content, type, project, scope, topicKey, createdAt, updatedAt, relations } = whole;
  const { author, host, client, session } = whole;
  const linked = (isFrom: boolean): NoteLink[] =>
    relations.flatMap((relation) => {
      if ((isFrom ? relation.fromId : relation.toId) !== id) return [];
      const to = ofObservation.get(isFrom ? relation.toId : relation.fromId);
      return to === undefined ? [] : [{ relation: relation.type, to, note: relation.note }];
    });
  return {
    ...NONE,
    ...(ofObservation.get(id) as NoteRef),
    kind: 'observation',
    description: titleOf(title),
    createdAt,
    updatedAt,
    writer: authors ? { author, host, client, session } : undefined,
    active: true,
    values: {
      observation: type,
      project: project || undefined,
      scope,
      topic_key: topicKey ?? undefined,
      number: id,
    },
    parts: [content],
    links: linked(true),
    linkedFrom: linked(false),
  };
}

/** A version as this note tells of it. */
interface WholeVersion {
  kept: Kept;
  whole: VersionWhole;
  /** Why it was withdrawn; undefined where it was not. */
  withdrawn: string | undefined;
}

/** A chain of decisions as one note: the active version first, with what it depends on; then the earlier ones. */
function decisionNote(
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
