/**
 * A folder whose memory is settled (K-1): something was saved from it, its first commits were found in the memory that its
 * remote names (Z-2), or a person said so.
 */
export interface Known {
  /** The git folder of a repository, else the folder itself; absolute. */
  folder: string;
  /** What the file system knows that folder by: another folder of the same path has another. */
  identity: string;
  /** The first commits that the repository had then; undefined where they could not be known. */
  firstCommits?: string[] | undefined;
  /** Set when it had none of these any more at a later look: then it is led nowhere until a person says so. */
  isRewritten?: boolean | undefined;
  /** Where its references led when its first commits were last compared: they are compared again once that changes. */
  tips?: string | undefined;
  workspace: string;
  /** The names that its remotes have given it, newest first. */
  names: string[];
  /** The server that the memory is on; undefined for the data folder. */
  db?: string | undefined;
  /** Set when the server was given the names, or does not take them from this account. */
  isShared?: boolean | undefined;
}

/** A name that leads to a memory whatever repository has it: one that a person gave it, or that it had before (K-3). */
export interface Alias {
  name: string;
  workspace: string;
  /** As {@link Known.db}. */
  db?: string | undefined;
}

/** What the account of a machine remembers of its repositories. */
export interface Registry {
  repositories: Known[];
  aliases: Alias[];
}

/** A memory of the data folder that gets another name. */
export interface Renaming {
  from: string;
  to: string;
}

/** A registry as it is written. */
export interface Written extends Registry {
  /** Written before the file of the memory gets its name, and gone with what follows from that (K-3). */
  renaming?: Renaming;
}

/** What the file of a registry holds: all that can be read of it. */
export function registryIn(value: unknown): Written {
  const { repositories, aliases, renaming } = (value ?? {}) as Partial<Written>;
  return {
    repositories: listOf(repositories, isKnown),
    aliases: listOf(aliases, isAlias),
    ...(renaming && areTexts(renaming.from, renaming.to) && { renaming }),
  };
}

function listOf<T>(value: unknown, isOne: (value: unknown) => value is T): T[] {
  return Array.isArray(value) ? value.filter(isOne) : [];
}

function isKnown(value: unknown): value is Known {
  const { folder, identity, workspace, names, firstCommits = [] } = (value ?? {}) as Partial<Known>;
  return areTexts(folder, identity, workspace) && [names, firstCommits].every(isListOfTexts);
}

function isAlias(value: unknown): value is Alias {
  const { name, workspace } = (value ?? {}) as Partial<Alias>;
  return areTexts(name, workspace);
}

const isListOfTexts = (value: unknown) => Array.isArray(value) && areTexts(...value);
const areTexts = (...values: unknown[]) => values.every((value) => typeof value === 'string');
