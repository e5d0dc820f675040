import { PLAIN_KINDS, type PlainKind } from '../../../domain/kinds.ts';
import { type ObservationWhole, wholeObservations, wholePlain } from '../../../store/export/records.ts';
import { type VersionWhole, wholeVersions } from '../../../store/export/versions.ts';
import { STORED } from '../../../store/kinds/kinds.ts';
import { piecesOf } from '../../../store/rows.ts';
import type { Tx } from '../../../store/tx.ts';
import type { ExportTerms } from '../exporter.ts';
import { titleOf } from '../names.ts';
import { decisionNote } from './decision.ts';
import type { Note, NoteLink, NoteRef } from './note.ts';
import type { Placed, Places } from './places.ts';

/** Chains that are read at once. */
const PAGE = 20;

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
        ...ref,
        kind,
        description: titleOf(title),
        createdAt,
        updatedAt: createdAt,
        writer: authors ? { author, host, client, session } : undefined,
        active: true,
        values: { id, ...values },
        parts,
        sources: [],
        links: [],
        linkedFrom: [],
        events: [],
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
    sources: [],
    parts: [content],
    links: linked(true),
    linkedFrom: linked(false),
    events: [],
  };
}
