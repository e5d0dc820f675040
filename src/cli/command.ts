import { Argument, Command, Option } from 'commander';
import { invalid } from '../domain/error.ts';
import type { ArgumentSpec, CommandSpec, OptionSpec, Way } from './catalogue/spec.ts';
import { addHelpOf, usageOf, wordOfUsage } from './help/of-command.ts';
import type { Printing } from './output/print.ts';

/** How an answer is to be printed. */
export type Asked = Pick<Printing, 'json' | 'jsonl' | 'oneline'>;

/** What a person typed, by field. */
export type Given = Record<string, unknown>;

/**
 * A command as the parser knows it.
 * @param run receives what was typed, and how the answer is to be printed
 */
export function toCommand(
  spec: CommandSpec,
  run: (spec: CommandSpec, given: Given, asked: Asked) => Promise<void>,
): Command {
  const command = new Command(spec.words.at(-1)).summary(spec.title).usage(usageOf(spec));
  for (const argument of spec.arguments) command.addArgument(toArgument(argument, spec));
  const options = spec.options.map((option) => [option, addOption(command, option, spec)] as const);
  if (spec.json) command.option('--json', 'print the answer as JSON');
  addHelpOf(command, spec);
  return command.action(() => {
    const words = spec.arguments.map(
      (argument, index) => [argument, wordOf(argument, command.processedArgs[index])] as const,
    );
    const all = options.map(([option, added]) => [option, givenFor(command, added)] as const);
    const given = all.filter(([{ look }]) => !look);
    const looks = all.filter(([{ look }]) => look).map(([{ field }, value]) => [field, value === true]);
    const json = command.getOptionValue('json') === true;
    // Whoever names the option means the key, whatever it looks like.
    const isPhrase = words.some(
      ([{ field }, value]) => field === spec.key && /\s/.test(`${value}`) && !/\S:\S/.test(`${value}`),
    );
    const input = merge([...words, ...given]);
    const asked = { json, ...Object.fromEntries(looks) };
    const way = wayMeant(spec, input);
    if (way) return run(...inOtherWay(spec, way, input), asked);
    if (!spec.operation) requireOptions(spec, input);
    else if (!input.edit && !isPhrase) requireAll(spec, input);
    return run(spec, { ...input, ...(isPhrase && { isPhrase }) }, asked);
  });
}

/** The words that were typed of a command, as help names it. */
const typedIn = ({ arguments: words, options }: CommandSpec, input: Given) =>
  [...words, ...options.filter(({ hidden }) => !hidden)].filter(({ field }) => input[field] !== undefined);

/** The other way of a command that is meant by what was typed. */
function wayMeant(spec: CommandSpec, input: Given): Way | undefined {
  const typed = typedIn(spec, input).map(({ name }) => name);
  return spec.ways?.find(({ when, fields }) =>
    when ? when.some((name) => typed.includes(name)) : typed.every((name) => name in fields),
  );
}

/** A command as its other way, and the fields of that. @throws PrecedentError `invalid` for what is not for it */
function inOtherWay(spec: CommandSpec, way: Way, input: Given): [spec: CommandSpec, given: Given] {
  const { when = [], fields, operation, given = {} } = way;
  const typed = typedIn(spec, input).filter(({ name }) => name in fields || !when.includes(name));
  const odd = typed.find(({ name }) => !(name in fields));
  if (odd)
    throw invalid.both_given(
      `Expected ${when.map((name) => `--${name}`).join(' or ')} without ${odd.name}, found both.`,
    );
  const { words, title, about, examples, options, json } = spec;
  const other = { words, title, about, examples, options, json, operation, given, arguments: [] };
  return [other, Object.fromEntries(typed.map(({ name, field }) => [fields[name], input[field]]))];
}

/** @throws PrecedentError `invalid` with what is to be typed, when an argument of a person's command is missing (U-8) */
function requireAll(spec: CommandSpec, input: Given): void {
  const [example] = spec.examples;
  const missing = spec.arguments.filter(({ required, field }) => required && input[field] === undefined);
  if (example === undefined || missing.length === 0) return;
  const typed = `precedent ${spec.words.join(' ')} ${spec.arguments.map(wordOfUsage).join(' ')}`;
  throw invalid.missing(
    `Expected "${typed}", found no ${missing.map(wordOfUsage).join(', no ')}. As in: precedent ${example}`,
  );
}

/** @throws PrecedentError `invalid` with the values that there are, when an option of the command line's own is missing */
function requireOptions({ options, examples }: CommandSpec, input: Given): void {
  const missing = options.find(({ required, field }) => required && input[field] === undefined);
  if (missing === undefined) return;
  const { name, value, choices } = missing;
  const wanted = choices === undefined ? ` <${value}>` : ` with one of ${choices.join(', ')}`;
  throw invalid.missing(`Expected --${name}${wanted}, found none. As in: precedent ${examples[0]}`);
}

/** The parser says which argument is missing of the command line's own commands; a tool's operation says it itself, as on every face. */
function toArgument(
  { name, about, required, isNumber, many, joined, choices, isOwnRefusal }: ArgumentSpec,
  spec: CommandSpec,
): Argument {
  const word = many || joined ? `${name}...` : name;
  const argument = new Argument(required && !spec.operation ? `<${word}>` : `[${word}]`, about);
  if (choices && !spec.operation && !many && !isOwnRefusal) argument.choices(choices);
  return isNumber ? argument.argParser(numberOr) : argument;
}

function wordOf({ joined }: ArgumentSpec, value: unknown): unknown {
  if (!joined) return value;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return joined === 'words' ? value.join(' ') : value;
}

/** Adds an option with its other name; help shows the first. */
function addOption(command: Command, spec: OptionSpec, { operation }: CommandSpec): Option[] {
  const names = [spec.name, ...(spec.also === undefined ? [] : [spec.also])];
  return names.map((name, index) => {
    const letter = spec.short === undefined || index > 0 ? '' : `-${spec.short}, `;
    const value = spec.preset === undefined ? ` <${spec.value}>` : ` [${spec.value}]`;
    const option = new Option(`${letter}--${name}${spec.value === undefined ? '' : value}`, spec.about);
    if (spec.preset !== undefined) option.preset(spec.preset);
    if (index > 0) option.hideHelp();
    if (spec.choices && !operation) option.choices(spec.choices);
    else if (spec.value !== undefined && (spec.isNumber || spec.many)) option.argParser(parserOf(spec));
    command.addOption(option);
    return option;
  });
}

/** A number where one was typed, also as a note is shown, `#38`. Any other text stays, for the operation to refuse. */
function numberOr(value: string): unknown {
  const plain = value.trim().replace(/^#(?=\d+$)/, '');
  return plain !== '' && !Number.isNaN(Number(plain)) ? Number(plain) : value;
}

function parserOf({ isNumber, many }: OptionSpec) {
  const parse = isNumber ? numberOr : (value: string) => value;
  if (!many) return parse;
  return (value: string, before: unknown) => [...(Array.isArray(before) ? before : []), parse(value)];
}

/** What was given under any of an option's names. Commander keeps `--no-x` as an x that is true unless it is given. */
function givenFor(command: Command, options: Option[]): unknown {
  const values = options.map((option) => {
    const value = command.getOptionValue(option.attributeName());
    return option.negate ? value === false || undefined : value;
  });
  return values.find((value) => value !== undefined);
}

/** @throws PrecedentError `invalid` when a field was given twice, as an argument and as an option */
function merge(all: (readonly [of: ArgumentSpec | OptionSpec, value: unknown])[]): Given {
  const input: Given = {};
  for (const [{ field, name }, value] of all) {
    if (value === undefined) continue;
    if (input[field] !== undefined)
      throw invalid.given_twice(
        `Expected ${name} once, found it as an argument and as the option --${name}.`,
      );
    input[field] = value;
  }
  return input;
}
