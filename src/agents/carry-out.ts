import { dirname, sep } from 'node:path';
import { makeFolders, removeEmpty, replaceFile } from './files.ts';
import { digest, type Manifest, record, requireUnchanged, type Written } from './manifest.ts';
import type { Change } from './plan.ts';
import { undone, undoOf } from './undo.ts';

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
  if (!isChange(change)) return withdrawn(manifest, change);
  if (entries.length === 0) {
    replaceFile(file, before, after, project);
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
    after: digest(after ?? Buffer.from('')),
    isKept: original !== undefined,
    ...(typeof original === 'string' && { undo: undoOf(original, String(after ?? '')) }),
    folders: [...(written?.folders ?? []), ...folders],
  };
  let recorded: Manifest | undefined;
  try {
    recorded = record(manifest, file, next);
    replaceFile(file, before, after, project);
    return recorded;
  } catch (error) {
    if (recorded) takeBack(recorded, file, written);
    removeEmpty(folders);
    throw error;
  }
}

/**
 * The state to go back to: what was before the first setup, for as long as nobody else writes.
 * @returns null where there was no file; undefined when it is not known any more
 */
function originalOf({ before, written }: Change): string | null | undefined {
  if (written === undefined) return before?.toString() ?? null;
  const isUntouched = before !== undefined && digest(before) === written.after;
  if (!written.isKept || !isUntouched) return undefined;
  if (!written.existed) return null;
  return written.undo && undone(before.toString(), written.undo);
}

/** Puts back what was on the list before. Where another setup has changed it since, it stays as after a kill. */
function takeBack(recorded: Manifest, file: string, written: Written | undefined): void {
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
