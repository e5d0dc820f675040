import { chmodSync, copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { conflict, PrecedentError, unavailable } from '../domain/error.ts';
import type { MemoryCore } from '../memory/core.ts';
import { describeDatabase, setMemoryAside } from '../memory/engines.ts';
import { counted, dim, facts, indented, line, warn } from '../operations/view.ts';
import { copyMemory } from './copy-memory.ts';
import { requireFile, unreadable } from './input/file.ts';
import { findHere, open, openLazily, using } from './open.ts';
import type { Asking } from './output/asking.ts';
import { askFirst } from './output/destroy.ts';
import type { Answer } from './output/print.ts';
import type { PlaceOptions } from './place.ts';
import { COPY, inScratch, scratchPlace } from './scratch.ts';

/** Puts a backup back, all of it or nothing, and names what is not sound of it. */
export async function restoreBackup(
  file: string,
  { force, ...how }: Asking & { force: boolean },
  place: PlaceOptions,
): Promise<Answer> {
  return withBackup(file, await scratchPlace(place), async (backup, broken) => {
    const aside: string[] = [];
    const restoring = async () =>
      using(await open(place, { create: 'new' }), (memory) => restoreInto(memory, backup, force, how));
    const { view, report } = await restoring().catch(async (error: unknown) => {
      const isDamaged = error instanceof PrecedentError && error.reason === 'damaged';
      const found = force && isDamaged ? setMemoryAside((await findHere(place)).db) : undefined;
      if (found === undefined) throw error;
      aside.push(found);
      return restoring();
    });
    const warned = [
      ...aside.map((each) => `the damaged file was put aside: ${each}`),
      ...broken.map((each) => `the backup itself is damaged: ${each}`),
    ].map((each) => line(warn(`! ${each}`)));
    return {
      view: [...view, ...warned],
      report: { ...report, broken, ...(aside.length > 0 && { aside: aside[0] }) },
    };
  });
}

/**
 * Makes a memory what a backup holds, in one transaction: other processes see the memory before or after it, and a
 * failure leaves the memory as it was.
 * @throws PrecedentError `conflict` when the memory holds records and `force` is not given
 */
async function restoreInto(memory: MemoryCore, backup: MemoryCore, force: boolean, how: Asking) {
  const { records, location } = await memory.inspect();
  const count = Object.values(records).reduce((sum, each) => sum + each, 0);
  if (count > 0 && !force)
    throw conflict.not_empty(
      `Expected an empty memory to restore into, found ${counted(count, 'record')} in "${memory.workspace}" (${location}). Back it up if you need them, then repeat with --force.`,
    );
  if (count > 0) {
    const { workspace } = memory;
    const kinds = Object.entries(records).map(([kind, number]) => `${number} ${kind}`);
    const stays = await askFirst(how, {
      doing: `replace ${counted(count, 'record')} of workspace "${workspace}" by those of the backup`,
      shown: [facts(...kinds), indented(location)],
      report: { workspace, records, location },
    });
    if (stays) return stays;
  }
  // The copy checks again, in its transaction, that the memory is empty: another process may have saved since.
  const { view, report } = await copyMemory(backup, memory, { replace: force, asItIs: true });
  return { report: { ...report, location }, view: [...view, line(dim(`  ${location}`))] };
}

/**
 * Opens a copy of a backup, so that a newer version of the schema does not change the backup itself.
 * @param place what the copy is next to
 * @param work receives the rules that records of the backup break, beyond repair: better restored than lost
 * @throws PrecedentError `not_found` without such a file, `unavailable` when it is not a whole backup
 */
async function withBackup<Result>(
  file: string,
  place: string,
  work: (backup: MemoryCore, broken: string[]) => Promise<Result>,
): Promise<Result> {
  const expected = 'a backup to restore';
  requireFile(file, expected);
  const unusable = (found: string) =>
    unavailable.not_a_backup(`Expected a backup in ${file}, found ${found}. Nothing was restored.`);
  const { pending, workspace } = describeDatabase(file);
  if (pending !== undefined && (statSync(pending, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw unusable(
      `a memory that is in use: ${pending} holds a part of it. Back it up with "precedent backup"`,
    );
  return inScratch(place, async (folder) => {
    const copied = join(folder, COPY.database);
    try {
      copyFileSync(file, copied);
    } catch (error) {
      throw unreadable(file, expected, error);
    }
    // The copy of a read-only backup is read-only, too.
    chmodSync(copied, 0o600);
    const backup = await openLazily({ db: copied, workspace }).catch((error: unknown) => {
      const reason = error instanceof PrecedentError ? error.reason : undefined;
      if (reason !== 'damaged' && reason !== 'foreign') throw error;
      throw unusable(
        reason === 'damaged'
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
async function requireSound(backup: MemoryCore, unusable: (found: string) => PrecedentError) {
  let found = await backup.inspect();
  if (found.problems.length > 0) {
    await backup.repair();
    found = await backup.inspect();
  }
  const damage = found.problems.find((problem) => !found.broken.includes(problem));
  if (damage !== undefined) throw unusable(`that it is damaged: ${damage}`);
  if (Object.keys(found.records).length === 0) throw unusable('no records in it');
  return found.broken;
}
