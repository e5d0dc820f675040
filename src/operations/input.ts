import type * as z from 'zod';
import { PrecedentError } from '../domain/error.ts';
import { countCharacters } from '../domain/text/text.ts';
import type { Operation } from './operation.ts';

/**
 * Checks an input against its operation's schema.
 * @throws PrecedentError `invalid`; the message names every wrong field, what it should be and what it is
 */
export function parseInput<Input extends z.ZodObject>(
  operation: Pick<Operation, 'name'> & { input: Input },
  input: unknown,
): z.output<Input> {
  const parsed = operation.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const known = Object.keys(operation.input.shape);
  const lines = parsed.error.issues.map((issue) => explain(issue, input, known));
  throw new PrecedentError('invalid', `${operation.name}: ${[...new Set(lines)].join(' ')}`);
}

function explain(issue: z.core.$ZodIssue, input: unknown, known: string[]): string {
  const field = issue.path.map(String).join('.');
  const found = describe(issue.path.reduce<unknown>(member, input));
  switch (issue.code) {
    case 'unrecognized_keys':
      return `Expected only the fields ${known.join(', ')}, found ${listed(issue.keys)}.`;
    case 'invalid_type':
      return field === ''
        ? `Expected an object with the fields ${known.join(', ')}, found ${found}.`
        : `Expected "${field}" to be ${TYPE_NAMES[issue.expected] ?? issue.expected}, found ${found}.`;
    case 'invalid_value':
      return `Expected "${field}" to be one of ${issue.values.join(', ')}, found ${found}.`;
    default:
      return `Expected "${field}" ${issue.message}, found ${found}.`;
  }
}

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
};

function member(value: unknown, key: PropertyKey): unknown {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, key)
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;
}

const SHOWN_CHARACTERS = 40;
const SHOWN_KEYS = 5;

function listed(keys: string[]): string {
  const more = keys.length > SHOWN_KEYS ? ` and ${keys.length - SHOWN_KEYS} more` : '';
  return keys.slice(0, SHOWN_KEYS).map(quoted).join(', ') + more;
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return String(value);
  const characters = countCharacters(value);
  return characters > SHOWN_CHARACTERS ? `a text of ${characters} characters` : quoted(value);
}

function quoted(text: string): string {
  // A character takes two places at most; a text may be megabytes long, and is not split as a whole.
  const beginning = [...text.slice(0, 2 * SHOWN_CHARACTERS)];
  return JSON.stringify(beginning.slice(0, SHOWN_CHARACTERS).join(''));
}
