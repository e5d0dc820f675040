import type { Facts } from './facts.ts';

/** The result of an import for each thing that is there, and the sums of the files (SR-5). */
export interface Plan {
  rows: { what: string; becomes?: string; why?: string }[];
  /** Of a source of files: `found` is those taken, whole or in part, and those left out. */
  files?: { found: number; taken: number; leftOut: number };
}

/** Why a folder is not entered: no file in it counts as found. */
export const NOT_ENTERED = 'a folder that is not looked into';

/** @param hasFiles whether each thing is a file, a folder or, with `#` in its name, a part of a file */
export function planOf({ read = [], skipped }: Pick<Facts, 'read' | 'skipped'>, hasFiles: boolean): Plan {
  const rows = [...read, ...skipped];
  if (!hasFiles) return { rows };
  const taken = new Set(read.map(({ what }) => what));
  const named = skipped.filter(({ why }) => why !== NOT_ENTERED);
  const found = new Set([...taken, ...named.map(({ what }) => what.replace(/(?<=\.\w+)#.*/s, ''))]);
  return {
    rows,
    files: { found: found.size, taken: taken.size, leftOut: found.size - taken.size },
  };
}
