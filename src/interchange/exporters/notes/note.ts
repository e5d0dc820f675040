import type { FoundKind } from '../../../domain/kinds.ts';
import { iso } from '../../../domain/text/moment.ts';
import type { Writer } from '../../../store/tx.ts';

/** Where a note is, and what it is called. */
export interface NoteRef {
  /** From the folder on, without its ending. */
  path: string;
  title: string;
}

/** A reason to look at another note. */
export interface NoteLink {
  /** As it reads in a sentence: `builds_on`. */
  relation: string;
  to: NoteRef;
  note?: string | null;
}

/** Something that happened to what a note is about. Times are milliseconds UTC. */
export interface Event {
  at: number;
  what: string;
}

/** A note before it is written as one format or another has it. */
export interface Note extends NoteRef {
  kind: FoundKind;
  /** One line on what it says. */
  description: string;
  createdAt: number;
  updatedAt: number;
  /** Undefined where nobody is to be named. */
  writer: Writer | undefined;
  /** Whether it is active. */
  active: boolean;
  /** More values of its front matter, by their names here. */
  values: Record<string, unknown>;
  sources: { content: string; at: number; from: NoteRef | undefined }[];
  /** Parts of its text: markdown. */
  parts: string[];
  links: NoteLink[];
  linkedFrom: NoteLink[];
  events: Event[];
}

/** The text of a note in its parts, with its links in both directions as a format writes them. */
export function textOf(note: Note, linkTo: (ref: NoteRef) => string): (string | undefined)[] {
  const links = note.links.map(
    ({ relation, to, note: why }) => `- ${relation} ${linkTo(to)}${why ? ` (${oneLine(why)})` : ''}`,
  );
  const reversed = note.linkedFrom.map(({ relation, to }) => `- ${linkTo(to)} ${relation} this`);
  return [
    `# ${note.title}`,
    ...note.parts,
    links.length === 0 ? undefined : `## Links\n\n${links.join('\n')}`,
    reversed.length === 0 ? undefined : `## Linked from\n\n${reversed.join('\n')}`,
  ];
}

export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
export const day = (at: number): string => iso(at).slice(0, 10);
