import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { conflict, invalid } from '../domain/error.ts';
import { otherThanFile } from '../domain/file-kind.ts';
import { sha256 } from '../domain/text/digest.ts';
import { firstOf } from '../domain/text/text.ts';
import { readIfOrdinary, SMALL } from '../files/bounded.ts';
import { requireNotLedOut } from '../files/led-out.ts';
import { here } from '../files/surroundings.ts';

/** Files are here until all of them are written; what is left of it by a process that was killed is removed. */
const PART = '.precedent-export.part';
/** Files that a message names. */
const MOST_FILES = 5;
/** Bytes of a file that is read: a larger one counts as somebody else's. */
const LARGEST = 64 * SMALL;
/** What some system refuses in a name. The name of a record's file comes from its text. */
const UNSAFE = /[/\\:*?"<>|\p{Cc}]|[. ]$/u;
/** Names that Windows keeps for devices, whatever follows the first point. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const LONGEST = 255;

/** An export that fills a folder. */
export interface FolderExport {
  /** The name of the format, by which the next export knows its files. */
  format: string;
  /** Calls back with each file. */
  fill(write: (file: { path: string; text: string }) => void): Promise<void>;
}

/** What an export did to its folder. */
export interface Exported {
  folder: string;
  files: number;
  /** New, or other than they were. */
  written: number;
  unchanged: number;
  /** Files of an earlier export that this one does not have. */
  removed: number;
  /** Such files that somebody has changed since: they stay. */
  left: string[];
}

/**
 * Fills a folder with the files of an export, all or nothing (Z-4). A file is ours when it is a regular file of this
 * folder whose mark says that an export wrote it, and that it is unchanged since: it is renewed, or removed when this
 * export has it no longer. Nothing else is written over or removed, and no link is followed.
 * @throws PrecedentError `conflict`, naming what it would have written over; `invalid` where the path is not a folder, or a
 *   link leads out of the repository
 */
export async function fillFolder(path: string, { format, fill }: FolderExport): Promise<Exported> {
  const folder = resolve(here().cwd(), path);
  requireNotLedOut(path, here().cwd());
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found && !found.isDirectory())
    throw invalid.wrong_file(
      `Expected a folder for the export, found ${otherThanFile(found) ?? 'a file'} at ${folder}.`,
    );
  const made = mkdirSync(folder, { recursive: true });
  const part = join(folder, PART);
  requireLeftBehind(part);
  try {
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part);
    const digests = new Map<string, string>();
    await fill(({ path: file, text }) => {
      requireSafe(file);
      writeFileSync(join(part, file), marked(text, format));
      digests.set(file, digestOf(text));
    });
    return publish(folder, format, digests);
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** @param digests of the files that are staged, by their paths */
function publish(folder: string, format: string, digests: ReadonlyMap<string, string>): Exported {
  const states = new Map([...digests].map(([file, digest]) => [file, stateOf(folder, file, format, digest)]));
  const having = (wanted: State) => [...states].filter(([, state]) => state === wanted).map(([file]) => file);
  refuse(folder, having('not ours'));
  const { removed, left } = staleIn(folder, format, digests);
  const changed = [...having('missing'), ...having('ours')];
  // In the place of whatever has this name: neither a link nor the other names of a file are written through.
  for (const file of changed) renameSync(join(folder, PART, file), join(folder, file));
  for (const file of removed) rmSync(join(folder, file));
  const unchanged = digests.size - changed.length;
  return { folder, files: digests.size, written: changed.length, unchanged, removed: removed.length, left };
}

type State = 'missing' | 'same' | 'ours' | 'not ours';

/** What is in the place of a file. One that says what is to be written is nobody's loss, with a mark or without. */
function stateOf(folder: string, file: string, format: string, digest: string): State {
  if (lstatSync(join(folder, file), { throwIfNoEntry: false }) === undefined) return 'missing';
  const text = textAt(folder, file);
  if (text === undefined) return 'not ours';
  const mark = markOf(text);
  if (digestOf(text) === digest) return mark?.isUnchanged && mark.format === format ? 'same' : 'ours';
  return mark?.isUnchanged ? 'ours' : 'not ours';
}

/** Files of earlier exports that this one does not have, and those of them that were changed since. */
function staleIn(
  folder: string,
  format: string,
  digests: ReadonlyMap<string, string>,
): { removed: string[]; left: string[] } {
  // Where capitals do not matter, another spelling is the same file.
  const plain = (file: string) => file.normalize('NFC').toLowerCase();
  const kept = new Set([...digests.keys()].map(plain));
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md') && !kept.has(plain(entry.name)))
    .map(({ name }) => name)
    .sort();
  const known = files.flatMap((file) => {
    const mark = markOf(textAt(folder, file) ?? '');
    return mark?.format === format ? [{ file, isUnchanged: mark.isUnchanged }] : [];
  });
  const having = (wanted: boolean) =>
    known.filter(({ isUnchanged }) => isUnchanged === wanted).map(({ file }) => file);
  return { removed: having(true), left: having(false) };
}

/** The text of a regular file of the folder; undefined for anything else. */
function textAt(folder: string, file: string): string | undefined {
  const path = join(folder, file);
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  return readIfOrdinary(path, { limit: LARGEST, within: folder })?.toString();
}

/** @throws PrecedentError `conflict` for files that no export wrote, or that were changed since */
function refuse(folder: string, others: string[]): void {
  if (others.length === 0) return;
  throw conflict.in_the_way(
    `Expected nothing in the way of the export, found ${firstOf(others, MOST_FILES)} in ${folder}, which no export wrote or somebody changed since. Nothing was written: choose another folder, or move them away.`,
  );
}

/** @throws PrecedentError `conflict` where something else has the name of the folder in which files are staged */
function requireLeftBehind(part: string): void {
  const found = lstatSync(part, { throwIfNoEntry: false });
  const entries = found?.isDirectory() ? readdirSync(part, { recursive: true, withFileTypes: true }) : [];
  const isStaged = ({ parentPath, name }: (typeof entries)[number]) =>
    markOf(textAt(parentPath, name) ?? '') !== undefined;
  const isOurs = !found || found.isDirectory();
  if (!isOurs || !entries.every((entry) => entry.isDirectory() || isStaged(entry)))
    refuse(dirname(part), [PART]);
}

/**
 * The last look at the path of an exported file before it is written (Z-4): inside its folder, and a name on every system.
 * @throws PrecedentError `invalid`
 */
function requireSafe(path: string): void {
  if (path !== '' && Buffer.byteLength(path) <= LONGEST && !UNSAFE.test(path) && !DEVICE.test(path)) return;
  throw invalid.wrong_name(
    `Expected a path inside the folder that every operating system allows, found ${JSON.stringify(path)}. Nothing was written.`,
  );
}

/** Signs of a digest: enough to see that somebody has changed a file. */
const SIGNS = 16;
/** In the front matter of a file. */
const IN_FRONT = /^precedent_export: (\w+)-([0-9a-f]{16})\n/m;
const FENCE = '---\n';

/** What the mark of a file says. */
interface Mark {
  /** The format of the export that wrote the file. */
  format: string;
  /** Whether the file is as the export wrote it. */
  isUnchanged: boolean;
}

/**
 * A text of an export, which begins with front matter, with a mark of its own (Z-4): the format, and a digest of all the rest. By the mark, and by nothing
 * in the file itself, the next export knows that it wrote the file, and whether somebody has changed it since. It is no
 * proof of who wrote it: whoever may write into a folder may mark a file there, and only that file.
 */
export function marked(text: string, format: string): string {
  const mark = `precedent_export: ${format}-${digestOf(text)}`;
  const end = endOfFront(text);
  return `${text.slice(0, end)}${mark}\n${text.slice(end)}`;
}

/** The mark of a file; undefined where it has none. */
function markOf(text: string): Mark | undefined {
  const plain = text.replaceAll('\r\n', '\n');
  const [, format, digest] = found(plain) ?? [];
  return format === undefined ? undefined : { format, isUnchanged: digest === digestOf(plain) };
}

/** A digest of all of a text but its mark. Git may have changed the line ends since. */
function digestOf(text: string): string {
  const plain = text.replaceAll('\r\n', '\n');
  const [line = ''] = found(plain) ?? [];
  return sha256(plain.replace(line, '')).slice(0, SIGNS);
}

function found(plain: string): RegExpExecArray | null {
  return IN_FRONT.exec(plain.slice(0, endOfFront(plain)));
}

/** Where the line is that ends the front matter; 0 where there is none. */
function endOfFront(text: string): number {
  return text.startsWith(FENCE) ? text.indexOf(`\n${FENCE}`, FENCE.length - 1) + 1 : 0;
}
