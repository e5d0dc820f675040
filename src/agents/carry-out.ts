import { dirname, sep } from 'node:path';
import { makeFolders, removeEmpty, replaceFile } from './files.ts';
import { digest, forget, keep, type Manifest, record, type Written } from './manifest.ts';
import type { Change } from './plan.ts';

/** Whether a change changes the file. */
export function isChange({ before, after }: Change): boolean {
  return before === undefined ? after !== undefined : !after || !before.equals(after);
}

/**
 * Writes what was planned. What is entered is recorded before it is written, and what is taken afterwards: whenever this
 * is killed, the next run finds what it may take.
 * @returns the manifest as it is now
 * @throws PrecedentError as {@link replaceFile}
 */
export function carryOut(manifest: Manifest, change: Change): Manifest {
  const { file, before, after, written, entries } = change;
  if (!isChange(change)) return entries.length > 0 || !written ? manifest : withdrawn(manifest, change);
  if (entries.length === 0) {
    replaceFile(file, before, after);
    return withdrawn(manifest, change);
  }
  // What was before the first setup stays the state to go back to, for as long as nobody else writes.
  const isFirst = written === undefined;
  const isUntouched = written !== undefined && before !== undefined && digest(before) === written.after;
  if (isFirst && before) keep(manifest, file, before);
  const folders = makeFolders(dirname(file));
  const next: Written = {
    agent: change.agent,
    file,
    entries,
    made: change.made,
    existed: written?.existed ?? before !== undefined,
    after: digest(after ?? Buffer.from('')),
    isKept: isFirst || (written.isKept && isUntouched),
    folders: [...(written?.folders ?? []), ...folders],
  };
  const recorded = record(manifest, file, next);
  try {
    replaceFile(file, before, after);
    if (!next.isKept) forget(manifest, file);
    return recorded;
  } catch (error) {
    record(recorded, file, written);
    removeEmpty(folders);
    throw error;
  }
}

/** A folder that was made and is not empty yet goes with another file in it. */
function withdrawn(manifest: Manifest, { file, written }: Change): Manifest {
  const left = removeEmpty(written?.folders ?? []);
  forget(manifest, file);
  const others = record(manifest, file, undefined);
  const heir = others.written.find((each) => left.some((folder) => each.file.startsWith(folder + sep)));
  return heir ? record(others, heir.file, { ...heir, folders: [...left, ...heir.folders] }) : others;
}
