import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { type PrecedentError, unavailable } from '../domain/error.ts';
import { dataFolderHere } from '../files/data-folder.ts';
import { realOrSame } from '../files/led-out.ts';
import { describeDatabase } from './engines.ts';

/** The file of the data folder in which this account keeps its repositories, and what is off. */
export const REGISTRY = 'repositories.json';

/** Where nothing is shown or kept on this machine (V-6): a memory, and the folder that has it. */
export interface Off {
  /** A folder as the registry knows it; undefined for a memory that was named. */
  folder?: string | undefined;
  identity?: string | undefined;
  workspace: string;
  /** The server that the memory is on, or the path of a file that was named; undefined for the data folder. */
  db?: string | undefined;
}

/** A memory, as it is opened. */
export interface Opened {
  db: string;
  workspace: string;
}

/** What is off, of what the registry's file holds. */
export const offIn = (off: unknown): Off[] =>
  Array.isArray(off) ? off.filter((each) => typeof each?.workspace === 'string') : [];

/** A memory as the registry calls it: one of the data folder by its name alone. */
export function keyOf({ db, workspace }: Opened, dataFolder: string | undefined) {
  const { kind, shown } = describeDatabase(db);
  if (kind === 'server') return { workspace, db: shown };
  const file = realOrSame(db);
  const isAtHome = dataFolder !== undefined && realOrSame(dirname(db)) === realOrSame(dataFolder);
  return isAtHome ? { workspace: basename(file, extname(file)).normalize('NFC') } : { workspace, db: file };
}

export function isOfMemory(off: Off, memory: Opened, dataFolder: string | undefined): boolean {
  const { db, workspace } = keyOf(memory, dataFolder);
  return off.workspace === workspace && off.db === db;
}

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
  if (off.some((each) => isOfMemory(each, memory, dataFolder))) throw itIsOff(memory.workspace);
}

/** The refusal of everything that would read or save. */
export function itIsOff(workspace: string): PrecedentError {
  return unavailable.off(
    `Precedent is off on this machine for this folder or its memory "${workspace}", so nothing is read or saved; "precedent on" in that folder turns it on again.`,
  );
}
