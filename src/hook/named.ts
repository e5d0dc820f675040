import { keysOfCommand } from '../domain/names/command.ts';
import { namesAmong } from '../domain/names/name.ts';
import { isUnread, keysWritten, namesRecord } from '../domain/names/written.ts';
import type { Briefing } from '../memory/briefing.ts';
import type { Fact } from '../operations/briefing/line.ts';
import type { Writing } from './event.ts';
import { topicOf } from './page.ts';

/** A file that is written, as decisions may name it, and what it holds. */
export interface Place {
  path: string;
  /** Read where something is found: most edits name nothing. */
  content(): string;
}

/**
 * Records against a name that only the new text of an edit has, or that a command installs or runs; or with a hint that is
 * only there (RE-5). Without those that the text names by topic or id.
 * @param placeOf undefined for a file elsewhere
 */
export async function namedInWriting(
  briefing: Briefing,
  { edits, command, isDone }: Writing,
  placeOf: (path: string) => Place | undefined,
): Promise<Fact[]> {
  const placed = edits.flatMap((edit) => {
    const place = placeOf(edit.path);
    return place && !isUnread(place.path) ? { ...edit, ...place } : [];
  });
  const text = [command, ...placed.map(({ after }) => after)].join('\n');
  if (text.trim() === '') return [];
  const run = keysOfCommand(command);
  const programs = namesAmong(run.programs);
  const paths = command === '' ? placed.map(({ path }) => path) : undefined;
  const ask = (files: string[]) => {
    const written = placed.flatMap((edit, at) => [...keysWritten({ ...edit, file: files[at] })]);
    const known = [...placed.map(({ before }) => before), ...files].join('\n');
    const keys = namesAmong(new Set([...run.keys, ...written]));
    return briefing.named({ keys, programs, text, known, paths });
  };
  const found = await ask([]);
  if (found.length === 0) return [];
  const files = placed.map(({ before, after, content }) =>
    isDone ? content().replace(after, () => before) : content(),
  );
  const fresh = files.some((file) => file !== '') ? await ask(files) : found;
  return fresh.filter((fact) => !namesRecord(text, { id: fact.id, topic: topicOf(fact) }));
}
