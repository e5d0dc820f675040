import type { FirstCommits } from '../../git/questions.ts';
import type { NamedWorkspace } from '../../memory/engines.ts';
import { type Alias, isJustLate, type RegisteredRepository, type Registry } from './registry.ts';

/** A folder as it is found now. */
export interface Repository {
  /** Its git folder, or the folder itself where there is none. */
  folder: string;
  identity: string;
  /** The name that its remote gives it, if it has one: a claim, which its first commits must bear out. */
  remoteName: string | undefined;
  /** Why nothing that it claims is checked. */
  problem?: string;
  /** The name that its folder gives it. @param more tells it from an earlier memory of the same folder */
  folderName(more?: string): string;
  /** Folders above one without git that may lend it their memory, the nearest first (TR-5). */
  above: string[];
  /** Asked for only where they decide. */
  firstCommits(): Promise<FirstCommits>;
  /** A digest of where its references lead; undefined where that cannot be found out. */
  tips(): Promise<string | undefined>;
  /** The identity of what is at a path now, as {@link RegisteredRepository.identity}; undefined when nothing is. */
  identityAt(folder: string): string | undefined;
}

/** Where a memory is looked for. */
export interface Surroundings {
  registry: Registry;
  /** The server; undefined for the data folder. */
  db: string | undefined;
  /** The memories that are there; asked for only where the registry does not decide. */
  list(): Promise<NamedWorkspace[]>;
  /** The first commits that a memory keeps; empty where it keeps none, or cannot be read. */
  keptBy(workspace: string): Promise<string[]>;
}

export interface Resolved {
  workspace: string;
  /** Set when the folder is known and goes on with its memory. */
  own: RegisteredRepository | undefined;
  /** What is worth remembering at once, also by a read: another look would ask git again, and a hook asks nobody. */
  found?: RegisteredRepository;
  /** Set where git answered too late to tell whether the folder has another memory: then none is made. */
  isUnsure?: boolean;
  /** What to tell the person, when the memory is not the one that the remote's name alone would give. */
  note?: string;
  /** What `doctor` says of a settled folder: that a clone of the same repository goes on with another memory. */
  apart?: string;
}

/**
 * The memory of a folder (K-1, Z-2): that of the folder itself, when it is settled and still the same folder, wherever it
 * was moved; else the one that its remote names, on this machine or for everyone on the server, if the folder has one of
 * the first commits which that memory keeps; else, without git, that of the nearest folder above (TR-5); else a new one. The first commits alone never join two repositories, since
 * starters and forks share them: the note names the other.
 */
export async function resolveWorkspace(repository: Repository, around: Surroundings): Promise<Resolved> {
  const known = around.registry.repositories.filter((each) => each.db === around.db);
  const own = await ownEntry(repository, known);
  if (own) {
    const resolved = await continued(repository, own);
    const other = resolved.own && relativeOf(own.firstCommits, known, own.workspace);
    return other ? { ...resolved, apart: sameBeginning(other.workspace) } : resolved;
  }
  const lender = lenderOf(repository, known);
  if (lender) {
    const { workspace, folder } = lender;
    const note = `This folder has no memory of its own; it uses "${workspace}", that of ${folder}. To use another one: precedent workspaces join NAME`;
    return { workspace, own: undefined, note };
  }
  const name = repository.folderName();
  const claims = await claimedBy(repository, known, around);
  // It has that name here by its own identity, and nobody else's.
  if (claims.includes(name)) return { workspace: name, own: undefined };
  const { ids = [], problem } = claims.length > 0 ? await repository.firstCommits() : {};
  const proved: string[] = [];
  const compared = known
    .filter((each) => isAtPlaceOf(repository, each))
    .flatMap((each) => each.firstCommits ?? []);
  for (const claim of claims) {
    const kept = await around.keptBy(claim);
    compared.push(...kept);
    if (shareOne(kept, ids)) proved.push(claim);
  }
  const [workspace, second] = proved;
  if (workspace !== undefined && second === undefined) return led(repository, workspace, ids, around.db);
  const isUnsure =
    (compared.length > 0 || repository.problem !== undefined) &&
    (await repository.firstCommits()).isLate === true;
  if (claims.length === 0) return { ...(await begins(repository, name, known)), isUnsure };
  const why =
    second === undefined
      ? (problem ?? 'that memory has none of the first commits of this repository')
      : `the memories ${listed(proved)} both have that name`;
  const [wanted = ''] = proved.length > 0 ? proved : claims;
  return {
    workspace: name,
    own: undefined,
    isUnsure,
    note: `The remote of this repository names the memory ${listed(claims)}, which was not opened: ${why}. The memory here is "${name}". ${ifSame(wanted)}`,
  };
}

/** The nearest folder above that has a memory and is no repository: still the same folder, as the file system knows it. */
function lenderOf({ above, identityAt }: Repository, known: RegisteredRepository[]) {
  const all = above.flatMap((folder) => known.filter((each) => each.folder === folder).reverse());
  return all.find((each) => !each.firstCommits?.length && each.identity === identityAt(each.folder));
}

const isAtPlaceOf = (repository: Repository, { folder, identity }: RegisteredRepository) =>
  folder === repository.folder || identity === repository.identity;

/** The folder's memory, and what changed about the folder. */
function goesOn({ folder: here, remoteName }: Repository, own: RegisteredRepository): Resolved {
  const { folder, names, workspace } = own;
  const isChanged = remoteName !== undefined && !names.includes(remoteName) && workspace !== remoteName;
  if (!isChanged && folder === here) return { workspace, own };
  const what = isChanged ? 'The remote of this repository changed' : 'This folder was moved here';
  return { workspace, own, note: `${what}; it keeps its memory "${workspace}".` };
}

/**
 * The folder's memory, unless no reference leads to a commit that it began with: a new history, or another project unpacked
 * over it, whatever is left of the old objects. Looked at only where a reference changed, since that walks the whole history.
 */
async function continued(repository: Repository, own: RegisteredRepository): Promise<Resolved> {
  const { firstCommits = [], isRewritten = false, tips: before } = own;
  if (firstCommits.length === 0) return goesOn(repository, own);
  if (isRewritten) return rewritten(repository, own);
  const tips = await repository.tips();
  if (tips === undefined || tips === before || isJustLate(own)) return goesOn(repository, own);
  const { ids, isLate } = await repository.firstCommits();
  if (isLate) return { ...goesOn(repository, own), found: { ...own, lateAt: Date.now() } };
  if (ids !== undefined && !shareOne(ids, firstCommits)) return rewritten(repository, own);
  return { ...goesOn(repository, own), found: { ...own, tips, lateAt: undefined } };
}

function rewritten(repository: Repository, own: RegisteredRepository): Resolved {
  const { firstCommits = [], workspace: before } = own;
  const workspace = repository.folderName(`after ${firstCommits.join(' ')}`);
  return {
    workspace,
    own: undefined,
    found: { ...own, isRewritten: true },
    note: `This folder had the memory "${before}", but its history now has other first commits. The memory here is "${workspace}". ${ifSame(before)}`,
  };
}

/** The memory that the remote names, and the folder has a first commit of. */
function led(repository: Repository, workspace: string, firstCommits: string[], db: string | undefined) {
  const { folder, identity, remoteName } = repository;
  return {
    workspace,
    own: undefined,
    found: {
      folder,
      identity,
      firstCommits,
      workspace,
      names: remoteName === undefined ? [] : [remoteName],
      ...(db !== undefined && { db }),
    },
    note: `This repository uses the memory "${workspace}", which its remote names.`,
  };
}

/** A memory that is to be made, by the name of the remote where others can find it by that. */
async function begins(repository: Repository, name: string, known: RegisteredRepository[]) {
  const { remoteName, problem } = repository;
  if (problem !== undefined) {
    const note = `The remote of this folder was not read: ${problem}. The memory here is "${name}". To use another one: precedent workspaces join NAME`;
    return { workspace: name, own: undefined, note };
  }
  if (known.length === 0 && remoteName === undefined) return { workspace: name, own: undefined };
  const { ids = [] } = await repository.firstCommits();
  const workspace = remoteName !== undefined && ids.length > 0 ? remoteName : name;
  const relative = relativeOf(ids, known);
  if (!relative) return { workspace, own: undefined };
  return { workspace, own: undefined, note: sameBeginning(relative.workspace) };
}

/** A repository that began with one of these commits, and has another memory than this one. */
function relativeOf(ids: string[] | undefined, known: RegisteredRepository[], workspace?: string) {
  return known.find((each) => each.workspace !== workspace && shareOne(each.firstCommits ?? [], ids ?? []));
}

const sameBeginning = (workspace: string) =>
  `This repository has the same first commit as the one with workspace "${workspace}". Clones share a memory only if their remotes have the same address. ${ifSame(workspace)}`;

const ifSame = (workspace: string) =>
  `If it is the same project: precedent workspaces join ${workspace}; in CI: PRECEDENT_WORKSPACE=${workspace}`;

const listed = (names: string[]) => names.map((name) => `"${name}"`).join(' and ');

const shareOne = (some: string[], others: string[]) => some.some((each) => others.includes(each));

/**
 * The memories that a folder claims by its remote, or that it has elsewhere and may have been copied here. What a person
 * said comes before what is called so, and that before what others say is called so.
 */
async function claimedBy(
  repository: Repository,
  known: RegisteredRepository[],
  { db, registry, list }: Surroundings,
): Promise<string[]> {
  const others = registry.repositories.filter((each) => each.db !== db);
  const elsewhere = await ownEntry(repository, others);
  const wanted = [elsewhere?.workspace, repository.remoteName].filter((name) => name !== undefined);
  if (wanted.length === 0) return [];
  const aliases = registry.aliases.filter((each) => each.db === db);
  const there = await list();
  const found = wanted.map((name) => called(name, aliases, known, there)).find((each) => each.length > 0);
  return found ?? [];
}

/** The memories that a name leads to. */
function called(name: string, aliases: Alias[], known: RegisteredRepository[], there: NamedWorkspace[]) {
  const exists = ({ workspace }: { workspace: string }) => there.some((each) => each.workspace === workspace);
  const said = aliases.filter((alias) => alias.name === name && exists(alias));
  const exact = there.filter(({ workspace }) => workspace === name);
  const learnt = [...known, ...there].filter((each) => each.names.includes(name) && exists(each));
  const [first = []] = [said, exact, learnt].filter((each) => each.length > 0);
  return [...new Set(first.map(({ workspace }) => workspace))];
}

/**
 * The entry of the folder itself, at its path or at the path it had before it was moved. A path may have had several
 * repositories, one after the other: the newest comes last. Another folder in the same place is the same repository only
 * if both have a first commit in common; without git nothing can tell, and it is another one.
 */
async function ownEntry(repository: Repository, known: RegisteredRepository[]) {
  const here = known.filter(({ folder }) => folder === repository.folder).reverse();
  const same = here.find(({ identity }) => identity === repository.identity);
  if (same) return same;
  for (const each of here) {
    if (!each.firstCommits?.length || each.isRewritten) continue;
    const { ids = [] } = await repository.firstCommits();
    if (shareOne(ids, each.firstCommits)) return each;
  }
  const moved = known.find(
    ({ folder, identity }) => identity === repository.identity && repository.identityAt(folder) !== identity,
  );
  return moved && (await mayBe(moved, repository)) ? moved : undefined;
}

/** A number of the file system without a time is given out again: then the first commits must say so. */
async function mayBe({ firstCommits, identity }: RegisteredRepository, repository: Repository) {
  if (!firstCommits?.length) return identity.includes('@');
  const { ids } = await repository.firstCommits();
  return ids === undefined ? identity.includes('@') : shareOne(ids, firstCommits);
}
