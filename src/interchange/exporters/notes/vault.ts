import { iso } from '../../../domain/text/moment.ts';
import { viaOf } from '../../../domain/via.ts';
import type { Tx } from '../../../store/tx.ts';
import type { ExportedFile, ExportTerms } from '../exporter.ts';
import { page } from '../markdown.ts';
import { type Note, type NoteRef, textOf } from './note.ts';
import { notesOf } from './notes.ts';
import { placesOf } from './places.ts';

/**
 * A folder of notes with wiki links in both directions (I-5): a note a chain of decisions, an observation, a checkpoint, a
 * memo. Obsidian opens it, and basic-memory reads it.
 */
export async function* vaultOf(tx: Tx, terms: ExportTerms): AsyncGenerator<ExportedFile> {
  const places = await placesOf(tx, terms);
  for await (const note of notesOf(tx, places, terms))
    yield { path: `${note.path}.md`, text: noteText(note) };
}

function noteText(note: Note): string {
  const { kind, title, path, createdAt, updatedAt, writer, active, values } = note;
  return page(
    {
      title,
      type: kind,
      permalink: path,
      aliases: [title],
      tags: [`precedent/${kind}`],
      created: iso(createdAt),
      modified: iso(updatedAt),
      status: kind !== 'decision' ? undefined : active ? 'active' : 'withdrawn',
      author: writer?.author || undefined,
      via: writer && viaOf(writer.client),
      ...values,
    },
    textOf(note, linkTo),
  );
}

/** Characters that end a wiki link, or a part of one, are in none. */
const linkTo = ({ path, title }: NoteRef) => `[[${path}|${title.replace(/[[\]|]+/g, ' ').trim()}]]`;
