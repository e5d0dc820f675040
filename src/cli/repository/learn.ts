import type { MemoryCore } from '../../memory/core.ts';
import { atHome } from './home.ts';
import { changeRegistry, type RegisteredRepository, withEntry } from './registry.ts';
import type { RepositoryMemory } from './repository.ts';

/**
 * Lets a memory keep the first commits of the repository that it is made for (Z-2).
 * @param isAsked whether git is asked even when they are known
 * @returns the first commits; undefined where they cannot be found out
 */
export async function keepFirstCommits(
  memory: Pick<MemoryCore, 'firstCommits'>,
  here: RepositoryMemory,
  isAsked = false,
): Promise<string[] | undefined> {
  const ids = await commitsToLearn(here, isAsked);
  if (ids?.length) await memory.firstCommits(ids);
  return ids;
}

/**
 * Remembers which memory a repository has, after the first save and when a person says so: the memory keeps its first
 * commits (Z-2), the registry of this machine its folder (K-1).
 * @param claim whether its remote leads there for everyone, also where it leads elsewhere now
 */
export async function learnRepository(
  memory: Pick<MemoryCore, 'workspace' | 'firstCommits'>,
  here: RepositoryMemory,
  claim = false,
): Promise<void> {
  const { repository, own, home } = here;
  const { db, dataFolder } = home;
  const { workspace } = memory;
  const ids = await keepFirstCommits(memory, here, claim);
  const entry = entryOf({ ...here, workspace }, ids, db);
  // The next read has nothing to compare then.
  if (ids?.length) entry.tips ??= await repository.tips();
  const names = claim ? entry.names.slice(0, 1) : entry.names.filter((name) => name !== workspace);
  if (db !== undefined && names.length > 0 && (claim || !entry.isShared)) {
    await atHome(home, (workspaces) => workspaces.addNames(workspace, names, claim));
    // Also where the server did not take them: it would not the next time either.
    entry.isShared = true;
  }
  if (dataFolder !== undefined) await changeRegistry(dataFolder, withEntry(entry, own));
}

/** Known ones are not asked for again, and neither are those that git once took too long for. */
async function commitsToLearn({ repository, own, found }: RepositoryMemory, isAsked: boolean) {
  const known = found?.isRewritten ? own : (own ?? found);
  if (!isAsked && known?.firstCommits !== undefined) return known.firstCommits;
  const { ids, isLasting } = await repository.firstCommits();
  return ids ?? (isLasting ? [] : undefined);
}

/**
 * The entry of a folder as it is now: its path, its first commits and the name of its remote are learnt (K-1). The name is
 * learnt only of a folder whose first commits are known: what it claims can be checked (Z-2).
 */
function entryOf(
  { repository, workspace, own, found }: RepositoryMemory,
  firstCommits: string[] | undefined,
  db: string | undefined,
): RegisteredRepository {
  const { folder, identity, remoteName } = repository;
  const claimed = remoteName === undefined || !firstCommits?.length ? [] : [remoteName];
  const names = [...new Set([...claimed, ...(own?.names ?? [])])];
  const tips = found?.tips ?? own?.tips;
  const isShared = own?.isShared === true && own.workspace === workspace && own.names.length === names.length;
  return {
    folder,
    identity,
    ...(firstCommits !== undefined && { firstCommits }),
    workspace,
    names,
    ...(db !== undefined && { db }),
    ...(isShared && { isShared }),
    ...(tips !== undefined && { tips }),
  };
}
