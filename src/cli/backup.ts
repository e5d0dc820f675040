import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PrecedentError } from '../domain/error.ts';
import { checkDatabase, isPostgres } from '../memory/engines.ts';
import { type Memory, openMemory } from '../memory/memory.ts';
import { dim, line, warn } from '../operations/view.ts';
import { copyMemory } from './transfer.ts';

/** What SQLite may have left beside a file that was not closed. */
const SIDES = ['', '-wal', '-shm', '-journal'];
/** How every SQLite file begins. */
const MAGIC = 'SQLite format 3\0';

/**
 * Copies a memory, on whatever engine, into a new file, in one snapshot: rows, then compared with their source. Until
 * that is done the file has another name, so that half a backup is never taken for one.
 * @throws PrecedentError `conflict` when the file is there already
 */
export async function backUp(memory: Memory, file: string) {
  checkDatabase(file);
  if (isPostgres(file)) {
    throw new PrecedentError(
      'invalid',
      'Expected a file for the backup, found an address. Use "precedent copy" for that.',
    );
  }
  const target = resolve(file);
  if (existsSync(target)) throw alreadyThere(target);
  const { records, problems } = await memory.inspect();
  if (Object.keys(records).length === 0) {
    throw new PrecedentError(
      'not_found',
      `Expected records to back up, found none in workspace "${memory.workspace}". Is it the one you mean?`,
    );
  }
  const partial = `${target}.${randomBytes(4).toString('hex')}.partial`;
  const discard = () => {
    for (const side of SIDES) rmSync(partial + side, { force: true });
  };
  return cleaningUp(discard, async () => {
    const copy = await openMemory({ db: partial, workspace: memory.workspace });
    const done = await copyMemory(memory, copy).finally(() => copy.close());
    publish(partial, target);
    return {
      view: [
        ...done.view,
        line(dim(`  ${target}`)),
        ...problems.map((problem) => line(warn(`! the memory itself is not sound: ${problem}`))),
      ],
      report: { ...done.report, file: target, bytes: statSync(target).size, problems },
    };
  });
}

/** Gives a file its name, unless somebody else has taken it meanwhile. */
function publish(partial: string, target: string): void {
  try {
    linkSync(partial, target);
  } catch (error) {
    if (existsSync(target)) throw alreadyThere(target);
    // Some file systems know no second name for a file.
    if (error instanceof Error) renameSync(partial, target);
  }
}

function alreadyThere(target: string): PrecedentError {
  return new PrecedentError('conflict', `Expected a new file for the backup, found that ${target} exists.`);
}

/** Works, and cleans up afterwards whatever happens: also when the user ends it. */
async function cleaningUp<T>(clean: () => void, work: () => Promise<T>): Promise<T> {
  const stop = (signal: NodeJS.Signals) => {
    clean();
    process.exit(128 + (constants.signals[signal] ?? 0));
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
    clean();
  }
}
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Opens a copy of a backup, so that a newer version of the schema does not change the backup itself.
 * @throws PrecedentError `not_found` without such a file, `unavailable` when it is no whole backup
 */
export async function withBackup(file: string, work: (backup: Memory) => Promise<void>): Promise<void> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new PrecedentError('not_found', `Expected a backup to restore, found none at ${file}.`);
  }
  const unusable = (why: string) =>
    new PrecedentError('unavailable', `Expected a backup in ${file}, found ${why}. Nothing was restored.`);
  const wal = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (wal !== undefined && wal.size > 0) {
    throw unusable(
      `a memory that is in use: its log ${file}-wal holds a part of it. Back it up with "precedent backup"`,
    );
  }
  const folder = mkdtempSync(join(tmpdir(), 'precedent-restore-'));
  await cleaningUp(
    () => rmSync(folder, { recursive: true, force: true }),
    async () => {
      const copied = join(folder, 'backup.db');
      copyFileSync(file, copied);
      // A backup may well be read-only.
      chmodSync(copied, 0o600);
      if (!startsAs(copied, MAGIC)) {
        throw unusable('no database. What "precedent export" wrote is taken in by "precedent import"');
      }
      const backup = await openMemory({ db: copied }).catch((error: unknown) => {
        const isOther = error instanceof PrecedentError && error.reason !== undefined;
        throw isOther ? unusable('one that is damaged, or of another program') : error;
      });
      try {
        const found = await backup.inspect();
        // What follows from the records is made anew in the copy, should the memory not have been sound.
        if (found.problems.length > 0) await backup.repair();
        const { problems, records } = found.problems.length > 0 ? await backup.inspect() : found;
        if (problems.length > 0) throw unusable(`that it is not sound: ${problems[0]}`);
        if (Object.keys(records).length === 0) throw unusable('no records in it');
        await work(backup);
      } finally {
        await backup.close();
      }
    },
  );
}

function startsAs(file: string, beginning: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(beginning.length);
    readSync(descriptor, bytes);
    return bytes.toString('latin1') === beginning;
  } finally {
    closeSync(descriptor);
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
  // Asked for again where it counts: somebody may have saved since.
  const { view, report } = await copyMemory(backup, memory, { replace: force });
  return { view: [...view, line(dim(`  ${location}`))], report: { ...report, location } };
}
