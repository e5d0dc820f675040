import type * as z from 'zod';
import { invalid } from '../domain/error.ts';
import { outcomeSaid } from '../domain/outcome.ts';
import { listIn } from '../domain/place-written.ts';
import { countCharacters, firstOf, isBlank } from '../domain/text/text.ts';
import { checkSize } from './bounds.ts';
import type { Operation } from './operation.ts';

/**
 * Checks an input against its operation's schema. An optional field that is blank or null counts as left out, and "5" as
 * 5 (T-16): some models fill every field. A read takes the one field that it misses by another name. What the schema takes
 * as it is stays as it is.
 * @throws PrecedentError `invalid`; the message names every wrong field, what it should be and what it is
 */
export function parseInput<Input extends z.ZodObject>(
  operation: Pick<Operation, 'name' | 'access' | 'variants'> & { input: Input },
  input: unknown,
): z.output<Input> {
  const strict = operation.input.safeParse(input);
  if (strict.success) return ofItsKind(operation, strict.data);
  const { issues: refused } = strict.error;
  const named = operation.access === 'read' ? renamed(input, refused) : input;
  const lenient = loosened(operation.input, named, refused);
  // A text may have been read as a list.
  checkSize(operation, lenient);
  const parsed = operation.input.safeParse(lenient);
  if (parsed.success) return ofItsKind(operation, parsed.data);
  const known = Object.keys(operation.input.shape);
  const issues = parsed.error.issues.map((issue) => explain(issue, lenient, known));
  const lines = new Set(issues.map(([, message]) => message));
  throw invalid[issues[0]?.[0] ?? 'wrong_form'](`${operation.name}: ${[...lines].join(' ')}`);
}

/** Refuses fields of another kind and missing ones. Model APIs reject a schema that is a union. */
function ofItsKind<Given extends object>(
  { name, variants }: Pick<Operation, 'name' | 'variants'>,
  given: Given,
): Given {
  if (!variants) return given;
  const { field, kinds } = variants;
  const kind = String(member(given, field));
  const { fields = [], required = [] } = kinds[kind] ?? {};
  const found = Object.keys(given).filter((each) => each !== field && member(given, each) !== undefined);
  const stray = found.filter((each) => !fields.includes(each));
  if (stray.length > 0) {
    const others = Object.keys(kinds).filter((other) =>
      stray.every((each) => kinds[other]?.fields.includes(each)),
    );
    const belong = others.length > 0 ? ` These belong to ${field} ${others.map(quoted).join(', ')}.` : '';
    throw invalid.unknown_field(
      `${name}: Expected the fields ${fields.join(', ') || 'of no other kind'} with ${field} "${kind}", found ${stray.join(', ')}.${belong}`,
    );
  }
  const missing = required.filter((each) => !found.includes(each));
  if (missing.length > 0)
    throw invalid.missing(
      `${name}: ${missing.map((each) => `Expected the field "${each}" with ${field} "${kind}"; it is missing.`).join(' ')}`,
    );
  return given;
}

/** The input of a read that lacks one field and has one too many: `topic` instead of `id`. A save could keep what was not meant. */
function renamed(input: unknown, issues: z.core.$ZodIssue[]): unknown {
  const unknown = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  const missing = issues.flatMap(({ code, path }) =>
    code === 'invalid_type' && path.length === 1 && member(input, path[0] ?? '') === undefined ? path : [],
  );
  const [[from = ''], [to = '']] = [unknown, missing];
  if (unknown.length !== 1 || missing.length !== 1) return input;
  const { [from]: value, ...others } = input as Record<string, unknown>;
  return { ...others, [to]: value };
}

/** An input in which the fields that were refused are left out or read as what was meant, where that is plain (T-16). */
function loosened({ shape }: z.ZodObject, input: unknown, issues: z.core.$ZodIssue[]): unknown {
  if (input === null || typeof input !== 'object') return input;
  const fields: Record<string, unknown> = { ...input };
  for (const { path, code, ...issue } of issues) {
    const [field] = path;
    const schema = path.length === 1 && typeof field === 'string' ? shape[field] : undefined;
    if (!schema || typeof field !== 'string') continue;
    const value = fields[field];
    const isOptional = schema.safeParse(undefined).success;
    if (isOptional && (value === null || (typeof value === 'string' && isBlank(value)))) delete fields[field];
    else if (code === 'invalid_type' && 'expected' in issue && issue.expected === 'array')
      fields[field] = listMeant(value);
    else if (isLines(schema) && Array.isArray(value) && value.every((each) => typeof each === 'string'))
      fields[field] = value.join('\n');
    else if (field === 'outcome' && typeof value === 'string') fields[field] = outcomeSaid(value);
    else if (code === 'invalid_type' && 'expected' in issue) fields[field] = meant(value, issue.expected);
  }
  return fields;
}

/** A list that was written as JSON text (TR-4), if it is no longer than a list may be. */
function listMeant(value: unknown): unknown {
  const list = typeof value === 'string' && value.length <= LONGEST_LIST.text ? listIn(value) : undefined;
  return list && list.length <= LONGEST_LIST.items ? list : value;
}
const LONGEST_LIST = { text: 1_000_000, items: 1_000 };

/** Whether a text has a line for each of several things, which may also be given as a list. */
function isLines(schema: z.core.$ZodType): boolean {
  const inner = 'unwrap' in schema ? (schema as z.ZodOptional<z.ZodType>).unwrap() : (schema as z.ZodType);
  return inner.meta()?.lines === true;
}

const NUMBER = /^\s*-?\d{1,16}(\.\d{1,16})?\s*$/;

/** A number or a flag that was given as text; anything else as it is. */
function meant(value: unknown, expected: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (expected === 'number' || expected === 'int') return NUMBER.test(value) ? Number(value) : value;
  const isFlag = expected === 'boolean' && (value === 'true' || value === 'false');
  return isFlag ? value === 'true' : value;
}

function explain(
  issue: z.core.$ZodIssue,
  input: unknown,
  known: string[],
): [reason: keyof typeof invalid, message: string] {
  const field = issue.path.map(String).join('.');
  const value = issue.path.reduce<unknown>(member, input);
  const found = describe(value);
  switch (issue.code) {
    case 'unrecognized_keys':
      return [
        'unknown_field',
        `Expected only the fields ${known.join(', ')}, found ${firstOf(issue.keys.map(quoted), SHOWN_KEYS)}.`,
      ];
    case 'invalid_type':
      return [
        value === undefined ? 'missing' : 'wrong_type',
        field === ''
          ? `Expected an object with the fields ${known.join(', ')}, found ${found}.`
          : `Expected "${field}" to be ${TYPE_NAMES[issue.expected] ?? issue.expected}, found ${found}.`,
      ];
    case 'invalid_value':
      return ['not_one_of', `Expected "${field}" to be one of ${issue.values.join(', ')}, found ${found}.`];
    default:
      return [reasonOf(issue), `Expected "${field}" ${issue.message}, found ${found}.`];
  }
}

/** What a check of a text, a number or a list found. */
function reasonOf(issue: z.core.$ZodIssue): keyof typeof invalid {
  if (issue.code === 'custom') return issue.params?.reason ?? 'wrong_form';
  return 'origin' in issue && issue.origin === 'string' ? 'too_long' : 'out_of_range';
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

/** A value in a few words, for messages. */
export function describe(value: unknown): string {
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
