import { basename, join } from 'node:path';
import type { Facts, ObservationFact } from '../../../domain/import/facts.ts';
import { frontMatter } from '../front-matter.ts';
import { withoutEnding } from '../markdown-files.ts';
import { readText } from '../source-text.ts';
import { dateOf, isObject, listOf, named } from '../values.ts';
import { linksIn, type NoteLink } from './links.ts';

/** A note of a folder, with its links as they are written. */
export interface Note {
  fact: ObservationFact;
  /** From the folder of all notes on, with `/` and without the ending. */
  path: string;
  /** The same with its ending, as the disk has it. */
  file: string;
  permalink: string | undefined;
  links: NoteLink[];
}

/** Reads a note. @param file from the folder on */
export function noteOf(facts: Facts, folder: string, file: string): Note {
  const { text, changedAt, isDamaged } = readText(join(folder, file), folder);
  const { values, body, problem } = frontMatter(text);
  const path = withoutEnding(file);
  if (problem !== undefined) facts.warnings.push(`${file}: ${problem}; it is taken as a plain text`);
  if (isDamaged) facts.warnings.push(`${file}: bytes that are no UTF-8 became U+FFFD`);
  // The mark of an export says nothing of the note.
  const { title, type, permalink, tags, precedent_export: _, ...others } = values;
  if (facts.source === 'okf' && named(type) === undefined)
    facts.warnings.push(`${file}: it has no type, which OKF asks for; it comes as a note`);
  const { at, ...dates } = datesOf(others, changedAt);
  const fact: ObservationFact = {
    key: `${basename(folder)}:${named(permalink) ?? path}`,
    at,
    ...dates.said,
    title: named(title) ?? basename(path),
    content: problem === undefined ? body.trim() : text.trim(),
    type: named(type) ?? 'note',
    project: basename(folder),
    scope: 'project',
    topicKey: named(permalink) ?? path,
    rest: { ...(tags !== undefined && { tags: tagsOf(tags) }), ...asTexts(dates.rest) },
  };
  return { fact, path, file, permalink: named(permalink), links: linksIn(facts.source, body, values) };
}

/** When a note was made and changed: as it says, in OKF by `generated` or `timestamp`, else as its file was. */
function datesOf(values: Record<string, unknown>, changedAt: number) {
  const { created, modified, ...others } = values;
  const generated = isObject(values.generated) ? values.generated.at : undefined;
  const at = [created, values.timestamp, generated].map(dateOf).find((each) => each !== undefined);
  const changed = at === undefined ? undefined : dateOf(modified);
  const said =
    at === undefined
      ? { isUndated: true as const }
      : { updatedAt: Math.max(at, changed ?? dateOf(generated) ?? at) };
  const rest = {
    ...(created !== undefined && dateOf(created) === undefined && { created }),
    ...(modified !== undefined && changed === undefined && { modified }),
    ...others,
  };
  return { at: at ?? changedAt, said, rest };
}

/** A list, or words with commas between. */
const tagsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? listOf(value.map(String)) : String(value ?? '').split(','))
    .map((each) => each.trim())
    .filter(Boolean);

/** Numbers and yes or no are texts there. */
function asTexts(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    ]),
  );
}
