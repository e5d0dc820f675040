import { Argument, Option } from 'commander';
import { filterOf } from '../domain/filter/parse.ts';
import { type JsonSchema, notesOf } from '../operations/json-schema.ts';
import { optionOf } from '../operations/names.ts';

/**
 * A field of an operation's input as a word after the command's name. It is optional even when the field is required:
 * the operation itself says what is missing, in the same words on every face.
 */
export function argumentFor(field: string, schema: JsonSchema, required: boolean): Argument {
  if (schema.words) return new Argument(`[${optionOf(field)}...]`, describe(schema, required));
  const argument = new Argument(`[${optionOf(field)}]`, describe(schema, required));
  return argument.argParser((value: string) => parse(value, schema));
}

/** Options that have a short form, as they have in git. */
const SHORT: Record<string, string> = { limit: '-n, ' };

/** What was typed for a field: several words of a filter are one text, each a part of its own. */
export function typed(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.length === 0 ? undefined : filterOf(value);
}

/** A field of an operation's input as an option; that of a list may be repeated. */
export function optionFor(field: string, schema: JsonSchema, required: boolean): Option {
  const flag = `${SHORT[field] ?? ''}--${schema.option ?? optionOf(field)}`;
  if (schema.type === 'boolean') return new Option(flag, describe(schema, required));
  const option = new Option(`${flag} <${placeholder(schema)}>`, describe(schema, required));
  if (schema.type !== 'array') return option.argParser((value: string) => parse(value, schema));
  return option.argParser((value: string, before: unknown) => [
    ...(Array.isArray(before) ? before : []),
    parse(value, schema.items ?? {}),
  ]);
}

function describe(schema: JsonSchema, required: boolean): string {
  const notes = [
    ...(required ? ['required'] : []),
    ...(schema.enum ? [`one of ${schema.enum.join(', ')}`] : []),
    ...(schema.type === 'array' ? ['may be repeated'] : []),
    ...notesOf(schema),
  ];
  return [schema.description, notes.length > 0 ? `(${notes.join('; ')})` : ''].filter(Boolean).join(' ');
}

function placeholder(schema: JsonSchema): string {
  if (isNumeric(schema)) return 'number';
  return schema.enum ? 'choice' : 'text';
}

/** A number where one is expected and given. Any other value stays as it was typed, for the operation to refuse. */
function parse(value: string, schema: JsonSchema): unknown {
  // An observation is shown as #38.
  const plain = value.trim().replace(/^#(?=\d+$)/, '');
  return isNumeric(schema) && plain !== '' && !Number.isNaN(Number(plain)) ? Number(plain) : value;
}

function isNumeric({ type }: JsonSchema): boolean {
  return type === 'integer' || type === 'number';
}
