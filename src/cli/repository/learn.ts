import { isDeepStrictEqual } from 'node:util';
import type { Alias, Known, Registry } from './known.ts';
import type { Repository, Resolved } from './resolve.ts';

/**
 * The entry of a folder as it is now: its path, its first commits and the name of its remote are learnt (K-1). The name is
 * learnt only of a folder whose first commits are known: what it claims can be checked (Z-2).
 */
export function entryOf(
  { folder, identity, remoteName }: Pick<Repository, 'folder' | 'identity' | 'remoteName'>,
  firstCommits: string[] | undefined,
  { workspace, own, found }: Resolved,
  db: string | undefined,
): Known {
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

/**
 * The registry with this entry, in the place of the one that it had before. What another repository left at its path
 * stays: it may have been moved, and its memory is not taken by the next.
 */
export function withEntry(entry: Known, before: Known | undefined) {
  const isBefore = (each: Known) => each.folder === before?.folder && each.identity === before.identity;
  const isSame = (each: Known) =>
    each.folder === entry.folder && (each.identity === entry.identity || each.workspace === entry.workspace);
  return ({ repositories, aliases }: Registry): Registry => {
    const others = repositories.filter((each) => each.db !== entry.db || !(isBefore(each) || isSame(each)));
    const isNew = !repositories.some((each) => isDeepStrictEqual(each, entry));
    return isNew ? { repositories: [...others, entry], aliases } : { repositories, aliases };
  };
}

/** The registry in which a name leads to this memory, also for repositories that have it as their remote's. */
export function withAlias(alias: Alias) {
  return ({ repositories, aliases }: Registry): Registry => ({
    repositories: repositories.map((each) =>
      each.db === alias.db && each.names[0] === alias.name ? { ...each, workspace: alias.workspace } : each,
    ),
    aliases: [...aliases.filter((each) => each.db !== alias.db || each.name !== alias.name), alias],
  });
}

/** The registry after a memory got another name: what led to it still does, and its old name does too. */
export function withRename(from: string, to: string, db: string | undefined) {
  return ({ repositories, aliases }: Registry): Registry => {
    const renamed = <Entry extends Known | Alias>(entry: Entry): Entry =>
      entry.db === db && entry.workspace === from ? { ...entry, workspace: to } : entry;
    // The new name is its own from now on, whatever it led to before.
    const kept = aliases
      .map(renamed)
      .filter(({ name, db: at }) => at !== db || (name !== from && name !== to));
    return {
      repositories: repositories.map(renamed),
      aliases: [...kept, { name: from, workspace: to, ...(db !== undefined && { db }) }],
    };
  };
}
