import { closeSync, fsyncSync, openSync, unlinkSync, writeFileSync } from 'node:fs';

/** Bytes that are tried: twice what SQLite needs to read a memory that nobody has open. */
const ROOM = 64 * 1024;
/** What the system says of a disk, or of an account's share of it, that takes no more. */
const FULL = ['ENOSPC', 'EDQUOT'];

/** Whether a write was refused because the disk is full. */
export function saysFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && FULL.includes(String(error.code));
}

/**
 * Whether the disk on which a file lies takes no more. It is tried, with a file that is gone afterwards: how much a file
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
