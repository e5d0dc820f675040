import type { NamedWorkspace } from '../../memory/engines.ts';
import type { Alias, Known, Registry } from './known.ts';

/** A repository as it is found now. */
export interface Repository {
  folder: string;
  identity: string;
  /** The name that its remote gives it, if it has one. */
  remoteName: string | undefined;
  /** The name that its folder gives it. */
  folderName(apart?: string): string;
  /** Its first commit, as {@link Known.root}; asked for only where it decides. */
  root(): Promise<string | null | undefined>;
  /** The identity of what is at a path now, as {@link Known.identity}; undefined when nothing is. */
  identityAt(folder: string): string | undefined;
}

/** Where a memory is looked for. */
export interface Surroundings {
  registry: Registry;
  /** The server; undefined for the data folder. */
  db: string | undefined;
  /** The memories that are there; asked for only where the registry does not decide. */
  list(): Promise<NamedWorkspace[]>;
}

export interface Resolved {
  workspace: string;
  /** Set when the repository is known; undefined for one in which nothing was saved. */
  own: Known | undefined;
  /** What to tell the person, when the memory is not the one that the remote's name alone would give. */
  note?: string;
}

/**
 * The memory of a repository (K-1): that of its git folder, when something was saved from it and it is still the same
 * repository; else that of the repository which was moved here; else the one that its remote's URL leads to, on this
 * machine or for everyone on the server; else a new one. The first commit alone never joins two repositories, since
 * starters and forks share one: the note names the other.
 */
export async function resolveWorkspace(repository: Repository, around: Surroundings): Promise<Resolved> {
  const { db, registry } = around;
  const known = registry.repositories.filter((each) => each.db === db);
  const own = await ownEntry(repository, known);
  if (own) return { workspace: own.workspace, own, ...noteOf(repository, own) };
  const named = await byName(repository, known, around);
  if (named !== undefined) return { workspace: named, own: undefined };
  const isTaken = (name: string) => known.some(({ workspace }) => workspace === name);
  const plain = repository.folderName();
  const workspace = isTaken(plain) ? repository.folderName(repository.identity) : plain;
  const root = known.length > 0 ? await repository.root() : undefined;
  const relative = root && known.find((each) => each.root === root);
  const note = relative
    ? `This repository began with the same commit as that of workspace "${relative.workspace}". To use its memory here too: precedent workspace alias ${relative.workspace} here`
    : undefined;
  return { workspace, own: undefined, ...(note !== undefined && { note }) };
}

/** The memory that the repository's remote leads to, or the one that it has elsewhere, if it is here too. */
async function byName(
  repository: Repository,
  known: Known[],
  { db, registry, list }: Surroundings,
): Promise<string | undefined> {
  const { remoteName } = repository;
  if (remoteName !== undefined) {
    const here = onThisMachine(
      remoteName,
      known,
      registry.aliases.filter((each) => each.db === db),
    );
    if (here !== undefined) return here;
  }
  // It may have been copied here, with its name, from where it was saved in before.
  const elsewhere = await ownEntry(
    repository,
    registry.repositories.filter((each) => each.db !== db),
  );
  const wanted = [elsewhere?.workspace, remoteName].filter((name) => name !== undefined);
  if (wanted.length === 0) return undefined;
  const there = await list();
  for (const name of wanted) {
    const found =
      there.find(({ names }) => names.includes(name)) ?? there.find(({ workspace }) => workspace === name);
    if (found) return found.workspace;
  }
  return wanted[0];
}

/** What a person said comes before what is called so, and that before what was called so at some time. */
function onThisMachine(name: string, known: Known[], aliases: Alias[]): string | undefined {
  const found =
    aliases.find((alias) => alias.name === name) ??
    known.find(({ workspace }) => workspace === name) ??
    known.find(({ names }) => names.includes(name));
  return found?.workspace;
}

/**
 * The entry of the repository itself, at its path or at the path it had before it was moved. A path may have had several
 * repositories, one after the other: the newest stands last.
 */
async function ownEntry(repository: Repository, known: Known[]): Promise<Known | undefined> {
  const here = known.filter(({ folder }) => folder === repository.folder).reverse();
  const same = here.find(({ identity }) => identity === repository.identity);
  if (same) return same;
  for (const each of here) if (await isSameRoot(each, repository)) return each;
  const moved = known.find(
    ({ folder, identity }) => identity === repository.identity && repository.identityAt(folder) !== identity,
  );
  return moved && (await isSameRoot(moved, repository)) ? moved : undefined;
}

/** Whether both began with the same commit, as far as both are known to have one. */
async function isSameRoot(known: Known, repository: Repository): Promise<boolean> {
  if (!known.root) return true;
  const root = await repository.root();
  return !root || root === known.root;
}

function noteOf({ folder: here, remoteName }: Repository, own: Known): { note?: string } {
  const { folder, names, workspace } = own;
  const isChanged = remoteName !== undefined && !names.includes(remoteName) && workspace !== remoteName;
  const what = isChanged ? 'The remote of this repository changed' : 'This repository was moved here';
  return isChanged || folder !== here ? { note: `${what}; its memory "${workspace}" goes on.` } : {};
}
