import { dirname, sep } from 'node:path';
import { conflict } from '../domain/error.ts';
import { sha256 } from '../domain/text/digest.ts';
import { Unreadable } from './edit/format.ts';
import { type Changed, type Entry, FORMATS, type Ours } from './entry.ts';
import { bytesOf, makeFolders, removeEmpty, replaceFile } from './files.ts';
import { type Manifest, record, requireUnchanged, type Written } from './manifest.ts';
import { isSamePlace, SettingsEditor } from './settings-editor.ts';
import { undone, undoOf } from './undo.ts';

/** What is to become of one file. Nothing is written by making a plan. */
export interface Change extends Reconciled {
  agent: string;
  file: string;
  before: Buffer | undefined;
  after: Buffer | undefined;
  /** As in {@link Entry}. */
  project: string | undefined;
  /** What setup had in it until now. */
  written: Written | undefined;
}

/**
 * What setup would do to the files of an agent: those that it enters something in, and those next to them in which it once
 * did. Other projects, and other folders of settings, keep what they have. Without a request, everything is undone.
 * @param folder of the agent's settings
 * @param left more files of it, in which it is requested nothing
 * @throws PrecedentError `conflict` for a file that cannot be read or cannot be changed safely
 */
export function planAgent(
  manifest: Manifest,
  agent: string,
  folder: string,
  requested: readonly Entry[],
  left: readonly string[] = [],
): Change[] {
  const folders = new Set([...requested.map(({ file }) => file), ...left].map((file) => dirname(file)));
  const isMeant = (file: string) =>
    requested.length === 0 || folders.has(dirname(file)) || file.startsWith(folder + sep);
  const had = manifest.written.filter((each) => each.agent === agent && isMeant(each.file));
  // What is taken goes in the opposite order: a folder that was made is empty when its turn comes.
  const files = [...new Set([...requested, ...had.toReversed()].map(({ file }) => file))];
  return files.map((file) => {
    const written = had.find((each) => each.file === file);
    const here = requested.filter((each) => each.file === file);
    return planFile(agent, file, written, here);
  });
}

function planFile(agent: string, file: string, written: Written | undefined, requested: readonly Entry[]) {
  const project = [...requested, ...(written?.entries ?? [])].find(
    (each) => each.project !== undefined,
  )?.project;
  const before = bytesOf(file, project);
  const known = { agent, file, project, before, written };
  // Where nobody else wrote, what was there comes back to the byte.
  const original = requested.length === 0 && written ? originalOf(known) : undefined;
  if (original !== undefined) return { ...known, ...NOTHING, after: Buffer.from(original), text: original };
  const ours: Ours = written ?? { entries: [], made: [], existed: before !== undefined };
  try {
    const result = reconcile(before && textOf(before), ours, requested);
    return { ...known, ...result, after: result.text === undefined ? undefined : Buffer.from(result.text) };
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
    throw new Unreadable('it is no UTF-8');
  }
}

interface Reconciled extends Omit<Ours, 'existed'> {
  /** What the file should contain; undefined when it should be removed. */
  text: string | undefined;
  /** Were there before setup, and say already or otherwise what was requested: they are left as they are. */
  userEntries: Entry[];
  /** Were ours, and were changed by others since: they are left as they are. */
  changed: Changed[];
  /** Were not entered, since a person forbids them. */
  forbidden: Entry[];
  /** Were written by the agent itself into an entry of ours, and went with it. */
  removedWithOurs: Changed[];
}

/** Nothing to do, and nothing to say. */
const NOTHING = {
  entries: [],
  made: [],
  userEntries: [],
  changed: [],
  forbidden: [],
  removedWithOurs: [],
};

/**
 * Brings the text of a file from what setup has in it to what it should have, and leaves all else as it is. What is there
 * already is not touched, what is replaced keeps its place, and what others changed of ours is left as they want it.
 * @param text undefined where there is no file
 * @throws Unreadable for a file that cannot be read, or cannot be changed safely
 */
function reconcile(text: string | undefined, ours: Ours, requested: readonly Entry[]): Reconciled {
  const [first] = [...requested, ...ours.entries];
  if (first === undefined || first.format === 'text') return wholeFile(text, ours, requested);
  // Who takes the whole file away has no request about a part of it: setup begins anew.
  if (text === undefined && ours.entries.length > 0)
    return requested.length === 0
      ? { ...NOTHING, text }
      : reconcile(text, { ...ours, entries: [], made: [] }, requested);
  const mark = text?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const file = new SettingsEditor(text?.slice(mark.length) ?? '', FORMATS[first.format], ours);
  for (const entry of requested) file.enter(entry, ours, requested);
  for (const entry of ours.entries)
    if (!requested.some((each) => isSamePlace(each, entry))) file.remove(entry);
  file.removeEmptyGroups();
  const isGone = !ours.existed && file.entries.length === 0 && file.isEmpty(ours);
  return { ...file, text: isGone ? undefined : mark + file.text };
}

const BYTE_ORDER_MARK = '\uFEFF';

function wholeFile(text: string | undefined, ours: Ours, [entry]: readonly Entry[]): Reconciled {
  const [old] = ours.entries;
  const isOurs = text === undefined || text === old?.value;
  // What was changed stays on the list, so that it is said each time.
  const left = old && !isOurs ? { entries: [old], changed: [{ ...old, names: [] }] } : {};
  if (!entry) return { ...NOTHING, text: isOurs ? undefined : text, ...left };
  if (isOurs || (old && text === entry.value))
    return { ...NOTHING, text: String(entry.value), entries: [entry] };
  return { ...NOTHING, text, ...(old ? left : { userEntries: [entry] }) };
}

/** Whether a change changes the file. */
export function isChange({ before, after }: Change): boolean {
  return before === undefined ? after !== undefined : !after || !before.equals(after);
}

/**
 * Writes what was planned. What is entered is recorded before it is written, and what is taken afterwards: whenever this
 * is killed, the next run finds what it may take.
 * @returns the manifest as it is now
 * @throws PrecedentError as {@link replaceFile}, also for the list itself
 */
export function carryOut(manifest: Manifest, change: Change): Manifest {
  const { file, before, after, project, written, entries } = change;
  if (!isChange(change) && (entries.length > 0 || !written)) return manifest;
  // Before anything is touched: what another setup has kept of this file, and what it has in it, is not known here.
  requireUnchanged(manifest);
  if (entries.length === 0) {
    if (isChange(change)) replaceFile(file, before, after, project);
    return withdrawn(manifest, change);
  }
  const original = originalOf(change);
  const folders = makeFolders(dirname(file));
  const next: Written = {
    agent: change.agent,
    file,
    entries,
    made: change.made,
    existed: written?.existed ?? before !== undefined,
    after: sha256(after ?? ''),
    ...(original !== undefined && { wayBack: undoOf(original, String(after ?? '')) }),
    folders: [...(written?.folders ?? []), ...folders],
  };
  let recorded: Manifest | undefined;
  try {
    recorded = record(manifest, file, next);
    replaceFile(file, before, after, project);
    return recorded;
  } catch (error) {
    if (recorded) restoreRecord(recorded, file, written);
    removeEmpty(folders);
    throw error;
  }
}

/**
 * The text before the first setup, for as long as nobody else writes; undefined when there was no file, or it is not known
 * any more.
 */
function originalOf({ before, written }: Pick<Change, 'before' | 'written'>): string | undefined {
  if (before === undefined || written === undefined) return before?.toString();
  const isUntouched = sha256(before) === written.after;
  return isUntouched && written.wayBack ? undone(before.toString(), written.wayBack) : undefined;
}

/** Puts back what was on the list before. Where another setup has changed it since, it stays as after a kill. */
function restoreRecord(recorded: Manifest, file: string, written: Written | undefined): void {
  try {
    record(recorded, file, written);
  } catch {
    // What went wrong first is what is said.
  }
}

/** A folder that was made and is not empty yet goes with another file in it. */
function withdrawn(manifest: Manifest, { file, written }: Change): Manifest {
  const left = removeEmpty(written?.folders ?? []);
  const others = record(manifest, file, undefined);
  const heir = others.written.find((each) => left.some((folder) => each.file.startsWith(folder + sep)));
  return heir ? record(others, heir.file, { ...heir, folders: [...left, ...heir.folders] }) : others;
}
