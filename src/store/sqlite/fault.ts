import { closeSync, fsyncSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import type { Unavailability } from '../../domain/error.ts';
import type { Engine, Fault } from '../engine.ts';

/** SQLite's primary result codes, https://sqlite.org/rescode.html. */
const CODE = {
  ERROR: 1,
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  NOTADB: 26,
} as const;
/** Extended codes: a row that another process has just written under the same key. */
const UNIQUE = new Set([1555, 2067]);
/** Extended code: the file is not where it was opened any more. */
export const MOVED = 1032;
/** Extended codes: the index of the log cannot be opened, sized, locked or mapped. */
const SHARING = [18, 19, 20, 21].map((kind) => CODE.IOERR | (kind << 8));

const DAMAGED = {
  message:
    'The memory file is damaged. Nothing was written. Restore it from a backup: precedent backup --restore FILE --force',
  reason: 'damaged',
} as const;

/** A disk, or an account's share of it, that takes no more. */
export const FULL = {
  message: 'The memory cannot be written: the disk is full. Free some space and try again.',
  reason: 'full',
} as const;

/** A file system on which processes cannot share the index of the log: a network drive, or a drive of Windows in WSL. */
const UNSHARED = {
  message:
    'The memory cannot be opened: its file system does not let processes share memory, as on a network drive or on /mnt/c of WSL. Name a file on a local disk as db, or a server.',
  reason: 'unsupported',
} as const;

const UNAVAILABLE: Record<number, { message: string; reason: Unavailability }> = {
  [MOVED]: {
    message:
      'The memory file was removed or replaced while it was in use; nothing was written. Try again; with the library, open the memory first.',
    reason: 'replaced',
  },
  ...Object.fromEntries(SHARING.map((code) => [code, UNSHARED])),
  [CODE.READONLY]: {
    message: 'The memory cannot be written: its file or folder is read-only. Check its permissions.',
    reason: 'read_only',
  },
  [CODE.IOERR]: {
    message: 'The memory cannot be read or written: the disk reported an error.',
    reason: 'no_access',
  },
  [CODE.CORRUPT]: DAMAGED,
  [CODE.FULL]: FULL,
  [CODE.CANTOPEN]: {
    message: 'The memory file cannot be opened. Check that its folder exists and may be written.',
    reason: 'no_access',
  },
  [CODE.NOTADB]: {
    message:
      'The memory file is not a database. Nothing was written. Name another file as db; if it was a memory, move it away and restore a backup.',
    reason: 'foreign',
  },
};

/**
 * How SQLite says that something is missing which every sound memory has. The only place where its words decide: all
 * of these carry code 1 and no extended code, as does an error in a statement of ours.
 */
const MISSING =
  /^(no such (fts5 )?(table|column)|vtable constructor failed|malformed database schema|invalid fts5 file format)/;

/** Codes with which SQLite also answers where there is no room, such as for the index of its log. */
const MAY_BE_FULL: readonly number[] = [CODE.IOERR, CODE.CANTOPEN];

/** {@link fault} of the memory in this file: a full disk differs from a disk that fails (Z-7). */
export function faultAt(location: string): Engine['fault'] {
  return (error) => {
    const mayBeFull = MAY_BE_FULL.includes((errcode(error) ?? 0) & 0xff);
    return mayBeFull && isDiskFull(location) ? { kind: 'unavailable', ...FULL } : fault(error);
  };
}

export function fault(error: unknown): Fault {
  const code = errcode(error);
  if (code === undefined) return { kind: 'bug' };
  if (code === CODE.ERROR && MISSING.test((error as Error).message)) {
    return { kind: 'unavailable', ...DAMAGED };
  }
  const primary = code & 0xff;
  if (primary === CODE.BUSY || primary === CODE.LOCKED || primary === CODE.PROTOCOL) return { kind: 'busy' };
  if (UNIQUE.has(code)) return { kind: 'race' };
  const known = UNAVAILABLE[code] ?? UNAVAILABLE[primary];
  return known ? { kind: 'unavailable', ...known } : { kind: 'bug' };
}

function errcode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

/** Bytes that are tried: twice what SQLite needs to read a memory that nobody has open. */
const ROOM = 64 * 1024;
/** Codes of the system for a disk, or an account's share of it, that is full. */
const NO_ROOM = ['ENOSPC', 'EDQUOT'];

/** Whether a write was refused because the disk is full. */
export function saysFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NO_ROOM.includes(String(error.code));
}

/**
 * Whether the disk of a file is full. It is tried, with a file that is gone afterwards: how much a file
 * system says is free tells nothing of an account's share, nor of what is kept for root.
 * @param refusal why something was not written there, where that may say so by itself
 */
export function isDiskFull(location: string, refusal?: unknown): boolean {
  if (saysFull(refusal)) return true;
  const probe = `${location}-probe.${process.pid}`;
  try {
    const file = openSync(probe, 'wx', 0o600);
    try {
      // Not zeros: some file systems store none.
      writeFileSync(file, crypto.getRandomValues(new Uint8Array(ROOM)));
      fsyncSync(file);
    } finally {
      closeSync(file);
      unlinkSync(probe);
    }
    return false;
  } catch (error) {
    return saysFull(error);
  }
}
