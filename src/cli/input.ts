import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { PrecedentError } from '../domain/error.ts';

/** What help says of an argument or option that takes a single `-`. */
export const STANDARD_INPUT = '- reads standard input';

/** A value as it was typed, or all of standard input for a single `-`: a long text does not fit a command line. */
export async function typedOrRead(value: string): Promise<string> {
  return value === '-' ? text(process.stdin) : value;
}

/**
 * {@link typedOrRead} for the fields of an operation, each a value or a list of values.
 * @throws PrecedentError `invalid` when two fields ask for standard input, which can be read once
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
  const read = await text(process.stdin);
  const value = input[field];
  return {
    ...input,
    [field]: Array.isArray(value) ? value.map((each) => (each === '-' ? read : each)) : read,
  };
}

/** @throws PrecedentError `not_found` when there is no such file */
export function requireFile(file: string, expected: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile()) return;
  throw new PrecedentError(
    'not_found',
    `Expected ${expected}, found ${found?.isDirectory() ? 'a folder' : 'none'} at ${resolve(file)}.`,
  );
}
