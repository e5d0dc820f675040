import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { here } from '../../files/surroundings.ts';
import { findGitFolder, identityOf, realOrSame } from '../../git/folder.ts';
import { unusualIn } from '../../git/ordinary.ts';
import type { FirstCommits } from '../../git/questions.ts';
import { atHome, type Home, memoryAt } from './home.ts';
import { nameOfFolder, nameOfUrl } from './name.ts';
import { type RegisteredRepository, readRegistry } from './registry.ts';
import { type Repository, type Resolved, resolveWorkspace } from './resolve.ts';

/** The memory of the repository around a folder, or of a folder without git. */
export interface RepositoryMemory {
  workspace: string;
  /** Whether it is that of a git repository. */
  isGit: boolean;
  /** What to tell the person with the next answer, until it is learnt. */
  note: string | undefined;
  /** The name that its remote gives it, if it has one. */
  remoteName: string | undefined;
  /** What it was found by, for who remembers it. */
  repository: Repository;
  resolved: Resolved;
  home: Home;
  /** The same by the memories that are there now: for who keeps others from the registry, which is only read. */
  again(): Promise<RepositoryMemory>;
}

/** What is asked to find out whether a folder's claim is true: git, and the memory that it claims. */
export interface Asking {
  remoteOf(top: string): Promise<{ url?: string | undefined; problem?: string }>;
  firstCommitsOf(git: { shared: string; top: string }): Promise<FirstCommits>;
  tipsOf(git: { shared: string; top: string }): Promise<string | undefined>;
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
  const { found } = memory.resolved;
  // A place that may not be written is asked again the next time.
  if (found && asking && home.dataFolder !== undefined)
    await asking.remember?.(home.dataFolder, found).catch(() => {});
  return memory;
}

async function memoryOf(
  repository: Repository & { isGit: boolean },
  home: Home,
  asking: Asking | undefined,
): Promise<RepositoryMemory> {
  const { dataFolder, db } = home;
  const registry = dataFolder === undefined ? { repositories: [], aliases: [] } : readRegistry(dataFolder);
  const resolved = await resolveWorkspace(repository, {
    registry,
    db,
    list: () => atHome(home, (workspaces) => workspaces.list()),
    keptBy: async (workspace) => (await asking?.keptBy(memoryAt(home, workspace))) ?? [],
  });
  return {
    repository,
    resolved,
    home,
    workspace: resolved.workspace,
    isGit: repository.isGit,
    note: resolved.note,
    remoteName: repository.remoteName,
    again: () => memoryOf(repository, home, asking),
  };
}

async function readRepository(
  cwd: string,
  asking: Asking | undefined,
): Promise<(Repository & { isGit: boolean }) | undefined> {
  const git = findGitFolder(cwd);
  const folder = git?.shared ?? git?.top ?? realOrSame(cwd);
  if (!git && (folder === dirname(folder) || folder === realOrSame(here().home()))) return undefined;
  const identity = identityAt(folder) ?? '';
  const base = {
    folder,
    identity,
    isGit: git !== undefined,
    folderName: (more = '') => nameOfFolder(folder, identity + more),
    identityAt,
  };
  const unasked = {
    remoteName: undefined,
    tips: async () => undefined,
    firstCommits: async () => ({}),
  };
  if (!asking || !git) return { ...base, ...unasked };
  const { shared, top } = git;
  if (shared === undefined) return { ...base, ...unasked, problem: NOT_NAMED_BACK };
  const problem = unusualIn(shared);
  if (problem !== undefined) return { ...base, ...unasked, problem };
  const { firstCommitsOf, remoteOf, tipsOf } = asking;
  const remote = await remoteOf(top);
  if (remote.problem !== undefined) return { ...base, ...unasked, problem: remote.problem };
  let firstCommits: Promise<FirstCommits> | undefined;
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

/** Why nothing that a folder claims is looked at. */
const NOT_NAMED_BACK = 'it is no part of the repository that it names, which does not name it back';

function identityAt(folder: string): string | undefined {
  return existsSync(folder) ? identityOf(folder) : undefined;
}
