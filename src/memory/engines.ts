import { existsSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { invalid } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { checkWorkspace } from '../domain/workspace.ts';
import type { Engine, Opening } from '../store/engine.ts';
import { isPostgresAddress, parseAddress } from '../store/postgres/address.ts';
import type { ConnectionCounts } from '../store/postgres/servers.ts';
import { openSqlite } from '../store/sqlite/engine.ts';
import { realLocation, setAside } from '../store/sqlite/file.ts';
import { removeUnused, sqliteWorkspaces } from '../store/sqlite/workspaces.ts';
import type { Workspaces } from '../store/workspaces.ts';

export { isDiskFull } from '../store/sqlite/fault.ts';
export { beginsAsDatabase } from '../store/sqlite/file.ts';
export { lock } from '../store/sqlite/lock.ts';
export { requireWritable } from '../store/sqlite/read-only.ts';
export type { NamedWorkspace, Usage, Workspaces } from '../store/workspaces.ts';
export { findNamed } from '../store/workspaces.ts';

/** The parts of a database's address; nothing is opened. */
export interface Database {
  /** `file`: it holds one memory, named after the file. `server`: it holds a memory for each workspace. */
  kind: 'file' | 'server';
  /** The address as messages may show it: without user, password and options. */
  shown: string;
  /** The workspace that is meant when none is named. */
  workspace: string;
  /** A file next to it, which may hold records that are not in it yet while a process has it open. */
  pending?: string;
}

/** An engine, as the composition root knows it. */
interface EngineEntry {
  /** The addresses it takes, for messages. */
  expected: string;
  isMeant(db: string): boolean;
  /** @throws PrecedentError `invalid` for an address that cannot be read */
  describe(db: string): Database;
  /**
   * Creates the memory where there is none, unless the options say otherwise.
   * @throws PrecedentError when it cannot be opened, saying why; `not_found` when there is none and none may be created
   */
  open(db: string, workspace: string, log: Log, opening: Opening): Promise<Engine>;
  /** Gives a damaged memory another name; left out where the operator's own tools do. @returns the name */
  setAside?(db: string): string;
  /** Removes a memory that was made a moment ago, unless a record was saved in it. @throws PrecedentError `conflict` */
  removeUnused(db: string, workspace: string, log: Log): Promise<void>;
  /** Whether the memory was created already; nothing is created. */
  exists(db: string, workspace: string): Promise<boolean>;
  /** The memories that are in one place. @param where a folder of files, or a server */
  workspaces(where: string, log: Log): Promise<Workspaces>;
  /** Bounds the connections of this process; left out where there are none. @returns how many it has */
  bound?(db: string, connections: number | undefined): Promise<() => ConnectionCounts>;
}

/** How addresses begin that are not paths. A drive of Windows has one letter. */
const SCHEME = /^\s*([A-Za-z][A-Za-z0-9+.-]+:\/)/;
/** libpq's own notation, `sslmode=… password=…`: any setting may come first. */
const SETTINGS = /(?:^|\s)(?:host|hostaddr|port|dbname|user|password|service)\s*=/i;
/** A database that is gone when it is closed. */
export const IN_MEMORY = ':memory:';
/** Workspace of a database that has no better name. */
const DEFAULT_WORKSPACE = 'default';

/** Every engine. The driver of a server is loaded with the first memory on one: a file does not pay for it. */
const ENGINES: EngineEntry[] = [
  {
    expected: 'the path of a file',
    isMeant: (db) => !SCHEME.test(db),
    describe: (file) => ({
      kind: 'file',
      shown: file,
      workspace: basename(file, extname(file)),
      pending: `${file}-wal`,
    }),
    open: (file, _, log, opening) => openSqlite(file, log, opening),
    setAside: (file) => setAside(realLocation(file)),
    removeUnused: (file, workspace, log) => removeUnused(realLocation(file), workspace, log),
    exists: async (file) => existsSync(file),
    workspaces: async (folder, log) => sqliteWorkspaces(folder, log),
  },
  {
    expected: 'an address that begins with postgres://',
    isMeant: isPostgresAddress,
    describe: (url) => ({ kind: 'server', shown: parseAddress(url).shown, workspace: DEFAULT_WORKSPACE }),
    open: async (...place) => (await import('../store/postgres/engine.ts')).openPostgres(...place),
    removeUnused: (url, workspace, log) =>
      withWorkspaces(url, log, (workspaces) => workspaces.removeUnused(workspace)),
    exists: async (url, workspace) => {
      checkWorkspace(workspace);
      const all = await withWorkspaces(
        url,
        () => {},
        (workspaces) => workspaces.list(),
      );
      return all.some((each) => each.workspace === workspace);
    },
    workspaces: async (url, log) =>
      (await import('../store/postgres/workspaces.ts')).postgresWorkspaces(url, log),
    bound: async (url, connections) => {
      const { shareServers } = await import('../store/postgres/servers.ts');
      const { servers } = shareServers(parseAddress(url), connections);
      return () => servers.counts;
    },
  },
];

/** The possible places of a memory, for messages and help. */
export const DATABASES = ENGINES.map(({ expected }) => expected).join(' or ');

/**
 * The engine and parts of a database, by its address alone.
 * @throws PrecedentError `invalid` for an address of no engine: read as a file's name, its password would be shown
 */
export function describeDatabase(db: string): Database {
  return engineOf(db).describe(db);
}

/** @throws PrecedentError as {@link EngineEntry.open} */
export function openEngine(
  db: string,
  workspace: string,
  log: Log,
  opening: Pick<Opening, 'create' | 'isHurried'> = {},
): Promise<Engine> {
  return engineOf(db).open(db, workspace, log, opening);
}

/** Whether such a memory was created already; nothing is created. @throws PrecedentError when that cannot be found out */
export async function memoryExists({ db, workspace }: { db: string; workspace: string }): Promise<boolean> {
  return engineOf(db).exists(db, workspace);
}

/**
 * Removes a memory that was made for what was refused then, unless somebody saved in it meanwhile (K-3).
 * @throws PrecedentError `conflict` when another process uses it: it stays
 */
export async function removeUnusedMemory(place: { db: string; workspace: string }, log: Log): Promise<void> {
  return engineOf(place.db).removeUnused(place.db, place.workspace, log);
}

/** Gives a damaged memory another name. @returns the name; undefined where this program cannot */
export function setMemoryAside(db: string): string | undefined {
  return engineOf(db).setAside?.(db);
}

/**
 * Bounds the connections of this process to a server, before it opens a memory there (OP-3).
 * @returns how many it has; undefined for an engine without any
 * @throws PrecedentError `invalid` for a bound where nothing is to be bounded
 */
export async function boundConnections(
  db: string,
  connections: number | undefined,
): Promise<(() => ConnectionCounts) | undefined> {
  const { bound } = engineOf(db);
  if (!bound && connections !== undefined)
    throw invalid.not_applicable('Expected --connections with a memory on a server, found a file.');
  return bound?.(db, connections);
}

/** Works on the memories in a folder or on a server; nothing is created. */
export async function withWorkspaces<Result>(
  where: string,
  log: Log,
  work: (workspaces: Workspaces) => Promise<Result>,
): Promise<Result> {
  const workspaces = await engineOf(where).workspaces(where, log);
  try {
    return await work(workspaces);
  } finally {
    await workspaces.close();
  }
}

function engineOf(db: string): EngineEntry {
  if (db !== undefined && typeof db !== 'string')
    throw invalid.wrong_type(`Expected "db" to be ${DATABASES}, as a text; found a value of another type.`);
  if (db === undefined || db.trim() === '')
    throw invalid.missing(`Expected "db" to be ${DATABASES}, found nothing.`);
  if (db.includes('=') && SETTINGS.test(db))
    throw invalid.wrong_address(`Expected ${DATABASES}, found a list of settings. Write it as an address.`);
  const found = ENGINES.find((engine) => engine.isMeant(db));
  if (found) return found;
  const [, scheme] = db.match(SCHEME) ?? [];
  throw invalid.wrong_address(`Expected ${DATABASES}, found one that begins with ${scheme}.`);
}
