import type { Facts } from '../../domain/import/facts.ts';

/** Where sources may be. Only the command line knows it. */
export interface Machine {
  home: string;
  /** The working directory. */
  folder: string;
  platform: NodeJS.Platform;
  env: Record<string, string | undefined>;
}

/** Options of a reader. */
export interface Reading {
  /** Continues after unreadable lines, and reports them. */
  skipDamaged?: boolean | undefined;
  /** Reads only records of this scope of the source, as `kind=name`. */
  scope?: string | undefined;
  /** The home folder, for readers that treat it differently. */
  home?: string;
}

/** A reader for the memory of one tool (I-1). */
export interface Importer {
  /** The name for `--from`. */
  name: string;
  /** A short description. */
  what: string;
  /** Where the tool keeps its memory, the most usual place first. The caller drops those that do not exist. */
  places(machine: Machine): string[];
  /**
   * Reads a source and changes nothing in it (I-4).
   * @param path a file or a folder
   * @throws PrecedentError `not_found` if there is none; `invalid` for another format
   */
  read(path: string, reading: Reading): Facts;
  /** Whether a folder belongs to this tool, if another reader would accept it too. */
  isOurs?(folder: string): boolean;
  /** Whether the source has scopes, so that one can be chosen. */
  hasScopes?: true;
  /** Whether a working folder without any place is looked through, so that each of its documents is named. */
  looksThrough?: true;
  /** Set if all places belong together: reads them all when no path is given. */
  readAll?(paths: string[], reading: Reading): Facts;
}
