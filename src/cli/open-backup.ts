import { chmodSync, copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PrecedentError } from '../domain/error.ts';
import type { MemoryCore } from '../memory/core.ts';
import { describeDatabase } from '../memory/engines.ts';
import { requireFile, unreadable } from './input/file.ts';
import { openLazily } from './open.ts';
import { COPY, inScratch } from './scratch.ts';

/**
 * Opens a copy of a backup, so that a newer version of the schema does not change the backup itself.
 * @param place what the copy is next to
 * @param work receives the rules that records of the backup break, beyond repair: better restored than lost
 * @throws PrecedentError `not_found` without such a file, `unavailable` when it is no whole backup
 */
export async function withBackup<Result>(
  file: string,
  place: string,
  work: (backup: MemoryCore, broken: string[]) => Promise<Result>,
): Promise<Result> {
  const expected = 'a backup to restore';
  requireFile(file, expected);
  const unusable = (found: string) =>
    new PrecedentError('unavailable', `Expected a backup in ${file}, found ${found}. Nothing was restored.`);
  const { pending } = describeDatabase(file);
  if (pending !== undefined && (statSync(pending, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw unusable(
      `a memory that is in use: ${pending} holds a part of it. Back it up with "precedent backup"`,
    );
  }
  return inScratch(place, async (folder) => {
    const copied = join(folder, COPY.database);
    try {
      copyFileSync(file, copied);
    } catch (error) {
      throw unreadable(file, expected, error);
    }
    // The copy of a read-only backup is read-only, too.
    chmodSync(copied, 0o600);
    const backup = await openLazily({ db: copied }).catch((error: unknown) => {
      if (!(error instanceof PrecedentError) || error.reason === undefined) throw error;
      const isDamaged = error.reason === 'damaged';
      throw unusable(
        isDamaged
          ? 'one that is damaged'
          : 'a file of another program. To read an export, use "precedent import"',
      );
    });
    try {
      return await work(backup, await requireSound(backup, unusable));
    } finally {
      await backup.close();
    }
  });
}

/**
 * Repairs the copy of a backup, when the memory was not sound, and looks again.
 * @returns the rules that its records break all the same
 */
async function requireSound(
  backup: MemoryCore,
  unusable: (found: string) => PrecedentError,
): Promise<string[]> {
  let found = await backup.inspect();
  if (found.problems.length > 0) {
    await backup.repair();
    found = await backup.inspect();
  }
  const damage = found.problems.find((problem) => !found.broken.includes(problem));
  if (damage !== undefined) throw unusable(`that it is not sound: ${damage}`);
  if (Object.keys(found.records).length === 0) throw unusable('no records in it');
  return found.broken;
}
