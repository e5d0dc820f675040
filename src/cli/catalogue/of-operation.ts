import { type JsonSchema, jsonSchemaOf, notesOf } from '../../operations/json-schema.ts';
import { commandOf, optionOf } from '../../operations/names.ts';
import type { Operation } from '../../operations/operation.ts';
import type { ArgumentSpec, CommandSpec, OptionSpec } from './spec.ts';

/** Options that have a short form, as they have in git. */
const SHORT: Record<string, string> = { limit: 'n' };

/** The command of an operation: its words come from the name, its arguments and options from the input's schema. */
export function specOfOperation(operation: Operation): CommandSpec {
  const { name, access, begins, title, summary, cli, positional = [] } = operation;
  const { properties = {}, required: needed = [] } = jsonSchemaOf(operation, 'input');
  const required = [...needed, ...(cli?.required ?? [])];
  const words = positional.map((field): ArgumentSpec => {
    const schema = properties[field] ?? {};
    const { value: _, many: __, also: ___, short: ____, ...shared } = fieldOf(field, schema, required);
    const joined = schema.words ? 'filter' : cli?.joined === field ? 'words' : undefined;
    return { ...shared, ...(joined && { joined }) };
  });
  return {
    words: commandOf(name),
    title: cli?.title ?? title,
    about: cli?.about ?? summary,
    examples: cli?.examples ?? [],
    arguments: words,
    options: Object.entries(properties).map(([field, schema]) => ({
      ...fieldOf(field, schema, required),
      ...((positional as string[]).includes(field) && { hidden: true }),
    })),
    json: true,
    operation: { name, access, begins: begins === true },
  };
}

function fieldOf(field: string, schema: JsonSchema, required: string[]): OptionSpec {
  const { enum: choices, option, also, type } = schema;
  const isNumber = isNumeric(schema) || isNumeric(schema.items ?? {});
  const own = optionOf(field);
  const short = SHORT[field];
  return {
    name: option ?? own,
    field,
    about: aboutOf(schema),
    required: required.includes(field),
    ...(type !== 'boolean' && { value: isNumber ? 'number' : (choices?.join('|') ?? 'text') }),
    ...(isNumber && { isNumber }),
    ...(choices && { choices: choices.map(String) }),
    ...(type === 'array' && { many: true }),
    ...(option !== undefined ? { also: own } : also !== undefined && { also }),
    ...(short !== undefined && { short }),
  };
}

/** What help says of a field: in the words of the command line where it has such, with its limits. */
function aboutOf(schema: JsonSchema): string {
  const { maxLength, maxItems, items, type, cli, description = '' } = schema;
  const characters = (length: number) => `at most ${length.toLocaleString('en')} characters`;
  const notes = [
    ...(type === 'array'
      ? [`may be repeated${maxItems === undefined ? '' : `, ${maxItems} times at most`}`]
      : []),
    ...(maxLength === undefined ? [] : [characters(maxLength)]),
    ...(items?.maxLength === undefined ? [] : [`${characters(items.maxLength)} each`]),
    ...notesOf(schema),
  ];
  return [cli ?? description, notes.length > 0 && `(${notes.join('; ')})`].filter(Boolean).join(' ');
}

function isNumeric({ type }: JsonSchema): boolean {
  return type === 'integer' || type === 'number';
}
