import { invalid } from '../domain/error.ts';
import type { Operation } from '../operations/operation.ts';

/** The longest answer of a server, in bytes of its JSON (Z-5): it is held until its client has read it. */
export const LONGEST_ANSWER = 8 * 2 ** 20;

/** Fields that make an answer shorter: numbers that may be smaller, and switches that may be left out. */
const NUMBERS = ['limit', 'revision_limit', 'relation_limit', 'evidenceCharacters', 'depth'];
const SWITCHES = ['full', 'revisions', 'marks'];

/**
 * How long the answer of a call is, before a server sends it (Z-5).
 * @returns bytes of its JSON
 * @throws PrecedentError `invalid` where a read has a longer answer than a server gives. A write is always answered
 */
export function answerBytes(
  { name, access, input }: Operation,
  result: unknown,
  longest = LONGEST_ANSWER,
): number {
  const bytes = bytesOf(result);
  if (bytes <= longest || access === 'write') return bytes;
  const has = (field: string) => field in input.shape;
  const shorter = [
    ...NUMBERS.filter(has).map((field) => `a smaller "${field}"`),
    ...SWITCHES.filter(has).map((field) => `no "${field}"`),
  ];
  const advice =
    shorter.length > 0
      ? `Ask with ${shorter.join(', or ')}.`
      : 'Ask for a part of it, or use the command line on the machine of the memory, which has no such limit.';
  throw invalid.too_large(
    `${name}: Expected an answer of at most ${megabytes(longest)}, found ${megabytes(bytes)}. ${advice}`,
  );
}

/** Bytes of a value as JSON, a text at a time: all of it as one text could be hundreds of megabytes. */
function bytesOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return Buffer.byteLength(JSON.stringify(value));
  const isList = Array.isArray(value);
  const parts = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => bytesOf(each) + (isList ? 0 : bytesOf(key) + 1));
  // With a comma after each but the last, and two brackets.
  return Math.max(
    2,
    parts.reduce((sum, bytes) => sum + bytes + 1, 1),
  );
}

const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
