import { existsSync } from 'node:fs';
import { findGitFolder, identityOf } from './folder.ts';
import { remoteOf, rootCommitOf } from './git.ts';
import { nameOfFolder, nameOfUrl } from './name.ts';
import { changeRegistry, readRegistry } from './registry.ts';
import { learn, type Repository, resolveWorkspace } from './resolve.ts';

/** The memory of the repository around a folder. */
export interface RepositoryMemory {
  workspace: string;
  /** What to tell the person, once something is saved. */
  note: string | undefined;
  /** Called after the first save: a read learns nothing (K-1). */
  learn(): Promise<void>;
}

/**
 * The memory that the repository around `cwd` goes on with, whatever became of its remote and its folder (K-1).
 * @param dataFolder where the registry is; without one nothing is remembered
 * @returns undefined outside of a repository
 */
export async function findRepositoryMemory(
  cwd: string,
  dataFolder: string | undefined,
): Promise<RepositoryMemory | undefined> {
  const repository = await readRepository(cwd);
  if (!repository) return undefined;
  const resolved = await resolveWorkspace(
    repository,
    dataFolder === undefined ? [] : readRegistry(dataFolder),
  );
  return {
    workspace: resolved.workspace,
    note: resolved.note,
    async learn() {
      if (dataFolder !== undefined) await changeRegistry(dataFolder, await learn(repository, resolved));
    },
  };
}

async function readRepository(cwd: string): Promise<Repository | undefined> {
  const found = findGitFolder(cwd);
  if (!found) return undefined;
  const { shared: folder, top } = found;
  const url = await remoteOf(folder);
  let root: ReturnType<typeof rootCommitOf> | undefined;
  return {
    folder,
    identity: existsSync(folder) ? identityOf(folder) : '',
    remoteName: url && nameOfUrl(url, top),
    folderName: (apart) => nameOfFolder(folder, apart),
    root: () => {
      root ??= rootCommitOf(folder);
      return root;
    },
    exists: existsSync,
  };
}
