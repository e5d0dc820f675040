import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { realOrSame } from '../../files/led-out.ts';
import { homeHere } from '../../files/surroundings.ts';
import { findGitFolder, identityOf, upwards } from '../../git/folder.ts';
import { unusualIn } from '../../git/ordinary.ts';
import type * as questions from '../../git/questions.ts';
import { isOfNamed } from '../../memory/off.ts';
import { atHome, type Home, memoryAt } from './home.ts';
import { nameOfFolder, nameOfUrl } from './name.ts';
import { isOfFolder, type RegisteredRepository, readRegistry } from './registry.ts';
import { type Repository, type Resolved, resolveWorkspace } from './resolve.ts';

/** The memory of the repository around a folder, or of a folder without git. */
export interface RepositoryMemory extends Resolved {
  /** What it was found by, for who remembers it. */
  repository: FoundRepository;
  home: Home;
  /** The same by the memories that are there now: for who keeps others from the registry, which is only read. */
  again(): Promise<RepositoryMemory>;
}

/** A folder as it is found now, and whether it is in a git repository. */
type FoundRepository = Repository & { isGit: boolean };

/** What is asked to find out whether a folder's claim is true: git, and the memory that it claims. */
export interface Asking extends Pick<typeof questions, 'remoteOf' | 'firstCommitsOf' | 'tipsOf'> {
  /** The first commits that a memory keeps. */
  keptBy(place: ReturnType<typeof memoryAt>): Promise<string[]>;
  /** Remembers what was found out about a folder; left out: nobody does. */
  remember?(dataFolder: string, found: RegisteredRepository): Promise<void>;
}

/**
 * The memory that the repository around `cwd` goes on with, whatever became of its remote and its folder (K-1); outside of
 * one, that of the folder. What was found out about a folder's claim is remembered, also by a read (Z-2).
 * @param asking left out by who has no time: then nobody is asked, and a folder that is not known is led to no memory
 * @returns undefined in the home folder and in `/`, where agents without a project start
 */
export async function findRepositoryMemory(
  cwd: string,
  home: Home,
  asking?: Asking,
): Promise<RepositoryMemory | undefined> {
  const repository = await readRepository(cwd, asking);
  if (!repository) return undefined;
  const memory = await memoryOf(repository, home, asking);
  const { found } = memory;
  // A place that may not be written is asked again the next time.
  if (found && asking && home.dataFolder !== undefined)
    await asking.remember?.(home.dataFolder, found).catch(() => {});
  return memory;
}

async function memoryOf(
  repository: FoundRepository,
  home: Home,
  asking: Asking | undefined,
): Promise<RepositoryMemory> {
  const { dataFolder, db } = home;
  const registry = readRegistry(dataFolder);
  const isOff = (workspace: string) => registry.off.some((each) => isOfNamed(each, { workspace, db }));
  const off = registry.off.find(
    (each) => each.workspace !== undefined && each.db === db && isOfFolder(each, repository),
  )?.workspace;
  const around = {
    registry,
    db,
    list: () => atHome(home, (workspaces) => workspaces.list()),
    // V-6: one that is off is not read, but other clones are still led to it, and so they are off, too.
    keptBy: async (workspace: string) =>
      isOff(workspace)
        ? registry.repositories
            .filter((each) => each.db === db && each.workspace === workspace)
            .flatMap(({ firstCommits = [] }) => firstCommits)
        : ((await asking?.keptBy(memoryAt(home, workspace))) ?? []),
  };
  const resolved = off ? { workspace: off, own: undefined } : await resolveWorkspace(repository, around);
  return { ...resolved, repository, home, again: () => memoryOf(repository, home, asking) };
}

/** The git folder of the repository around a folder, or the folder itself. */
export function folderAround(cwd: string) {
  const git = findGitFolder(cwd);
  const folder = git?.shared ?? git?.top ?? realOrSame(cwd);
  return { git, folder, identity: identityAt(folder) };
}

async function readRepository(cwd: string, asking: Asking | undefined): Promise<FoundRepository | undefined> {
  const { git, folder, identity = '' } = folderAround(cwd);
  if (!git && (folder === dirname(folder) || folder === realOrSame(homeHere()))) return undefined;
  const base = {
    folder,
    identity,
    isGit: git !== undefined,
    above: git ? [] : ownAbove(folder),
    folderName: (more = '') => nameOfFolder(folder, identity + more),
    identityAt,
  };
  const unasked = {
    remoteName: undefined,
    tips: async () => undefined,
    firstCommits: async (): Promise<questions.FirstCommits> => ({}),
  };
  if (!asking || !git) return { ...base, ...unasked };
  const { shared, top } = git;
  if (shared === undefined) return { ...base, ...unasked, problem: NOT_NAMED_BACK };
  const problem = unusualIn(shared);
  if (problem !== undefined) return { ...base, ...unasked, problem };
  const { firstCommitsOf, remoteOf, tipsOf } = asking;
  const remote = await remoteOf(top);
  if (remote.problem !== undefined)
    return { ...base, ...unasked, problem: remote.problem, firstCommits: async () => remote };
  let firstCommits: ReturnType<typeof firstCommitsOf> | undefined;
  return {
    ...base,
    remoteName: remote.url && nameOfUrl(remote.url, top),
    firstCommits: () => {
      firstCommits ??= firstCommitsOf({ shared, top });
      return firstCommits;
    },
    tips: () => tipsOf({ shared, top }),
  };
}

/** The folders above, below the home folder, as far as all are the person's own, and this one is, too (TR-5). */
function ownAbove(folder: string): string[] {
  const all = upwards(folder);
  const border = all.findIndex((each) => each === realOrSame(homeHere()) || !isOwn(each));
  return all.slice(1, border === -1 ? undefined : border);
}

/** Whether nobody else may put folders there. Windows has no numbers of accounts. */
function isOwn(folder: string): boolean {
  const { uid, mode } = statSync(folder, { throwIfNoEntry: false }) ?? {};
  const self = process.getuid?.();
  return self === undefined || (uid === self && mode !== undefined && (mode & 0o002) === 0);
}

/** Why nothing that a folder claims is checked. */
const NOT_NAMED_BACK = 'it points to a repository that does not point back to it';

function identityAt(folder: string): string | undefined {
  return existsSync(folder) ? identityOf(folder) : undefined;
}
