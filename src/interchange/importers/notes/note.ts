import { basename, join } from 'node:path';
import type { Facts, ObservationFact } from '../../../domain/import/facts.ts';
import { frontMatter } from '../front-matter.ts';
import { unresolved, withoutBlocks, withoutCode } from '../markdown.ts';
import { plainly, withoutEnding } from '../markdown-files.ts';
import { readText } from '../source-text.ts';
import { dateOf, isObject, listOf, named } from '../values.ts';

/** A note of a folder, with its links as they are written. */
export interface Note {
  fact: ObservationFact;
  /** From the folder of all notes on, with `/` and without the ending. */
  path: string;
  /** The same with its ending, as the disk has it. */
  file: string;
  permalink: string | undefined;
  links: NoteLink[];
  /** An export wrote it: links to other notes of it are there, and in its texts double brackets may be anything. */
  isExported: boolean;
}

/** Reads a note. @param file from the folder on @returns undefined, and says so, for one in the middle of a merge */
export function noteOf(facts: Facts, folder: string, file: string): Note | undefined {
  const { text, changedAt, isDamaged } = readText(join(folder, file), folder);
  const why = unresolved(text);
  if (why !== undefined) {
    facts.skipped.push({ what: file, why });
    return undefined;
  }
  const { values, body, problem } = frontMatter(text);
  const path = withoutEnding(file);
  if (problem !== undefined) facts.warnings.push(`${file}: ${problem}; it is taken as a plain text`);
  if (isDamaged) facts.warnings.push(`${file}: bytes that are no UTF-8 became U+FFFD`);
  // The mark of an export says nothing of the note.
  const { title, type, permalink, tags, precedent_export: mark, ...others } = values;
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
  const links = linksIn(facts.source, body, values);
  return { fact, path, file, permalink: named(permalink), links, isExported: mark !== undefined };
}

/**
 * When a note was made and changed: as it says by `created` or `date`, in OKF by `generated` or `timestamp`, else as its file
 * was.
 */
function datesOf(values: Record<string, unknown>, changedAt: number) {
  const { created, modified, ...others } = values;
  const generated = isObject(values.generated) ? values.generated.at : undefined;
  const at = [created, values.date, values.timestamp, generated]
    .map(dateOf)
    .find((each) => each !== undefined);
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

/** A link of a note to another one, as it is written. */
export interface NoteLink {
  type: string;
  target: string;
  note: string | null;
  /** Set for a path, which no other name than that of its file answers to. */
  isPath?: true;
}

/** `- type [[Target]] (context)`, a type of several words in quotes; anything else in the line makes it a mention. */
const RELATION =
  /^\s*(?:[-*+]|\d+[.)])\s+(?:"([^"]+)"|'([^']+)'|([^\s"[\]]+))\s+\[\[([^\]]+)\]\](?:\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\))?\s*$/;
const MENTION = /(?<!!)\[\[([^[\]]+)\]\]/g;
const WHOLE = /^\[\[([^\]]+)\]\]$/;
/** `[words](path.md#heading "title")`, also with a path in angle brackets. */
const PATH =
  /(?<!!)\[[^[\]]*\]\(\s{0,100}(?:<([^<>]+)>|([^\s()]+(?:\([^\s()]*\)[^\s()]*)*))(?:\s{1,100}["'(][^()]*)?\)/g;
const FILE = /\.(md|markdown)(?=$|[#?])/i;
/** The relation of a mention in basic-memory. */
const MENTIONED = 'links_to';

/**
 * All links of a note to others: typed ones, mentions, and properties that are links. Links in code of one line are links
 * to basic-memory alone; basic-memory ignores links of markdown itself.
 */
function linksIn(source: string, body: string, values: Record<string, unknown>): NoteLink[] {
  const text = source === 'basic-memory' ? withoutBlocks(body) : withoutCode(body);
  const lines = text.split('\n').flatMap(linksOfLine);
  const paths = source === 'basic-memory' ? [] : pathsIn(text);
  const properties = Object.entries(values).flatMap(([type, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((each) => {
      const [, target] = (typeof each === 'string' && WHOLE.exec(each.trim())) || [];
      return target === undefined ? [] : [{ type, target: nameIn(target), note: null }];
    }),
  );
  // `[[#Heading]]` leads to a place in the note itself.
  return [...properties, ...lines, ...paths].filter(({ target }) => target !== '');
}

function linksOfLine(line: string): NoteLink[] {
  const [, quoted, single, word, target, context] = RELATION.exec(line) ?? [];
  const type = (quoted ?? single ?? word)?.trim() || undefined;
  if (type !== undefined && target !== undefined)
    return [{ type, target: nameIn(target), note: context?.trim() || null }];
  return [...line.matchAll(MENTION)].map(([, name = '']) => ({
    type: MENTIONED,
    target: nameIn(name),
    note: null,
  }));
}

/** Links to files next to it, and none to the web. */
function pathsIn(text: string): NoteLink[] {
  return [...text.matchAll(PATH)].flatMap(([, quoted, plain]) => {
    const written = quoted ?? plain ?? '';
    if (/^[a-z][a-z\d+.-]*:/i.test(written) || !FILE.test(written)) return [];
    const target = plainly(written.replace(/[#?].*$/, '')).normalize('NFC');
    return [{ type: MENTIONED, target, note: null, isPath: true as const }];
  });
}

/** Without the words that are shown in its place, and the heading that it leads to. */
function nameIn(target: string): string {
  return (target.split(/[|#]/)[0] ?? '').replace(/\\$/, '').trim().normalize('NFC');
}
