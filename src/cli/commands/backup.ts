import { existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { conflict, invalid, notFound, type PrecedentError } from '../../domain/error.ts';
import { here } from '../../files/surroundings.ts';
import type { MemoryCore } from '../../memory/core.ts';
import { bad, dim, line, warn } from '../../operations/view.ts';
import { copyMemory } from '../copy-memory.ts';
import { refuseAddress } from '../input/file.ts';
import { open, openLazily, using } from '../open.ts';
import { ASKING } from '../output/asking.ts';
import type { Answer } from '../output/print.ts';
import { defineCommand } from '../own-command.ts';
import { COPY, inScratch } from '../scratch.ts';
import { findDataFolder } from '../settings.ts';
import { onEveryMemory } from '../workspaces/every.ts';

export const backup = defineCommand({
  name: 'backup',
  summary: 'Back up the memory into one new file, or restore it from one',
  about:
    'Copies the memory into one new file and compares the two, while others go on writing. --restore puts such a file back, all of it or nothing: into an empty memory, or with --force in place of the records that are there.',
  examples: [
    'backup why-backup.db',
    'backup backups --all --keep 7',
    '--db restored.db backup --restore kept.db',
  ],
  arguments: {
    file: {
      about: 'the file to make; an existing one is never overwritten. With --keep or --all the folder for it',
    },
  },
  options: {
    all: { about: 'back up every memory of the data folder or of the database, each into a file of its own' },
    keep: {
      value: 'number',
      about:
        'for cron: name the file by memory and time, and keep only this many of these files in the folder',
    },
    restore: { value: 'file', about: 'restore the memory from this backup' },
    force: { about: 'with --restore: replace the records that the memory holds now' },
    ...ASKING,
  },
  async run({ file, all, keep, restore, force = false, yes, dryRun }, place) {
    if (restore !== undefined) {
      if (file !== undefined || all || keep !== undefined)
        throw invalid.both_given(
          'Expected --restore alone, found it with a backup to make. Nothing was restored.',
        );
      const { restoreBackup } = await import('../restoring.ts');
      return restoreBackup(restore, { force, yes, dryRun }, place);
    }
    if (force || yes || dryRun)
      throw invalid.not_applicable(
        'Expected --force, --yes and --dry-run only with --restore: a backup overwrites nothing.',
      );
    if (file === undefined)
      throw invalid.missing(
        'Expected the file to make, or --restore with the file to put back, found neither. As in: precedent backup why-backup.db',
      );
    const most = keep === undefined ? undefined : countOf(keep);
    if (all) {
      const { done, failed } = await onEveryMemory(place, (memory) => backupInto(memory, file, most));
      return {
        report: { backups: done.map(({ report }) => report), failed },
        view: [
          ...done.flatMap(({ view }) => view),
          ...failed.map(({ workspace, message }) => line(bad(`✘ ${workspace}: ${message}`))),
        ],
        ...(failed.length > 0 && { code: 'unavailable' as const }),
      };
    }
    return using(await open(place, { create: 'never' }), (memory) =>
      most === undefined ? backUp(memory, file) : backupInto(memory, file, most),
    );
  },
});

function countOf(keep: string): number {
  if (/^[1-9]\d{0,3}$/.test(keep)) return Number(keep);
  throw invalid.out_of_range(`Expected --keep with a number from 1 to 9999, found "${keep}".`);
}

/** The end of a name that {@link backupInto} gives. */
const STAMP = /^-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.db$/;

/**
 * A backup in a folder, and no more than so many of this memory there (V-8). Only once the new one is whole and checked are
 * the oldest removed, and only regular files of the names that this gives.
 */
export async function backupInto(
  memory: MemoryCore,
  path: string,
  most = Number.POSITIVE_INFINITY,
): Promise<Answer> {
  refuseAddress(path, 'a folder for the backups');
  const folder = resolve(here().cwd(), path);
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw invalid.wrong_file(`Expected a folder for the backups, found the file ${folder}.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  const made = await backUp(memory, join(folder, `${memory.workspace}-${stamp}.db`));
  const old = backupsOf(folder, memory.workspace).slice(0, -most);
  for (const name of old) rmSync(join(folder, name));
  return {
    report: { ...made.report, removed: old },
    view: [...made.view, ...old.map((name) => line(dim(`  removed ${name}`)))],
  };
}

/** The names that {@link backupInto} gave to backups of a memory, oldest first. */
const backupsOf = (folder: string, workspace: string): string[] =>
  (existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [])
    .filter(({ name }) => name.startsWith(workspace) && STAMP.test(name.slice(workspace.length)))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();

/** Where `sync --init` keeps a memory as it was before its first sync. */
export const beforeSync = async () => join(await findDataFolder(here().env), 'before-sync');

/** The copies of a memory that are there, oldest first. */
export async function copiesBeforeSync(workspace: string): Promise<string[]> {
  const folder = await beforeSync();
  return backupsOf(folder, workspace).map((name) => join(folder, name));
}

/**
 * Copies a memory of any engine into a new file, in one snapshot. The file gets its name when the copy is whole and
 * compared with its source, so that half a backup is never mistaken for a whole one.
 * @throws PrecedentError `conflict` when the file exists
 */
async function backUp(memory: MemoryCore, file: string): Promise<Answer> {
  refuseAddress(file, 'a file for the backup');
  const target = resolve(here().cwd(), file);
  if (existsSync(target)) throw fileExists(target);
  const { records, problems } = await memory.inspect();
  if (Object.keys(records).length === 0)
    throw notFound.nothing_to_do(
      `Expected records to back up, found none in workspace "${memory.workspace}". "precedent workspaces" lists the others.`,
    );
  return inScratch(target, async (folder) => {
    const partial = join(folder, COPY.database);
    const copy = await openLazily({ db: partial, workspace: memory.workspace });
    const { view, report } = await copyMemory(memory, copy, { asItIs: true }).finally(() => copy.close());
    publish(partial, target);
    return {
      report: { ...report, file: target, bytes: statSync(target).size, problems },
      view: [
        ...view,
        line(dim(`  ${target}`)),
        ...problems.map((problem) => line(warn(`! the memory itself is damaged: ${problem}`))),
      ],
    };
  });
}

/** Gives the finished copy its name, unless another process has taken it meanwhile. */
function publish(partial: string, target: string): void {
  try {
    linkSync(partial, target);
  } catch (error) {
    if (existsSync(target)) throw fileExists(target);
    // Some file systems have no hard links.
    if (error instanceof Error) renameSync(partial, target);
  }
}

function fileExists(target: string): PrecedentError {
  return conflict.in_the_way(
    `Expected a new file for the backup, found that ${target} exists. Choose another name, or remove it first.`,
  );
}
