import type { Fault } from '../engine.ts';

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
  CONSTRAINT: 19,
  NOTADB: 26,
} as const;
/** Extended codes: a row that another process has just written under the same key. */
const UNIQUE = new Set([1555, 2067]);

const UNAVAILABLE: Record<number, string> = {
  [CODE.READONLY]: 'The memory cannot be written: its file or folder is read-only. Check its permissions.',
  [CODE.IOERR]: 'The memory cannot be read or written: the disk reported an error.',
  [CODE.CORRUPT]: 'The memory file is damaged. Nothing was written. Restore it from a backup.',
  [CODE.FULL]: 'The memory cannot be written: the disk is full. Free some space and try again.',
  [CODE.CANTOPEN]: 'The memory file cannot be opened. Check that its folder exists and may be written.',
  [CODE.NOTADB]: 'The memory file is not a database. Nothing was written. Choose another file with --db.',
};

/** Our statements ask for nothing that a sound file does not have. */
const MISSING =
  /^(no such (fts5 )?(table|column)|vtable constructor failed|malformed database schema|invalid fts5 file format)/;

export function fault(error: unknown): Fault {
  const code = errcode(error);
  if (code === undefined) return { kind: 'bug' };
  if (code === CODE.ERROR && MISSING.test((error as Error).message)) {
    return { kind: 'unavailable', reason: UNAVAILABLE[CODE.CORRUPT] as string };
  }
  const primary = code & 0xff;
  if (primary === CODE.BUSY || primary === CODE.LOCKED || primary === CODE.PROTOCOL) return { kind: 'busy' };
  if (UNIQUE.has(code)) return { kind: 'race' };
  const reason = UNAVAILABLE[primary];
  return reason ? { kind: 'unavailable', reason } : { kind: 'bug' };
}

function errcode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}
