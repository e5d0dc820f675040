import { existsSync, lstatSync, readdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { conflict, PrecedentError } from '../../domain/error.ts';
import type { Log } from '../../domain/log.ts';
import { migrations } from '../migrations/migrations.ts';
import { retry } from '../retry.ts';
import { overDialect } from '../statements.ts';
import { isTaken, readUsage, type Workspaces } from '../workspaces.ts';
import { nodeSqliteDialect } from './driver.ts';
import { openFile } from './engine.ts';
import { fault, faultAt } from './fault.ts';
import { besides, removeFile } from './file.ts';
import { APPLICATION_ID, ddl } from './migrate.ts';
import { requireOwnSchema } from './own-schema.ts';
import { requireWritable } from './read-only.ts';

const ENDING = '.db';
/** Windows moves and removes no file that is open. */
const CAN_MOVE_OPEN_FILES = process.platform !== 'win32';

/** The memories in a folder, each a file named after its workspace. */
export function sqliteWorkspaces(folder: string, log: Log): Workspaces {
  const fileOf = (workspace: string) => join(folder, workspace + ENDING);
  return {
    async list() {
      const files = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
      return files
        .filter((file) => !file.isDirectory() && file.name.endsWith(ENDING) && file.name !== ENDING)
        .map(({ name }) => ({ workspace: basename(name, ENDING).normalize('NFC'), names: [] }));
    },

    async usage(workspace) {
      const database = await openFile(fileOf(workspace), log).catch(ifThere);
      if (!database) return undefined;
      try {
        return await retry({ fault: faultAt(fileOf(workspace)) }, () => usageOf(database), log);
      } finally {
        database.close();
      }
    },

    addNames: async () => false,

    async rename(from, to) {
      await alone(fileOf(from), from, log, () => {
        if (existsSync(fileOf(to))) throw isTaken(to);
        renameSync(fileOf(from), fileOf(to));
        for (const file of besides(fileOf(from))) {
          renameSync(join(folder, file), join(folder, to + file.slice(from.length)));
        }
      });
    },

    upgrade: async () => undefined,
    check: async () => requireWritable(folder),

    parts: async (workspace) =>
      [workspace + ENDING, ...besides(fileOf(workspace))].map((file) => join(folder, file)),

    remove: (workspace) => alone(fileOf(workspace), workspace, log, () => removeFile(fileOf(workspace))),
    removeUnused: (workspace) => removeUnused(fileOf(workspace), workspace, log),

    async close() {},
  };
}

/** Removes a memory and the files next to it, unless a record was saved in it. @param file wherever it is */
export async function removeUnused(file: string, workspace: string, log: Log): Promise<void> {
  const isUnused = (database: DatabaseSync) =>
    database.prepare('select 1 from records limit 1').get() === undefined;
  await alone(file, workspace, log, () => removeFile(file), isUnused);
}

/** Undefined for a file that is not there: it may have been renamed since it was listed. */
function ifThere(error: unknown): undefined {
  if (!(error instanceof PrecedentError) || error.code !== 'not_found') throw error;
}

async function usageOf(database: DatabaseSync) {
  if (!isOurs(database)) return undefined;
  await requireOwnSchema(database, migrations(ddl));
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
  const db = overDialect(nodeSqliteDialect(database, { file: () => {}, schema: () => {} }));
  const names = tables.map(({ name }) => String(name));
  return readUsage(db, names);
}

/**
 * Works on a file that no other process has open, and lets none open it meanwhile. All that was committed is in the file
 * itself then, and nothing in a log next to it.
 * @param isWanted whether the work is done at all, by what the file holds
 * @throws PrecedentError `conflict` when another process has it open
 */
async function alone(
  file: string,
  workspace: string,
  log: Log,
  work: () => void,
  isWanted = (_: DatabaseSync): boolean => true,
): Promise<void> {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    throw conflict.in_the_way(
      `Expected a file at ${file}, found a link to one. Nothing was changed. Move the file itself, or the link.`,
    );
  const database = await openFile(file, log);
  const take = async () => {
    try {
      requireOurs(database, file);
      // Leaving the write-ahead log takes being the only one who has the file open.
      database.exec('pragma journal_mode = delete');
      database.exec('begin exclusive');
    } catch (error) {
      throw fault(error).kind === 'busy' ? isOpen(workspace, error) : error;
    }
    // A process that opened it in between has begun a log, and the lock does not keep readers of a log out.
    if (journalOf(database) !== 'delete') throw isOpen(workspace);
  };
  let mayWork = false;
  try {
    await retry({ fault }, take, log);
    mayWork = isWanted(database);
    if (mayWork && CAN_MOVE_OPEN_FILES) work();
  } finally {
    database.close();
  }
  if (mayWork && !CAN_MOVE_OPEN_FILES) work();
}

function isOpen(workspace: string, cause?: unknown): PrecedentError {
  return conflict.in_use(
    `Expected that nobody uses workspace "${workspace}", found that another process has it open. Nothing was changed. End that process, such as an agent's server, and try again.`,
    { cause },
  );
}

const journalOf = (database: DatabaseSync) => database.prepare('pragma journal_mode').get()?.journal_mode;

/** @throws PrecedentError `conflict` for the file of another program */
function requireOurs(database: DatabaseSync, file: string): void {
  if (isOurs(database)) return;
  throw conflict.in_the_way(
    `Expected a memory of Precedent at ${file}, found another SQLite database; it was left as it is.`,
  );
}

function isOurs(database: DatabaseSync): boolean {
  return database.prepare('pragma application_id').get()?.application_id === APPLICATION_ID;
}
