import type { VersionTold } from '../../store/export/versions.ts';

/** A version that has a file, with the one that took it back, where one did. */
export interface Kept extends VersionTold {
  /** The withdrawal that follows it (D-15): it is written with the version that it withdraws. */
  withdrawal: VersionTold | undefined;
  /** The version that it replaces, and the one that replaces it. */
  before: Kept | undefined;
  next: Kept | undefined;
}

/** Chains of versions, each with its versions in order; undone ones are left out (K-6). */
export interface Chains {
  /** In the order in which their first version was saved. */
  all: Kept[][];
  /** The version that has a file, by the id of any version that is written with it. */
  byId: Map<string, Kept>;
}

/** Groups the chosen versions of a memory by their chains. */
export function chainsOf(versions: readonly VersionTold[]): Chains {
  const groups = Map.groupBy(
    versions.filter(({ isChosen }) => isChosen),
    ({ rootId }) => rootId,
  );
  const byId = new Map<string, Kept>();
  const all = [...groups.values()].map((group) => {
    const chain: Kept[] = [];
    for (const version of group.sort((a, b) => a.version - b.version)) {
      const before = chain.at(-1);
      if (version.withdrawn) {
        if (!before) continue;
        before.withdrawal = version;
        byId.set(version.id, before);
        continue;
      }
      const kept: Kept = { ...version, withdrawal: undefined, before, next: undefined };
      if (before) before.next = kept;
      byId.set(kept.id, kept);
      chain.push(kept);
    }
    return chain;
  });
  return { all: all.filter((chain) => chain.length > 0), byId };
}
