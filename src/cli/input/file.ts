import { once } from 'node:events';
import { constants, createReadStream, openSync, type ReadStream, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { invalid, notFound, type PrecedentError, unavailable } from '../../domain/error.ts';
import { otherThanFile } from '../../domain/file-kind.ts';
import { here } from '../../files/surroundings.ts';
import { describeDatabase } from '../../memory/engines.ts';

/** @throws PrecedentError `invalid` for the address of a server: a message with it would show its password */
export function refuseAddress(file: string, expected: string): void {
  if (describeDatabase(file).kind === 'file') return;
  throw invalid.wrong_file(
    `Expected ${expected}, found the address of a server. "precedent import ADDRESS" copies from a server, "precedent export ADDRESS" to one.`,
  );
}

/**
 * @param ofFolder what to say further where it is a folder
 * @throws PrecedentError `not_found` when there is no such file, `unavailable` when that cannot be found out
 */
export function requireFile(file: string, expected: string, ofFolder = ''): void {
  refuseAddress(file, expected);
  const path = resolve(here().cwd(), file);
  const found = lookAt(path, expected);
  if (found?.isFile()) return;
  const what = otherThanFile(found) ?? 'none';
  const advice = found?.isDirectory() ? ofFolder : '';
  throw notFound.no_file(`Expected ${expected}, found ${what} at ${path}.${advice}`);
}

/**
 * What comes through a named pipe, as a shell makes one for `<(…)`; undefined for anything else. Read as a socket: a file
 * that waits for its other end would keep the process from ending.
 * @throws PrecedentError `unavailable` when it cannot be read
 */
export function pipeAt(file: string, expected: string): Readable | undefined {
  refuseAddress(file, expected);
  const path = resolve(here().cwd(), file);
  if (!lookAt(path, expected)?.isFIFO()) return undefined;
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return new Socket({ fd, readable: true, writable: false });
  } catch (error) {
    throw unreadable(path, expected, error);
  }
}

function lookAt(path: string, expected: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unreadable(path, expected, error);
  }
}

/** The error for a file that exists and cannot be read. */
export function unreadable(path: string, expected: string, cause: unknown): PrecedentError {
  const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
  return unavailable.no_access(`Expected ${expected}, found that ${path} cannot be read${code}.`, {
    cause,
  });
}

/**
 * A file to be read from its beginning.
 * @param ofFolder as in {@link requireFile}
 * @throws PrecedentError `not_found`, or `unavailable` when it cannot be read
 */
export async function openFile(file: string, expected: string, ofFolder = ''): Promise<ReadStream> {
  requireFile(file, expected, ofFolder);
  const stream = createReadStream(resolve(here().cwd(), file));
  await once(stream, 'open').catch((error: unknown) => {
    throw unreadable(file, expected, error);
  });
  return stream;
}
