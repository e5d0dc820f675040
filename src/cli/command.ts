import { text } from 'node:stream/consumers';
import { Argument, Command, Option } from 'commander';
import { PrecedentError } from '../domain/error.ts';
import { type JsonSchema, jsonSchemaOf } from '../operations/json-schema.ts';
import { commandOf } from '../operations/names.ts';
import type { Operation } from '../operations/operation.ts';

/**
 * The command of an operation: its words from the name, its arguments and options from the input schema.
 * @param run receives the input and whether the answer is for a program
 */
export function commandFor(
  operation: Operation,
  run: (input: unknown, json: boolean) => Promise<void>,
): Command {
  const command = new Command(commandOf(operation.name).at(-1))
    .summary(operation.title)
    .description(operation.summary);
  const { properties = {}, required = [] } = jsonSchemaOf(operation, 'input');
  const positional = operation.positional ?? [];
  for (const field of positional) {
    const schema = properties[field] as JsonSchema;
    // Optional even when required: the operation itself says what is missing, in the same words on every face.
    const argument = new Argument(`[${kebab(field)}]`, describe(schema, required.includes(field)));
    command.addArgument(argument.argParser((value: string) => parse(value, schema)));
  }
  for (const [field, schema] of Object.entries(properties)) {
    command.addOption(optionFor(field, schema, required.includes(field)));
  }
  command.option('--json', 'print the answer as JSON');
  command.action(async (...received: unknown[]) => {
    const given = command.opts<Record<string, unknown>>();
    const input: Record<string, unknown> = {};
    positional.forEach((field, index) => {
      if (received[index] !== undefined) input[field] = received[index];
    });
    for (const field of Object.keys(properties)) {
      const value = given[optionKey(field)];
      if (value === undefined) continue;
      if (input[field] !== undefined) {
        throw new PrecedentError(
          'invalid',
          `Expected ${kebab(field)} once, found it as a word and as an option.`,
        );
      }
      input[field] = value;
    }
    await run(await fromStdin(input), given.json === true);
  });
  return command;
}

function optionFor(field: string, schema: JsonSchema, required: boolean): Option {
  const flag = `--${kebab(field)}`;
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
    ...(schema.default !== undefined && schema.default !== false ? [`default ${schema.default}`] : []),
  ];
  return [schema.description, notes.length > 0 ? `(${notes.join('; ')})` : ''].filter(Boolean).join(' ');
}

function placeholder(schema: JsonSchema): string {
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  return schema.enum ? 'choice' : 'text';
}

/** A number when one is expected and given; anything else goes on as it is, for the operation to refuse. */
function parse(value: string, schema: JsonSchema): unknown {
  const isNumeric = schema.type === 'integer' || schema.type === 'number';
  return isNumeric && value.trim() !== '' && !Number.isNaN(Number(value)) ? Number(value) : value;
}

/** A single `-` stands for what comes in on standard input: long evidence does not fit a command line. */
async function fromStdin(input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const isDash = (value: unknown) => value === '-' || (Array.isArray(value) && value.includes('-'));
  const fields = Object.keys(input).filter((field) => isDash(input[field]));
  if (fields.length === 0) return input;
  if (fields.length > 1) {
    throw new PrecedentError(
      'invalid',
      `Expected "-" (standard input) for one field, found it for ${fields.join(' and ')}.`,
    );
  }
  const [field] = fields as [string];
  const given = await text(process.stdin);
  const value = input[field];
  return {
    ...input,
    [field]: Array.isArray(value) ? value.map((each) => (each === '-' ? given : each)) : given,
  };
}

function kebab(field: string): string {
  return field.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The key under which commander keeps an option. */
function optionKey(field: string): string {
  return kebab(field).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
