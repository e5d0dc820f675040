import { FOUND_KINDS } from '../../../domain/kinds.ts';
import { iso } from '../../../domain/text/moment.ts';
import type { Tx, Writer } from '../../../store/tx.ts';
import type { ExportedFile, ExportTerms } from '../exporter.ts';
import { frontMatterOf, page } from '../markdown.ts';
import { titleOf } from '../names.ts';
import { day, type Note, type NoteRef, oneLine, textOf } from './note.ts';
import { notesOf } from './notes.ts';
import { placesOf } from './places.ts';

const VERSION = '0.2';
/** The name of a kind as the format writes it. */
const typeOf = (kind: string) => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
const ADDRESS = /<([^<>]+)>$/;
const WEB = /^https?:\/\/\S+/;

/**
 * A bundle of the Open Knowledge Format 0.2 (I-5): a concept a note, evidence as `sources`, what happened in `log.md`, and
 * what the format has no name for under `precedent_`.
 */
export async function* okfOf(tx: Tx, terms: ExportTerms): AsyncGenerator<ExportedFile> {
  const places = await placesOf(tx, terms);
  const listed = new Map<string, string[]>(FOUND_KINDS.map((kind) => [kind, []]));
  const events: { at: number; line: string }[] = [];
  for await (const note of notesOf(tx, places, terms)) {
    listed.get(note.kind)?.push(`- ${linkTo(note)}: ${note.description}`);
    for (const { at, what } of note.events) events.push({ at, line: `- ${linkTo(note)} ${oneLine(what)}` });
    yield { path: `${note.path}.md`, text: conceptOf(note) };
  }
  const parts = [...listed].filter(([, lines]) => lines.length > 0);
  const index = parts.map(([kind, lines]) => `## ${typeOf(kind)}s\n\n${lines.join('\n')}`);
  yield {
    path: 'index.md',
    text: `${frontMatterOf({ okf_version: VERSION })}\n${['# Index', ...index].join('\n\n')}\n`,
  };
  yield { path: 'log.md', text: logOf(events) };
}

function conceptOf(note: Note): string {
  const { kind, title, description, createdAt, updatedAt, writer, active, values, sources } = note;
  const own = Object.entries(values).map(([name, value]) => [`precedent_${name}`, value]);
  return page(
    {
      type: typeOf(kind),
      title,
      description,
      tags: [kind],
      timestamp: iso(updatedAt),
      status: active ? 'stable' : 'deprecated',
      generated: { by: actor(writer), at: iso(createdAt) },
      sources:
        sources.length === 0
          ? undefined
          : sources.map(({ content, from, at }, index) => ({
              id: `e${index + 1}`,
              resource: WEB.exec(content)?.[0] ?? (from ? pathTo(from) : `${pathTo(note)}#evidence`),
              title: titleOf(content),
              last_modified: iso(at),
            })),
      ...Object.fromEntries(own),
    },
    textOf(note, linkTo),
  );
}

/** What happened, the newest day first, as the format wants it. */
function logOf(events: { at: number; line: string }[]): string {
  const sorted = events.toSorted((a, b) => b.at - a.at || (a.line < b.line ? -1 : 1));
  const days = Map.groupBy(sorted, ({ at }) => day(at));
  const parts = [...days].map(([date, of]) => `## ${date}\n\n${of.map(({ line }) => line).join('\n')}`);
  return `${['# Log', ...parts].join('\n\n')}\n`;
}

/** Who wrote it, as the format names people and programs. */
function actor(writer: Writer | undefined): string {
  if (writer === undefined) return 'process:precedent';
  if (writer.author !== '') return `human:${ADDRESS.exec(writer.author)?.[1] ?? writer.author}`;
  return /^\S+ \S+$/.test(writer.client)
    ? writer.client.replace(' ', '/')
    : `process:${writer.client || 'precedent'}`;
}

const pathTo = ({ path }: NoteRef) => `/${encodeURI(path)}.md`;
/** Brackets would end the words of a link. */
const linkTo = (ref: NoteRef) => `[${ref.title.replace(/[[\]]+/g, ' ').trim()}](${pathTo(ref)})`;
