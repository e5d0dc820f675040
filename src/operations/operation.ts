import type * as z from 'zod';
import { PrecedentError } from '../domain/error.ts';
import type { Tx } from '../store/tx.ts';
import type { View } from './view.ts';

/** Families of tools: what `--tools` narrows to, and the headings of the reference. */
export type Family = 'decisions' | 'observations' | 'memos';

/**
 * One thing a memory can do, defined once; MCP tool, CLI command, library method and reference page are made
 * from it. `a_b_c` is the tool, `precedent a b-c` the command, `memory.a.bC()` the method.
 */
export interface Operation<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  name: Name;
  family: Family;
  title: string;
  /** For whoever chooses a tool: what it does and when to use it. */
  summary: string;
  /** A write runs in a transaction that takes the write lock; a read in a snapshot. */
  access: 'read' | 'write';
  /** Doing it twice with the same input is the same as doing it once. */
  idempotent: boolean;
  /** It removes what cannot be brought back: a client may want to ask its user. */
  destructive?: boolean;
  /** False when it is for people and programs: models have a tool that serves them better. */
  tool?: false;
  /** Worth the context it takes to be shown to a model at once, not on demand. */
  essential?: boolean;
  /** Fields that the command takes as plain words, in this order. */
  positional?: (keyof z.infer<Input> & string)[];
  input: Input;
  output: Output;
  /** Runs in one transaction. What it throws other than a PrecedentError reaches the caller as `internal`. */
  run(tx: Tx, input: z.output<Input>): Promise<z.input<Output>>;
  /** The text whose meaning is looked for, when there is a model: its vector is the transaction's `meaning`. */
  asks?(input: z.output<Input>): string | undefined;
  /** Adds to the result, in a snapshot taken after the transaction has committed. */
  afterwards?(tx: Tx, result: z.input<Output>): Promise<z.input<Output>>;
  /** How a person sees the result. */
  view(result: z.output<Output>): View;
}

/** Keeps an operation's own types while checking it against {@link Operation}. */
export function defineOperation<
  const Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
>(operation: Operation<Name, Input, Output>): Operation<Name, Input, Output> {
  return operation;
}

/**
 * Checks an input against its operation's schema.
 * @throws PrecedentError `invalid`, naming every field that is wrong, what was expected and what was found
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
  const characters = [...value];
  if (characters.length > SHOWN_CHARACTERS) return `a text of ${characters.length} characters`;
  return quoted(value);
}

function quoted(text: string): string {
  return JSON.stringify([...text].slice(0, SHOWN_CHARACTERS).join(''));
}
