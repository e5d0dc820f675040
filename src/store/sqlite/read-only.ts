// Its promises by this name are loaded on use: `node:fs/promises` costs every hook 3 ms.
import { accessSync, closeSync, constants, openSync, promises, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrecedentError, unavailable } from '../../domain/error.ts';
import type { Engine } from '../engine.ts';
import { isDiskFull, MOVED, saysFull } from './fault.ts';
import { bytesOf, inodeOf } from './file.ts';
import { isLogForeign } from './log-owner.ts';

/*
 * SQLite keeps a log and its index next to a memory while it is open, and cannot open one where it may not write. Such a
 * memory is read through a copy of file and log (K-7), which nobody else sees and which is gone when it is closed; so is
 * one whose disk is full (Z-7).
 */

/** Codes of the system for a place where nothing may be written. */
const REFUSED = new Set(['EROFS', 'EACCES', 'EPERM']);
/** SQLite's own: READONLY, CANTOPEN. */
const REFUSED_BY_SQLITE = new Set([8, 14]);
/** The head of a log names the log: it is another one as soon as the log begins anew. */
const LOG_HEAD = 32;
/** The head of a log's index changes with every commit. */
const INDEX_HEAD = 136;
const TRIES = 20;
/** Milliseconds between two tries. */
const PAUSE = 50;

/** The ways to open a copy and to bring its schema up to date. */
interface Ways {
  inFile(copy: string): Promise<Engine>;
  /** It takes no place on any disk. */
  inMemory(): Promise<Engine>;
}

/**
 * Opens a copy of a memory that this process may not write, or whose disk is full.
 * @param refusal why the memory itself cannot be opened
 * @throws PrecedentError the refusal, where it was another one or the memory cannot be read either
 */
export async function openCopy(location: string, refusal: unknown, ways: Ways): Promise<Engine> {
  const isFull = refusal instanceof PrecedentError && refusal.reason === 'full';
  const code = refusedBecause(refusal);
  if (!(isFull || code !== undefined) || !isFile(location)) throw refusal;
  const state = stateOf(location);
  const copied = () => openInFolder(location, refusal, ways.inFile);
  // The temporary folder may be on the same disk.
  const engine = isFull ? await copied().catch(() => ways.inMemory()) : await copied();
  return {
    ...engine,
    copy: {
      why: isFull ? FULL_FOR_NOW : whyNot(code ?? ''),
      reason: isFull ? 'full' : 'read_only',
      isOutdated: () => stateOf(location) !== state || (isFull && !isDiskFull(location)),
    },
    locate: async () => ({ ...(await engine.locate()), location, bytes: bytesOf(location) }),
  };
}

/** @param place a folder or file; the first save makes one that is missing @throws PrecedentError `unavailable` */
export function requireWritable(place: string): void {
  try {
    accessSync(place, constants.W_OK);
  } catch (error) {
    const code = refusedBecause(error);
    if (code !== undefined) throw unavailable.read_only(whyNot(code), { cause: error });
  }
}

/** Opens a copy in a temporary folder, which is gone when it is closed. */
async function openInFolder(location: string, refusal: unknown, open: Ways['inFile']): Promise<Engine> {
  const folder = await makeFolder();
  // An open file outlives its name: once it is open, nothing is left behind, however the process ends.
  const discard = () => rmSync(folder, { recursive: true, force: true });
  try {
    const file = join(folder, 'memory.db');
    await copyWhole(location, file).catch((error: Error & { code?: string }) => {
      if (saysFull(error)) throw withoutFolder('found too little room', error);
      throw REFUSED.has(error.code ?? '') ? refusal : error;
    });
    const engine = await open(file);
    if (process.platform !== 'win32') discard();
    return {
      ...engine,
      async close() {
        await engine.close();
        discard();
      },
    };
  } catch (error) {
    discard();
    throw error;
  }
}

const FULL_FOR_NOW =
  'Expected a memory that can be written, found that the disk is full: it can be read, exported and copied. Free some space; nothing needs to be started again.';

function whyNot(code: string): string {
  return `Expected a memory that can be written, found that its file or folder is read-only${code}: it can be read, exported and copied. Check its permissions, or name another one.`;
}

/** How the system calls the refusal to write that an error goes back to, for a message; undefined for another error. */
function refusedBecause(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error && isRefusal(Number(error.errcode))) return '';
  if ('code' in error && REFUSED.has(String(error.code))) return ` (${error.code})`;
  return refusedBecause(error.cause);
}

function isRefusal(errcode: number): boolean {
  return errcode !== MOVED && REFUSED_BY_SQLITE.has(errcode & 0xff);
}

async function makeFolder(): Promise<string> {
  try {
    return await promises.mkdtemp(join(tmpdir(), 'precedent-read-'));
  } catch (cause) {
    throw withoutFolder('found that none can be made', cause);
  }
}

function withoutFolder(found: string, cause: unknown): PrecedentError {
  return unavailable.no_access(
    `Expected a temporary folder to read the memory through, since its own cannot be written, ${found} in ${tmpdir()}. Set TMPDIR to a folder that can be written and has room.`,
    { cause },
  );
}

/**
 * Copies a memory with its log, while others may write. Pages that a checkpoint moves into the file meanwhile are still in
 * the log that is copied after it, unless the log began anew: then the copy is made again.
 * @param copy copies one file
 */
export async function copyWhole(location: string, target: string, copy = copyFileAlone): Promise<void> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const before = generationOf(location);
    await copy(location, target);
    rmSync(`${target}-wal`, { force: true });
    if (bytesIn(`${location}-wal`) > 0 && !isLogForeign(location)) {
      // It may be gone by now; then the generation is another one, too.
      await copy(`${location}-wal`, `${target}-wal`).catch(ignoreMissing);
    }
    if (generationOf(location) === before) return;
    await sleep(PAUSE);
  }
  throw unavailable.busy(
    'Expected a moment in which the memory can be copied to read it, found that others write without a pause. Try again.',
  );
}

async function copyFileAlone(from: string, to: string): Promise<void> {
  await promises.copyFile(from, to, constants.COPYFILE_FICLONE);
  await promises.chmod(to, 0o600);
}

function ignoreMissing(error: Error & { code?: string }): void {
  if (error.code !== 'ENOENT') throw error;
}

/** Which file and which log a memory is in: the file itself stays as it is while there is no log. */
function generationOf(location: string): string {
  const log = headOf(`${location}-wal`, LOG_HEAD);
  return log === '' ? `no log, ${timesOf(location)}` : `${inodeOf(location)} ${log}`;
}

/** Differs as soon as anything was committed. */
function stateOf(location: string): string {
  const log = `${location}-wal`;
  return [
    timesOf(location),
    timesOf(log),
    headOf(log, LOG_HEAD),
    headOf(`${location}-shm`, INDEX_HEAD),
  ].join();
}

function timesOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.ino} ${found.size} ${found.mtimeNs}` : 'none';
}

function isFile(location: string): boolean {
  try {
    return statSync(location).isFile();
  } catch {
    return false;
  }
}

function bytesIn(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** The first bytes of a file, in hexadecimal digits; none for a file that is missing or cannot be read. */
function headOf(file: string, length: number): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const head = Buffer.alloc(length);
    return head.toString('hex', 0, readSync(descriptor, head, 0, length, 0));
  } catch {
    return '';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
