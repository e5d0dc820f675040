import { basename, dirname, extname, join } from 'node:path';
import { invalid, inWorkspace, notFound, PrecedentError } from '../../domain/error.ts';
import { describeDatabase, type NamedWorkspace, type Usage, type Workspaces } from '../../memory/engines.ts';
import { isOfNamed } from '../../memory/off.ts';
import type { Place } from '../place.ts';
import { atHome, type Home, memoryAt } from '../repository/home.ts';
import { refuseOff } from '../repository/off.ts';
import { type Registry, readRegistry } from '../repository/registry.ts';
import { nearest } from './near.ts';

/** A memory of a home, with all that leads to it. */
export interface Listed {
  workspace: string;
  /** Undefined when it cannot be read, and why. */
  usage: Usage | undefined;
  problem: string | undefined;
  names: string[];
  /** The folders of this machine whose repositories have it. */
  folders: string[];
}

/** Every memory of a home by name, with the names that this machine and the server know for it. */
export async function namedAt(home: Home, workspaces: Workspaces): Promise<NamedWorkspace[]> {
  const { repositories, aliases } = registryOf(home);
  const all = await workspaces.list();
  return all.map(({ workspace, names }) => {
    const isIt = (each: { workspace: string }) => each.workspace === workspace;
    const learnt = [
      ...repositories.filter(isIt).flatMap((each) => each.names),
      ...aliases.filter(isIt).map(({ name }) => name),
    ];
    return { workspace, names: [...new Set([...names, ...learnt])].filter((name) => name !== workspace) };
  });
}

/** Every memory of a home, the one that was used last first. */
export async function listMemories(home: Home, workspaces: Workspaces): Promise<Listed[]> {
  const { repositories, off } = registryOf(home);
  const all: Listed[] = [];
  for (const { workspace, names } of await namedAt(home, workspaces)) {
    const isOff = off.some((each) => isOfNamed(each, { workspace, db: home.db }));
    const read = isOff ? { usage: undefined, problem: OFF } : await usageOf(workspaces, workspace);
    const known = repositories.filter((each) => each.workspace === workspace);
    const folders = known.map(({ folder }) => folder.replace(/[/\\]\.git$/, ''));
    if (read) all.push({ workspace, ...read, names, folders });
  }
  return all.sort((a, b) => (b.usage?.lastUse ?? 0) - (a.usage?.lastUse ?? 0));
}

/** Why one is not read (V-6). */
const OFF = 'it is off on this machine';

/** What this machine remembers of the memories of a home. */
function registryOf({ dataFolder, db }: Home): Registry {
  const { repositories, aliases, off } = readRegistry(dataFolder);
  return {
    repositories: repositories.filter((each) => each.db === db),
    aliases: aliases.filter((each) => each.db === db),
    off,
  };
}

/** @returns undefined for what is not a memory of ours */
async function usageOf(workspaces: Workspaces, workspace: string) {
  try {
    const usage = await workspaces.usage(workspace);
    return usage && { usage, problem: undefined };
  } catch (error) {
    if (error instanceof PrecedentError) return { usage: undefined, problem: error.message };
    throw error;
  }
}

/** @throws PrecedentError `not_found` when no memory has this name, with the one that was probably meant (K-2); `unavailable` for one that is off */
export async function requireWorkspace(home: Home, workspaces: Workspaces, wanted: string): Promise<string> {
  const name = wanted.normalize('NFC');
  const all = await namedAt(home, workspaces);
  if (all.some(({ workspace }) => workspace === name)) {
    refuseOff(memoryAt(home, name), home.dataFolder);
    return name;
  }
  const near = nearest(name, all);
  throw notFound.no_memory(
    `Expected the name of a workspace, found "${wanted}", which does not exist.${near === undefined ? '' : ` Did you mean "${near}"?`} List them with: precedent workspaces`,
  );
}

/** What is said before a memory is created: its name may be mistyped, or an earlier one of the memory that is meant (K-2). */
export async function newWorkspace(place: Place): Promise<string> {
  const meant = place.isNamed ? await didYouMean(place) : '';
  return `New workspace "${place.workspace}".${meant}`;
}

/** The refusal to read a memory that was named and is not there, with the name that was probably meant (K-2). */
export async function noMemory(place: Place): Promise<PrecedentError> {
  const { shown } = describeDatabase(place.db);
  const message = `Expected a memory, found none at ${shown}.${await didYouMean(place)} Name another one with --db or --workspace.`;
  return inWorkspace(notFound.no_memory(message), place.workspace);
}

/** As a sentence to append; empty when no name is near. */
async function didYouMean({ home, db, workspace }: Place): Promise<string> {
  // A file that is named is among the files of its folder.
  const around = home ?? { where: dirname(db), db: undefined, dataFolder: undefined };
  // A hint only: what keeps it from being found is said where it matters.
  const there = await atHome(around, (workspaces) => namedAt(around, workspaces)).catch(() => []);
  const near = nearest(home ? workspace : basename(db, extname(db)), there);
  return near === undefined ? '' : ` Did you mean "${home ? near : join(around.where, `${near}.db`)}"?`;
}

/** @throws PrecedentError `invalid` for a file that was named: it is among no other memories */
export function requireHome({ home, db }: Pick<Place, 'home' | 'db'>): Home {
  if (home) return home;
  throw invalid.wrong_address(
    `Expected the data folder or the address of a server, found the file ${db}, which is one memory by itself. Leave out --db and PRECEDENT_DB; a file is renamed or removed like any other file.`,
  );
}
