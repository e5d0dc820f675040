import { dirname, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { conflict } from '../domain/error.ts';
import { Unreadable } from './edit/format.ts';
import { type Edited, edit } from './edit/settings.ts';
import type { Entry } from './entry.ts';
import { bytesOf, makeFolders, removeEmpty, replaceFile } from './files.ts';
import { type Manifest, record, type Written } from './manifest.ts';
import { presentAt } from './registered.ts';

/** The plan for one file. Making a plan writes nothing. */
export interface Change extends Edited {
  agent: string;
  file: string;
  before: Buffer | undefined;
  after: Buffer | undefined;
  /** As in {@link Entry}. */
  project: string | undefined;
  /** The entries of setup in it until now. */
  written: Written | undefined;
}

/**
 * The changes of setup to the files of an agent: those that it enters something in, and those next to them in which it
 * once did. Other projects, and other folders of settings, keep what they have. Where nothing is wanted, everything is undone.
 * @param folder of the agent's settings
 * @param possible all that setup may enter: where the list was lost, what starts our copy is found there
 * @throws PrecedentError `conflict` for a file that cannot be read or cannot be changed safely
 */
export function planAgent(
  { written }: Manifest,
  agent: string,
  folder: string,
  wanted: readonly Entry[],
  possible: readonly Entry[],
): Change[] {
  const folders = new Set(possible.map(({ file }) => dirname(file)));
  const isMeant = (file: string) =>
    wanted.length === 0 || folders.has(dirname(file)) || file.startsWith(folder + sep);
  const listed = written.filter((each) => each.agent === agent && isMeant(each.file));
  const unlisted = possible.filter(
    ({ file, project }) => project === undefined && !written.some((each) => each.file === file),
  );
  const had = [...listed, ...foundIn(unlisted, agent)];
  const files = [...new Set([...wanted, ...had].map(({ file }) => file))];
  return files.map((file) =>
    planFile(
      agent,
      file,
      had.find((each) => each.file === file),
      wanted.filter((each) => each.file === file),
    ),
  );
}

/** Entries that start our copy and are not on the list: nothing but setup makes those. */
function foundIn(entries: readonly Entry[], agent: string): Written[] {
  const found = entries.flatMap((entry) => {
    const present = presentIn(entry);
    const isOurs =
      present === entry.value || /app[\\/]+current[\\/]+precedent\.cjs/.test(JSON.stringify(present) ?? '');
    return isOurs ? [{ ...entry, value: entry.isItem ? {} : (present as Entry['value']) }] : [];
  });
  const files = [...new Set(found.map(({ file }) => file))];
  return files.map((file) => {
    const entries = found.filter((each) => each.file === file);
    // A group that is empty without ours may have been made for it.
    const made = entries.flatMap(({ path }) => path.map((_, at) => path.slice(0, at + 1)));
    return { agent, file, entries, made, ends: [] };
  });
}

/** The value of an entry; undefined, too, where the file cannot be read: then nothing of ours is known to be in it. */
function presentIn(entry: Entry): unknown {
  try {
    return presentAt(entry);
  } catch {
    return undefined;
  }
}

function planFile(
  agent: string,
  file: string,
  written: Written | undefined,
  wanted: readonly Entry[],
): Change {
  const project = [...wanted, ...(written?.entries ?? [])].find(
    (each) => each.project !== undefined,
  )?.project;
  const before = bytesOf(file, project);
  try {
    const edited = edit(before && textOf(before), written, wanted);
    const after = edited.text === undefined ? undefined : Buffer.from(edited.text);
    return { ...edited, agent, file, project, before, after, written };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw conflict.unreadable_settings(`${file} was left as it is: ${error.message}.`, { cause: error });
  }
}

/** @throws Unreadable for bytes that are not UTF-8 */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Unreadable('it is not UTF-8');
  }
}

/** Whether a change changes the file. */
export function isChange({ before, after }: Change): boolean {
  return before === undefined ? after !== undefined : !after || !before.equals(after);
}

/**
 * Carries out a plan. An entry is recorded before it is written, and forgotten after it is removed: whenever this is
 * killed, the next run finds what it may remove.
 * @throws PrecedentError as {@link replaceFile}, also for the list itself
 */
export function carryOut(dataFolder: string, change: Change): void {
  const { agent, file, before, after, project, written, ours } = change;
  if (ours.entries.length === 0) {
    if (isChange(change)) replaceFile(file, before, after, project);
    if (written) record(dataFolder, file, undefined);
    return;
  }
  const next: Written = { agent, file, ...ours };
  if (!isChange(change) && isDeepStrictEqual(next, written)) return;
  const folders = makeFolders(dirname(file));
  try {
    record(dataFolder, file, next, folders);
    replaceFile(file, before, after, project);
  } catch (error) {
    removeEmpty(folders);
    record(dataFolder, file, written);
    throw error;
  }
}
