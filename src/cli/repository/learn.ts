import type { MemoryCore } from '../../memory/core.ts';
import { atHome } from './home.ts';
import { changeRegistry, isJustLate, type RegisteredRepository, withEntry } from './registry.ts';
import type { RepositoryMemory } from './repository.ts';

/**
 * Lets a memory keep the first commits of the repository that it is made for (Z-2).
 * @param isAsked whether git is asked even when they are known
 * @returns what the registry keeps of them
 */
export async function keepFirstCommits(
  memory: Pick<MemoryCore, 'firstCommits'>,
  here: RepositoryMemory,
  isAsked = false,
): Promise<Learnt> {
  const learnt = await commitsToLearn(here, isAsked);
  if (learnt.firstCommits?.length) await memory.firstCommits(learnt.firstCommits);
  return learnt;
}

/** The first commits, undefined where they cannot be found out, and when git answered too late. */
type Learnt = Pick<RegisteredRepository, 'firstCommits' | 'lateAt'>;

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
  const learnt = await keepFirstCommits(memory, here, claim);
  const entry = entryOf({ ...here, workspace }, learnt, db);
  // The next read has nothing to compare then.
  if (learnt.firstCommits?.length) entry.tips ??= await repository.tips();
  const names = claim ? entry.names.slice(0, 1) : entry.names.filter((name) => name !== workspace);
  if (db !== undefined && names.length > 0 && (claim || !entry.isShared)) {
    await atHome(home, (workspaces) => workspaces.addNames(workspace, names, claim));
    // Also where the server did not take them: it would not the next time either.
    entry.isShared = true;
  }
  if (dataFolder !== undefined) await changeRegistry(dataFolder, withEntry(entry, own));
}

/** Known ones are not asked for again; those that git took too long for are, after a while. */
async function commitsToLearn(
  { repository, own, found }: RepositoryMemory,
  isAsked: boolean,
): Promise<Learnt> {
  const known = found?.isRewritten ? own : (own ?? found);
  if (!isAsked && known && (known.firstCommits !== undefined || isJustLate(known))) return known;
  const { ids, isLate } = await repository.firstCommits();
  return { firstCommits: ids, ...(isLate && { lateAt: Date.now() }) };
}

/**
 * The entry of a folder as it is now: its path, its first commits and the name of its remote are learnt (K-1). The name is
 * learnt only of a folder whose first commits are known: what it claims can be checked (Z-2).
 */
function entryOf(
  { repository, workspace, own, found }: RepositoryMemory,
  { firstCommits, lateAt }: Learnt,
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
    ...(lateAt !== undefined && { lateAt }),
    workspace,
    names,
    ...(db !== undefined && { db }),
    ...(isShared && { isShared }),
    ...(tips !== undefined && { tips }),
  };
}
