import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { type PrecedentError, unavailable } from '../domain/error.ts';
import { dataFolderHere } from '../files/data-folder.ts';
import { realOrSame } from '../files/led-out.ts';
import { describeDatabase } from './engines.ts';

/** The file of the data folder in which this account keeps its repositories, and what is off. */
export const REGISTRY = 'repositories.json';

/** The parts of hooks that can be off by themselves: all of them, that they record, or that they show something with a file. */
export const OF_HOOKS = ['hooks', 'recording', 'files'] as const;

/** An entry of what is off on this machine (V-6): a memory and the folder that has it, or every folder where neither is named. */
export interface Off {
  /** A folder as the registry knows it; undefined for a memory that was named. */
  folder?: string | undefined;
  identity?: string | undefined;
  /** Undefined where only a part of hooks is off. */
  workspace?: string | undefined;
  /** The server that the memory is on, or the path of a file that was named; undefined for the data folder. */
  db?: string | undefined;
  /** The part of hooks that is off; undefined: nothing is shown or kept at all. */
  only?: (typeof OF_HOOKS)[number] | undefined;
}

/** A memory, as it is opened. */
export interface Opened {
  db: string;
  workspace: string;
}

/** The entries that are off, out of the registry's file. */
export const offIn = (off: unknown): Off[] =>
  Array.isArray(off)
    ? off.filter((each) => each && ['string', 'undefined'].includes(typeof each.workspace))
    : [];

/** Whether it is off in every folder. */
export const isEverywhere = ({ folder, workspace }: Off): boolean =>
  folder === undefined && workspace === undefined;

/** A memory as the registry calls it: one of the data folder by its name alone. */
export function keyOf({ db, workspace }: Opened, dataFolder: string | undefined) {
  const { kind, shown } = describeDatabase(db);
  if (kind === 'server') return { workspace, db: shown };
  const file = realOrSame(db);
  const isAtHome = dataFolder !== undefined && realOrSame(dirname(db)) === realOrSame(dataFolder);
  return isAtHome ? { workspace: basename(file, extname(file)).normalize('NFC') } : { workspace, db: file };
}

/** Whether an entry turns a memory off, by what the registry calls it. */
export const isOfNamed = (off: Off, { workspace, db }: Pick<Off, 'workspace' | 'db'>): boolean =>
  off.only === undefined && (isEverywhere(off) || (off.workspace === workspace && off.db === db));

/** Whether an entry turns a memory off, wherever it is opened. */
export const isOfMemory = (off: Off, memory: Opened, dataFolder: string | undefined): boolean =>
  isOfNamed(off, keyOf(memory, dataFolder));

/** @throws PrecedentError `unavailable` for a memory that is off on this machine, whoever opens it (V-6) */
export function requireOn(memory: Opened): void {
  const dataFolder = dataFolderHere();
  if (dataFolder === undefined) return;
  let off: Off[] = [];
  try {
    off = offIn(JSON.parse(readFileSync(join(dataFolder, REGISTRY), 'utf8')).off);
  } catch {
    // Nothing was turned off.
  }
  refuseAmong(off, memory, dataFolder);
}

/** @param off where it may be @throws PrecedentError `unavailable` for a memory that is off */
export function refuseAmong(off: Off[], memory: Opened, dataFolder: string | undefined): void {
  const found = off.filter((each) => isOfMemory(each, memory, dataFolder));
  if (found.length > 0) throw itIsOff(memory.workspace, found);
}

/** The commands that turn it on again. */
export function remedyOf(off: readonly Off[]): string {
  const commands = new Set(off.map((each) => (isEverywhere(each) ? 'on --everywhere' : 'on')));
  return [...commands].map((command) => `"precedent ${command}"`).join(' and ');
}

/** The refusal of everything that would read or save. */
export function itIsOff(workspace: string, off: readonly Off[]): PrecedentError {
  return unavailable.off(
    `Precedent is off on this machine for this folder or its memory "${workspace}", so nothing is read or saved; ${remedyOf(off)} in that folder turns it on again.`,
  );
}
