import { existsSync } from 'node:fs';
import { findGitFolder, identityOf } from './folder.ts';
import { remoteOf, rootCommitOf } from './git.ts';
import { atHome, type Home } from './home.ts';
import { entryOf, withEntry } from './learn.ts';
import { nameOfFolder, nameOfUrl } from './name.ts';
import { changeRegistry, readRegistry } from './registry.ts';
import { type Repository, resolveWorkspace } from './resolve.ts';

/** The memory of the repository around a folder. */
export interface RepositoryMemory {
  workspace: string;
  /** What to tell the person with the next answer, until it is learnt. */
  note: string | undefined;
  /** The name that its remote gives it, if it has one. */
  remoteName: string | undefined;
  /**
   * Called after the first save: a read learns nothing (K-1).
   * @param workspace that the repository has from now on
   * @param claim whether its remote leads there for everyone, also where it leads elsewhere now
   */
  learn(workspace: string, claim?: boolean): Promise<void>;
}

/**
 * The memory that the repository around `cwd` goes on with, whatever became of its remote and its folder (K-1).
 * @param isHurried for who has no time: git is asked for the remote only where the registry does not know the repository,
 *   and never for its first commit, so that nothing is taken for the same repository that only this would tell
 * @returns undefined outside of a repository
 */
export async function findRepositoryMemory(
  cwd: string,
  home: Home,
  isHurried = false,
): Promise<RepositoryMemory | undefined> {
  const { dataFolder, db } = home;
  const registry = dataFolder === undefined ? { repositories: [], aliases: [] } : readRegistry(dataFolder);
  const isKnown = (folder: string) =>
    registry.repositories.some(
      (each) => each.db === db && each.folder === folder && each.identity === identityAt(folder),
    );
  const repository = await readRepository(cwd, isHurried ? isKnown : undefined);
  if (!repository) return undefined;
  const list = () => atHome(home, (workspaces) => workspaces.list());
  const resolved = await resolveWorkspace(repository, { registry, db, list });
  return {
    workspace: resolved.workspace,
    note: resolved.note,
    remoteName: repository.remoteName,
    async learn(workspace, claim = false) {
      const entry = await entryOf(repository, { ...resolved, workspace }, db);
      const names = claim ? entry.names.slice(0, 1) : entry.names.filter((name) => name !== workspace);
      if (db !== undefined && names.length > 0 && (claim || !entry.isShared)) {
        await atHome(home, (workspaces) => workspaces.addNames(workspace, names, claim));
        // Also where the server did not take them: it would not the next time either.
        entry.isShared = true;
      }
      if (dataFolder !== undefined) await changeRegistry(dataFolder, withEntry(entry, resolved.own));
    },
  };
}

/** @param isKnown set for who has no time: whether the registry knows the repository with this git folder */
async function readRepository(
  cwd: string,
  isKnown?: (folder: string) => boolean,
): Promise<Repository | undefined> {
  const found = findGitFolder(cwd);
  if (!found) return undefined;
  const { shared: folder, top } = found;
  const url = isKnown?.(folder) ? undefined : await remoteOf(folder);
  let root: ReturnType<typeof rootCommitOf> | undefined;
  return {
    folder,
    identity: identityAt(folder) ?? '',
    remoteName: url && nameOfUrl(url, top),
    folderName: (apart) => nameOfFolder(folder, apart),
    root: () => {
      root ??= isKnown ? Promise.resolve(NOT_ASKED) : rootCommitOf(folder);
      return root;
    },
    identityAt,
  };
}

/** Stands for a first commit that nobody looked up: it is that of no other repository. */
const NOT_ASKED = 'not asked';

function identityAt(folder: string): string | undefined {
  return existsSync(folder) ? identityOf(folder) : undefined;
}
