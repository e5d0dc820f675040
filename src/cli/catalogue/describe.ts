import { LIMITS } from '../../domain/text/text.ts';
import { operations } from '../../operations/index.ts';
import { type JsonSchema, jsonSchemaOf, notesOf } from '../../operations/json-schema.ts';
import { optionOf } from '../../operations/names.ts';
import type { Operation } from '../../operations/operation.ts';
import { KEEP_SECRET } from '../input/fields.ts';
import { ASKING } from '../output/asking.ts';
import type { OwnCommand } from '../own-command.ts';
import { loadAllOwn } from './own-commands.ts';
import { PLAIN, type PlainCommand, type PlainWay } from './plain.ts';
import type { ArgumentSpec, CommandSpec, OperationSpec, OptionSpec, Way } from './spec.ts';

/** Describes every command: those for people, those of the command line alone, and each operation as a tool. */
export async function describeCommands(): Promise<CommandSpec[]> {
  return [
    ...Object.entries(PLAIN).map(plainCommand),
    ...(await loadAllOwn()).map(specOfOwn),
    ...operations.map(toolCommand),
  ];
}

/** A command that is not an operation, as data. */
function specOfOwn({ name, summary, about = summary, examples, isDefault, ...own }: OwnCommand): CommandSpec {
  return {
    words: name.split(' '),
    title: summary,
    about,
    examples,
    arguments: Object.entries(own.arguments ?? {}).map(([field, its]) => ({ name: field, field, ...its })),
    options: optionsOf(own.options),
    json: own.json ?? true,
    ...(isDefault && { isDefault }),
  };
}

function optionsOf(own: OwnCommand['options'] = {}): OptionSpec[] {
  return Object.entries(own).map(([field, its]) => ({ name: optionOf(field), field, ...its }));
}

/** Options that have a short form, as they have in git. */
const SHORT: Record<string, string> = { limit: 'n' };

/** Operations that may remove a note for good, and the field that says so: a command shows it and asks first (K-5). */
const DESTROYS: Record<string, string> = { delete: 'hard_delete' };

/** The options of what asks before it destroys. */
const ASKED = optionsOf(ASKING);
const YES = ASKED.filter(({ field }) => field === 'yes')[0] as OptionSpec;
/** Lets a person write in an editor (U-6). */
const EDIT = { name: 'edit', field: 'edit', about: 'write it in your editor (VISUAL, EDITOR)' };

/** Lets a person keep a secret (Z-9). It is not a field of an operation: what an agent sends cannot say it. */
const KEEP = { name: 'keep-secret', field: 'keepSecret', about: KEEP_SECRET };

/** An operation as a script calls it, by the name that agents use: `tool mama_save`. Its fields come from the schema. */
function toolCommand(operation: Operation): CommandSpec {
  const { name, access, createsMemory, isPersonal, title, summary, positional = [] } = operation;
  const { properties = {}, required = [] } = jsonSchemaOf(operation, 'input');
  const destroys = DESTROYS[name];
  return {
    words: ['tool', name],
    title,
    about: summary,
    examples: [],
    arguments: positional.map((field) => argumentOf(field, properties[field] ?? {}, required)),
    options: [
      ...Object.entries(properties).map(
        ([field, schema]): OptionSpec => ({
          ...fieldOf(field, schema, required),
          ...((positional as string[]).includes(field) && { hidden: true as const }),
        }),
      ),
      ...looksOf(properties),
      ...(destroys ? ASKED : []),
      ...(access === 'write' && takesText(properties) ? [KEEP] : []),
    ],
    ...(destroys && { destroys }),
    json: true,
    operation: { name, access, createsMemory: createsMemory === true, ...(isPersonal && { isPersonal }) },
  };
}

/** An operation as a person calls it. */
function plainCommand([words, plain]: [words: string, plain: PlainCommand]): CommandSpec {
  const { of = words, takes, leaves = [], joined, edit, ways = [], ...own } = plain;
  const operation = operationOf(words, of);
  const { properties = {} } = jsonSchemaOf(operation, 'input');
  const tool = toolCommand({ ...operation, ...(takes && { positional: takes }) });
  const given = own.given ?? {};
  const kind = operation.variants?.kinds[String(given[operation.variants.field])];
  const isTaken = ({ field }: { field: string }) =>
    !(field in given) &&
    !leaves.includes(field) &&
    (!kind || !(field in properties) || kind.fields.includes(field));
  const mayBeAlone = ways.some(({ when, by }) => !when && !by);
  const typed = tool.arguments.filter(isTaken).map(({ required, ...each }) => ({
    ...each,
    ...(!mayBeAlone && (required || kind?.required.includes(each.field)) && { required: true }),
    ...(each.field === joined && { joined: 'words' as const }),
  }));
  const taken = [...tool.options.filter(isTaken), ...(edit ? [EDIT] : []), ...(own.rehearses ? [YES] : [])];
  const others = ways.map((way) => wayOf(words, { of, leaves, ...way }, typed));
  const all = [...taken, ...others.flatMap(({ options }) => options)];
  const isFirst = ({ name }: OptionSpec, at: number) => all.findIndex((each) => each.name === name) === at;
  return {
    ...tool,
    ...own,
    words: words.split(' '),
    arguments: typed,
    options: all.filter(isFirst),
    ...(others.length > 0 && { ways: others.map(({ way }) => way) }),
    ...(edit && { edit: edit.map((field) => ({ field, about: properties[field]?.description ?? '' })) }),
  };
}

/** Another way of a command, and the options that it takes. @param words the arguments of the command */
function wayOf(
  command: string,
  { of = '', when, by = {}, takes, leaves = [], given = {} }: PlainWay,
  words: ArgumentSpec[],
) {
  const { positional = [], ...other } = operationOf(command, of);
  const { operation, options: all } = toolCommand(other);
  const typed = (takes ?? (positional as string[])).filter((field) => !(field in given));
  const options = all
    .filter(({ field }) => !leaves.includes(field) && !typed.includes(field) && !(field in given))
    .map(({ required: _, ...option }): OptionSpec => {
      const name = Object.keys(by).find((each) => by[each] === option.field);
      return { ...option, ...(name !== undefined && { name }) };
    });
  const means = [...(when ? [when.name] : []), ...Object.keys(by)];
  const way: Way = {
    ...(means.length > 0 && { when: means }),
    operation: operation as OperationSpec,
    given,
    fields: Object.fromEntries([
      ...words.flatMap(({ name }, at) => (typed[at] === undefined ? [] : [[name, typed[at]]])),
      ...options.map(({ name, field }) => [name, field]),
    ]),
  };
  return { way, options: [...options, ...(when ? [{ ...when, field: when.name }] : [])] };
}

/** @throws Error when the command names no operation */
function operationOf(command: string, named: string): Operation {
  const operation = operations.find(({ name }) => name === named);
  if (!operation) throw new Error(`The command "${command}" names "${named}", which is no operation.`);
  return operation;
}

function argumentOf(field: string, schema: JsonSchema, required: string[]): ArgumentSpec {
  const { value: _, also: __, short: ___, ...shared } = fieldOf(field, schema, required);
  return { ...shared, ...(schema.words && { joined: 'filter' }) };
}

/** Whether it stores texts, and not names alone. */
function takesText(properties: Record<string, JsonSchema>): boolean {
  return Object.values(properties).some(({ maxLength = 0 }) => maxLength > LIMITS.topic);
}

/** How a listing may look, in addition to its fields (U-3). */
function looksOf({ full }: Record<string, JsonSchema>): OptionSpec[] {
  const look = (name: string, about: string): OptionSpec => ({ name, field: name, about, look: true });
  return [
    ...(full ? [look('oneline', 'Only short id, name and text')] : []),
    ...(full ? [look('jsonl', 'print each record as a line of JSON')] : []),
  ];
}

function fieldOf(field: string, schema: JsonSchema, required: string[]): OptionSpec {
  const { enum: one, items, option, also, type } = schema;
  // Of each item of a list completion alone tells.
  const choices = one ?? items?.enum;
  const isNumber = isNumeric(schema) || isNumeric(schema.items ?? {});
  const own = optionOf(field);
  const short = SHORT[field];
  return {
    name: option ?? own,
    field,
    about: aboutOf(schema),
    ...(required.includes(field) && { required: true as const }),
    ...(type !== 'boolean' && { value: isNumber ? 'number' : (one?.join('|') ?? 'text') }),
    ...(isNumber && { isNumber }),
    ...(choices && { choices: choices.map(String) }),
    ...((type === 'array' || schema.lines) && { many: true }),
    ...(option !== undefined ? { also: own } : also !== undefined && { also }),
    ...(short !== undefined && { short }),
  };
}

/** What help says of a field: in the words of the command line where it has such, with its limits. */
function aboutOf(schema: JsonSchema): string {
  const { maxLength, maxItems, items, type, lines, cli, description = '' } = schema;
  const characters = (length: number) => `at most ${length.toLocaleString('en')} characters`;
  const notes = [
    ...(type === 'array' || lines
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
