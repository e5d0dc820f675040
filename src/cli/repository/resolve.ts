import type { Known } from './registry.ts';

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
  /** Whether there is a folder of this path. */
  exists(folder: string): boolean;
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
 * repository; else that of the repository which was moved here; else the one that its remote's URL names; else a new one.
 * The first commit alone never joins two repositories, since starters and forks share one: the note names the other.
 */
export async function resolveWorkspace(repository: Repository, known: Known[]): Promise<Resolved> {
  const own = await ownEntry(repository, known);
  if (own) return { workspace: own.workspace, own, ...noteOf(repository, own) };
  const { remoteName } = repository;
  if (remoteName !== undefined) {
    const joined = known.find(({ names }) => names.includes(remoteName));
    return { workspace: joined?.workspace ?? remoteName, own: undefined };
  }
  const isTaken = (name: string) => known.some(({ workspace }) => workspace === name);
  const plain = repository.folderName();
  const workspace = isTaken(plain) ? repository.folderName(repository.identity) : plain;
  const root = known.length > 0 ? await repository.root() : undefined;
  const relative = root && known.find((each) => each.root === root);
  const note = relative
    ? `This repository began with the same commit as that of workspace "${relative.workspace}". To use its memory here too, set PRECEDENT_WORKSPACE=${relative.workspace}.`
    : undefined;
  return { workspace, own: undefined, ...(note !== undefined && { note }) };
}

/** The entry of the repository itself, at its path or at the path it had before it was moved. */
async function ownEntry(repository: Repository, known: Known[]): Promise<Known | undefined> {
  const here = known.find(({ folder }) => folder === repository.folder);
  if (here && (here.identity === repository.identity || (await isSameRoot(here, repository)))) return here;
  const moved = known.find(
    ({ folder, identity }) => identity === repository.identity && !repository.exists(folder),
  );
  return moved && (await isSameRoot(moved, repository)) ? moved : undefined;
}

/** Whether both began with the same commit, as far as both are known to have one. */
async function isSameRoot(known: Known, repository: Repository): Promise<boolean> {
  if (!known.root) return true;
  const root = await repository.root();
  return !root || root === known.root;
}

function noteOf({ remoteName }: Repository, { names, workspace }: Known): { note?: string } {
  if (remoteName === undefined || names.includes(remoteName) || workspace === remoteName) return {};
  return { note: `The remote of this repository changed; its memory "${workspace}" goes on.` };
}

/**
 * The registry with the repository as it is now: its folder, its first commit and the name of its remote are learnt.
 * @returns the same list when nothing is new
 */
export async function learn(
  repository: Repository,
  { workspace, own }: Resolved,
): Promise<(known: Known[]) => Known[]> {
  const { folder, identity, remoteName } = repository;
  const root = own?.identity === identity && own.root !== undefined ? own.root : await repository.root();
  const names = [...new Set([...(remoteName === undefined ? [] : [remoteName]), ...(own?.names ?? [])])];
  const entry: Known = { folder, identity, ...(root !== undefined && { root }), workspace, names };
  return (known) => {
    const at = known.findIndex((each) => each.folder === folder);
    if (at !== -1 && JSON.stringify(known[at]) === JSON.stringify(entry)) return known;
    const others = known.filter((each) => each.folder !== folder && each.folder !== own?.folder);
    return [...others, entry];
  };
}
