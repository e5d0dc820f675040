import { resolve } from 'node:path';
import { invalid } from '../domain/error.ts';
import { dataFolderHere } from '../files/data-folder.ts';
import { describeDatabase } from '../memory/engines.ts';
import type { Off } from '../memory/off.ts';
import { givenPath, pathOf } from './given-path.ts';
import { type Home, memoryAt } from './repository/home.ts';
import { offHere } from './repository/off.ts';
import { type Asking, findRepositoryMemory, type RepositoryMemory } from './repository/repository.ts';
import { findDataFolder, givenName } from './settings.ts';

/** Options that say which memory is meant; each can also come from the environment. */
export interface PlaceOptions {
  db?: string | undefined;
  workspace?: string | undefined;
}

export interface Place {
  db: string;
  workspace: string;
  /** Whether options or environment name this very memory: then it may be mistyped. */
  isNamed: boolean;
  /** Where it is among the memories of repositories; undefined for a file that is named. */
  home: Home | undefined;
  /** Set when the repository says which memory is meant. */
  repository?: RepositoryMemory;
  /** What says that nothing is shown or kept there on this machine (V-6). */
  off: Off[];
}

/**
 * The memory that is meant. The database is the one that options or environment name, else a file in the platform's
 * data folder. The workspace is the one they name, else that of the file they name, else that of the repository around
 * `cwd` or of the folder itself, and in the home folder and `/` it is `default`.
 * @param asking as {@link findRepositoryMemory} has it
 * @throws PrecedentError `invalid` for a workspace or a database that cannot be one
 */
export async function findPlace(
  options: PlaceOptions,
  environment: NodeJS.ProcessEnv,
  cwd: string,
  asking?: Asking,
): Promise<Place> {
  const place = await findMeant(options, environment, cwd, asking);
  // Without a home, nothing is remembered.
  const dataFolder = dataFolderHere(environment);
  return { ...place, off: offHere(place, cwd, dataFolder) };
}

async function findMeant(
  options: PlaceOptions,
  environment: NodeJS.ProcessEnv,
  cwd: string,
  asking: Asking | undefined,
): Promise<Omit<Place, 'off'>> {
  const db = options.db === undefined ? pathOf(environment, 'PRECEDENT_DB') : givenPath(options.db, '--db');
  const named = givenName(options, environment);
  const database = db === undefined ? undefined : describeDatabase(db);
  if (options.workspace !== undefined && options.db === undefined && database?.kind === 'file')
    throw invalid.not_applicable(
      `Expected --workspace without PRECEDENT_DB, which names the file ${db}: a file is one memory. Unset PRECEDENT_DB, or leave --workspace out.`,
    );
  // A file that is named is a memory of its own, whatever repository this is.
  if (db !== undefined && database?.kind === 'file')
    return { db: resolve(cwd, db), workspace: named ?? database.workspace, isNamed: true, home: undefined };
  const home = await findHome(db, environment);
  if (named !== undefined) return { ...memoryAt(home, named), isNamed: true, home };
  const repository = await findRepositoryMemory(cwd, home, asking);
  const place = { ...memoryAt(home, 'default'), isNamed: false, home };
  return repository ? ofRepository(place, home, repository) : place;
}

/** The place by what is there now; what the folder claims is not asked for once more. */
export async function foundAgain(place: Place): Promise<Place> {
  const { home, repository } = place;
  return home && repository ? ofRepository(place, home, await repository.again()) : place;
}

function ofRepository<P extends object>(place: P, home: Home, repository: RepositoryMemory) {
  return { ...place, ...memoryAt(home, repository.workspace), repository };
}

/** @param server its address; undefined for the data folder */
async function findHome(server: string | undefined, environment: NodeJS.ProcessEnv): Promise<Home> {
  if (server === undefined) {
    const dataFolder = await findDataFolder(environment);
    return { where: dataFolder, db: undefined, dataFolder };
  }
  // A server needs no folder of this machine: without a home, nothing is remembered.
  const dataFolder = dataFolderHere(environment);
  return { where: server, db: describeDatabase(server).shown, dataFolder };
}
