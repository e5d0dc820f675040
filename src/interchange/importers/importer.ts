import type { Facts } from '../../domain/arrival/facts.ts';

/** Where a source may lie: what only the command line knows. */
export interface Machine {
  home: string;
  /** The working directory. */
  folder: string;
  platform: NodeJS.Platform;
  env: Record<string, string | undefined>;
}

/** What a person may ask of a reader. */
export interface Reading {
  /** Goes on after lines that cannot be read, and says which. */
  skipDamaged?: boolean | undefined;
  /** Only what its source has filed under this, as `kind=name`. */
  scope?: string | undefined;
  /** Makes decisions of what its source calls so, though it has no topics. */
  decisions?: boolean | undefined;
  /** The home of the account, where a reader tells it from other folders. */
  home?: string;
}

/** One tool whose memory can come here (I-1). */
export interface Importer {
  /** As it is named in `--from`. */
  name: string;
  /** What it is, in a few words. */
  what: string;
  /** The places in which the tool keeps its memory, the most usual one first; what is not there is left out by the caller. */
  places(machine: Machine): string[];
  /**
   * Reads a source and changes nothing in it (I-4).
   * @param path a file or a folder
   * @throws PrecedentError `not_found` where there is none; `invalid` for one of another format
   */
  read(path: string, reading: Reading): Facts;
  /** Whether a folder is of this tool, where another would read it too. */
  isOurs?(folder: string): boolean;
  /** Whether it files what it keeps, so that a part of it can be asked for; every other one refuses a scope. */
  hasScopes?: true;
  /** Whether some of what it keeps can come as decisions when that is asked for; every other one refuses it. */
  hasDecisions?: true;
  /** Set where all places belong together: read when no path is given. */
  readAll?(paths: string[], reading: Reading): Facts;
}
