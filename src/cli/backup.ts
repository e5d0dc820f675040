import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PrecedentError } from '../domain/error.ts';
import { type Memory, openMemory } from '../memory.ts';
import { copyMemory } from './transfer.ts';

/** What SQLite may have left beside a file that was not closed. */
const SIDES = ['', '-wal', '-shm'];

/**
 * Copies a memory, on whatever engine, into a new file, in one snapshot: rows, then compared with their source. Until
 * that is done the file has another name, so that half a backup is never taken for one.
 * @throws PrecedentError `conflict` when the file is there already
 */
export async function backUp(memory: Memory, file: string) {
  const target = resolve(file);
  if (existsSync(target)) {
    throw new PrecedentError('conflict', `Expected a new file for the backup, found that ${target} exists.`);
  }
  const partial = `${target}.partial`;
  const discard = () => {
    for (const side of SIDES) rmSync(partial + side, { force: true });
  };
  discard();
  try {
    const copy = await openMemory({ db: partial, workspace: memory.workspace });
    const done = await copyMemory(memory, copy).finally(() => copy.close());
    renameSync(partial, target);
    return { view: done.view, report: { ...done.report, file: target, bytes: statSync(target).size } };
  } catch (error) {
    discard();
    throw error;
  }
}

/**
 * Opens a copy of a backup, so that a newer version of the schema does not change the backup itself.
 * @throws PrecedentError `not_found` without such a file, `unavailable` when it is none or damaged
 */
export async function withBackup(file: string, work: (backup: Memory) => Promise<void>): Promise<void> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new PrecedentError('not_found', `Expected a backup to restore, found none at ${file}.`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'precedent-restore-'));
  try {
    const copied = join(folder, 'backup.db');
    copyFileSync(file, copied);
    const backup = await openMemory({ db: copied });
    try {
      const { problems } = await backup.inspect();
      if (problems.length > 0) {
        throw new PrecedentError(
          'unavailable',
          `The backup is not sound: ${problems[0]}. Nothing was restored.`,
        );
      }
      await work(backup);
    } finally {
      await backup.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Makes a memory what a backup holds, in one transaction: whoever has it open sees the one or the other, and what was
 * there is there again when anything fails.
 * @throws PrecedentError `conflict` when the memory holds records and `force` is not given
 */
export async function restore(backup: Memory, memory: Memory, force: boolean) {
  const { records, location } = await memory.inspect();
  const count = Object.values(records).reduce((sum, each) => sum + each, 0);
  if (count > 0 && !force) {
    throw new PrecedentError(
      'conflict',
      `Expected an empty memory to restore into, found ${count} records in "${memory.workspace}" (${location}). Back it up if you need them, then repeat with --force.`,
    );
  }
  return copyMemory(backup, memory, { replace: true });
}
