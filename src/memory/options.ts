import { invalid } from '../domain/error.ts';
import { describe } from '../operations/input.ts';
import { atCaller, type CallOptions, type TransactionOptions } from './caller.ts';
import type { MemoryCore, MemoryOptions } from './core.ts';

/** The kinds of a value, as messages call them. */
const KINDS = {
  text: ['a text', (value: unknown) => typeof value === 'string'],
  flag: ['true or false', (value: unknown) => typeof value === 'boolean'],
  function: ['a function', (value: unknown) => typeof value === 'function'],
  object: [
    'an object',
    (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  ],
  list: ['a list', (value: unknown) => Array.isArray(value)],
  lines: [
    'something to iterate over, such as a list or an async generator',
    (value: unknown) =>
      typeof value === 'object' &&
      value !== null &&
      (Symbol.iterator in value || Symbol.asyncIterator in value),
  ],
  signal: ['an AbortSignal', (value: unknown) => value instanceof AbortSignal],
  milliseconds: [
    'a number of milliseconds, 1 to 60,000',
    (value: unknown) => typeof value === 'number' && value >= 1 && value <= 60_000,
  ],
  any: ['anything', () => true],
} as const satisfies Record<string, readonly [string, (value: unknown) => boolean]>;
type Kind = keyof typeof KINDS;

const OPTIONS: Record<keyof MemoryOptions, Kind> = {
  db: 'text',
  workspace: 'text',
  create: 'flag',
  readOnly: 'flag',
  writer: 'object',
  clock: 'function',
  newId: 'function',
  embedder: 'object',
  progress: 'function',
  log: 'function',
};

/** @throws PrecedentError `invalid` for options that are not those of `openMemory`, or of other types (LB-1) */
export function checkOptions(options: MemoryOptions): void {
  checkEach('openMemory', OPTIONS, options);
  requireKind('"db"', options.db ?? '', 'text');
  if (/^~(?:[\\/]|$)/.test(options.db))
    throw invalid.wrong_address(
      'Expected "db" as a path without "~", which only a shell replaces. Write the path of the home folder.',
    );
}

const CALL_OPTIONS: Record<keyof CallOptions, Kind> = {
  writer: 'object',
  signal: 'signal',
  tell: 'function',
  keepsSecrets: 'flag',
};

/** @throws PrecedentError `invalid` for options of a call that there are not, or of other types (LB-1) */
export function checkCallOptions(name: string, options: CallOptions): void {
  checkEach(name, CALL_OPTIONS, options);
}

const TRANSACTION_OPTIONS: Record<keyof TransactionOptions, Kind> = {
  writer: 'object',
  signal: 'signal',
  timeout: 'milliseconds',
};

/** @throws PrecedentError `invalid` for what is no function, or other options than those of a transaction (LB-1) */
export function checkTransaction(work: unknown, options: TransactionOptions = {}): void {
  requireKind('argument 1 of "transaction"', work, 'function');
  checkEach('transaction', TRANSACTION_OPTIONS, options);
}

function checkEach(of: string, kinds: Record<string, Kind>, options: object): void {
  requireKind(`the options of ${of}`, options, 'object');
  const known = Object.keys(kinds);
  const strange = Object.keys(options).filter((name) => !known.includes(name));
  if (strange.length > 0)
    throw invalid.unknown_field(
      `${of}: Expected only the options ${known.join(', ')}, found "${strange.join('", "')}".`,
    );
  for (const [name, kind] of Object.entries(kinds)) {
    const value = options[name as keyof typeof options];
    if (value !== undefined && name !== 'db') requireKind(`"${name}"`, value, kind);
  }
}

/** The arguments of methods that take no input of an operation; a question mark follows one that may be left out. */
const ARGUMENTS: Partial<Record<keyof MemoryCore, string>> = {
  call: 'text any? object? function? object?',
  batch: 'lines function? object?',
  embed: 'function? signal? object?',
  export: 'text function object?',
  exportFiles: 'text function object?',
  import: 'lines function? object?',
  merge: 'object function? object?',
  redact: 'text text?',
  wouldRedact: 'text text?',
  unmerge: 'text object?',
  firstCommits: 'list?',
  importMarks: 'list?',
  sync: 'any? object?',
  takeFacts: 'lines',
};

/** The same methods, which refuse arguments of other types before anything else, and name the caller's line (LB-7). */
export function withCheckedArguments(core: MemoryCore): MemoryCore {
  const checked: Record<string, unknown> = {};
  for (const [name, kinds] of Object.entries(ARGUMENTS)) {
    const method = core[name as keyof MemoryCore] as (...given: unknown[]) => Promise<unknown>;
    checked[name] = atCaller(async (...given: unknown[]) => {
      for (const [at, kind] of kinds.split(' ').entries())
        if (!kind.endsWith('?') || given[at] !== undefined)
          requireKind(`argument ${at + 1} of "${name}"`, given[at], kind.replace('?', '') as Kind);
      return method(...given);
    });
  }
  return Object.assign(core, checked);
}

function requireKind(what: string, value: unknown, kind: Kind): void {
  const [expected, isMeant] = KINDS[kind];
  const reason = kind === 'milliseconds' && typeof value === 'number' ? 'out_of_range' : 'wrong_type';
  if (!isMeant(value)) throw invalid[reason](`Expected ${what} to be ${expected}, found ${describe(value)}.`);
}
