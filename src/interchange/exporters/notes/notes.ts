import {
  type MemoWhole,
  type ObservationWhole,
  wholeCheckpoints,
  wholeMemos,
  wholeObservations,
} from '../../../store/export/records.ts';
import { type VersionWhole, wholeVersions } from '../../../store/export/versions.ts';
import { piecesOf } from '../../../store/rows.ts';
import type { Tx, Writer } from '../../../store/tx.ts';
import type { ExportTerms } from '../exporter.ts';
import { titleOf } from '../names.ts';
import { decisionNote } from './decision.ts';
import type { Note, NoteLink, NoteRef } from './note.ts';
import type { Places } from './places.ts';

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
      const told = versions.map((kept) => ({
        kept,
        whole: whole.get(kept.id) as VersionWhole,
        withdrawn: kept.withdrawal && (whole.get(kept.withdrawal.id)?.decision.reasoning ?? ''),
      }));
      yield decisionNote(ref, told, places, authors);
    }
  }
  const { observation, checkpoint, memo } = places.others;
  const numbers = observation.map(({ id }) => Number(id));
  for await (const whole of wholeObservations(tx, numbers)) yield observationNote(whole, places, authors);
  const refs = new Map([...checkpoint, ...memo].map(({ id, ref }) => [id, ref]));
  const plain = ({ id, summary, createdAt, author, host, client, session }: Summed) => ({
    ...(refs.get(id) as NoteRef),
    description: titleOf(summary),
    createdAt,
    updatedAt: createdAt,
    writer: authors ? { author, host, client, session } : undefined,
    stands: true,
    sources: [],
    links: [],
    linkedFrom: [],
    events: [],
  });
  for await (const whole of wholeCheckpoints(tx, checkpoint)) {
    const { id, summary, nextSteps, openFiles } = whole;
    yield {
      ...plain(whole),
      kind: 'checkpoint',
      values: { id, open_files: openFiles.length > 0 ? openFiles : undefined },
      parts: [summary, ...(nextSteps === null ? [] : [`## Next steps\n\n${nextSteps}`])],
    };
  }
  for await (const whole of wholeMemos(tx, memo)) {
    const { id, fullText, keywords } = whole;
    yield {
      ...plain(whole),
      kind: 'memo',
      values: { id, keywords: keywords.length > 0 ? keywords : undefined },
      parts: [fullText],
    };
  }
}

/** What is told of a record that has no title and no links. */
type Summed = Pick<MemoWhole, 'id' | 'summary' | 'createdAt' | keyof Writer>;

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
    stands: true,
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
