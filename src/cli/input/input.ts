import { constants, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { PrecedentError } from '../../domain/error.ts';
import { otherThanFile } from '../../domain/file-kind.ts';
import { describeDatabase } from '../../memory/engines.ts';
import { decode } from './utf8.ts';

/** What help says of an argument or option that takes a single `-`. */
export const STANDARD_INPUT = '- reads standard input';

/**
 * A value as it was typed, or all of standard input for a single `-`: a long text does not fit a command line.
 * @throws PrecedentError `invalid` when standard input is not UTF-8 (K-7)
 */
export async function typedOrRead(value: string): Promise<string> {
  return value === '-' ? readStandardInput() : value;
}

async function readStandardInput(): Promise<string> {
  const text = decode(await buffer(process.stdin), (line) => `line ${line} of standard input`);
  // A byte order mark says how the text is encoded, and is no part of it.
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/**
 * {@link typedOrRead} for the fields of an operation, each a value or a list of values.
 * @throws PrecedentError `invalid` when two fields ask for standard input, which can be read once, or it is not UTF-8
 */
export async function readFields(input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const isDash = (value: unknown) => value === '-' || (Array.isArray(value) && value.includes('-'));
  const [field, ...others] = Object.keys(input).filter((each) => isDash(input[each]));
  if (field === undefined) return input;
  if (others.length > 0) {
    throw new PrecedentError(
      'invalid',
      `Expected "-" (standard input) for one field, found it for ${[field, ...others].join(' and ')}.`,
    );
  }
  const read = await readStandardInput();
  const value = input[field];
  return {
    ...input,
    [field]: Array.isArray(value) ? value.map((each) => (each === '-' ? read : each)) : read,
  };
}

/** @throws PrecedentError `invalid` for the address of a server: a message with it would show its password */
export function refuseAddress(file: string, expected: string): void {
  if (describeDatabase(file).kind === 'file') return;
  throw new PrecedentError(
    'invalid',
    `Expected ${expected}, found the address of a server. "precedent copy" copies from and to servers.`,
  );
}

/** @throws PrecedentError `not_found` when there is no such file, `unavailable` when that cannot be told */
export function requireFile(file: string, expected: string): void {
  refuseAddress(file, expected);
  const path = resolve(file);
  const found = lookAt(path, expected);
  if (found?.isFile()) return;
  const what = otherThanFile(found) ?? 'none';
  throw new PrecedentError('not_found', `Expected ${expected}, found ${what} at ${path}.`);
}

/**
 * What comes through a named pipe, as a shell makes one for `<(…)`; undefined for anything else. Read as a socket: a file
 * that waits for its other end would keep the process from ending.
 * @throws PrecedentError `unavailable` when it cannot be read
 */
export function pipeAt(file: string, expected: string): Readable | undefined {
  refuseAddress(file, expected);
  if (!lookAt(file, expected)?.isFIFO()) return undefined;
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    return new Socket({ fd, readable: true, writable: false });
  } catch (error) {
    throw unreadable(resolve(file), expected, error);
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
  return new PrecedentError(
    'unavailable',
    `Expected ${expected}, found that ${path} cannot be read${code}.`,
    {
      cause,
    },
  );
}
