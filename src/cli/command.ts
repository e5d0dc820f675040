import { Argument, Command, Option } from 'commander';
import { PrecedentError } from '../domain/error.ts';
import { jsonSchemaOf } from '../operations/json-schema.ts';
import { commandOf, optionOf } from '../operations/names.ts';
import type { Operation } from '../operations/operation.ts';
import { argumentFor, optionFor, typed } from './field.ts';
import { readFields } from './input/input.ts';
import { type Answer, print } from './output/print.ts';
import type { OwnCommand } from './own-command.ts';
import type { PlaceOptions } from './place.ts';
import type { Shortcut } from './shortcuts.ts';

/** Prints an answer, as the person or program that asked for it wants to read it. */
export type Show = (answer: Answer) => Promise<void>;

/**
 * The command of an operation: its words come from the name, its arguments and options from the input's schema.
 * @param run receives the input, and shows the answer
 * @param words those of a shortcut, in place of the operation's own
 */
export function operationCommand(
  operation: Operation,
  run: (input: Record<string, unknown>, show: Show) => Promise<void>,
  words: Partial<Pick<Shortcut, 'title' | 'about'> & { word: string }> = {},
): Command {
  const {
    word = commandOf(operation.name).at(-1),
    title = operation.title,
    about = operation.summary,
  } = words;
  const command = new Command(word).summary(title).description(about);
  const { properties = {}, required = [] } = jsonSchemaOf(operation, 'input');
  const positional = operation.positional ?? [];
  for (const field of positional)
    command.addArgument(argumentFor(field, properties[field] ?? {}, required.includes(field)));
  const options = Object.entries(properties).map(
    ([field, schema]) => [field, optionFor(field, schema, required.includes(field))] as const,
  );
  for (const [, option] of options) command.addOption(option);
  return answering(command, async (show) => {
    const words = positional.map((field, index) => [field, typed(command.processedArgs[index])] as const);
    const given = options.map(([field, option]) => [field, givenFor(command, option)] as const);
    await run(await readFields(merge(words, given)), show);
  });
}

/**
 * The command of the command line alone.
 * @param placeOptions which memory is meant; asked for when the command runs
 */
export function ownCommand(own: OwnCommand, placeOptions: () => PlaceOptions): Command {
  const command = new Command(own.name.split(' ').at(-1)).description(own.summary);
  const words = Object.entries(own.arguments ?? {});
  for (const [name, { summary, required, many }] of words) {
    const word = many ? `${name}...` : name;
    command.addArgument(new Argument(required ? `<${word}>` : `[${word}]`, summary));
  }
  const options = Object.entries(own.options ?? {}).map(([name, { summary, value, required, choices }]) => {
    const option = new Option(value ? `--${optionOf(name)} <${value}>` : `--${optionOf(name)}`, summary);
    if (choices) option.choices(choices);
    command.addOption(option.makeOptionMandatory(required === true));
    return [name, option] as const;
  });
  const run = async () => {
    const named = words.map(([name], index) => [name, command.processedArgs[index]]);
    const given = options.map(([name, option]) => [name, givenFor(command, option)]);
    return own.run(Object.fromEntries([...given, ...named]), placeOptions());
  };
  if (own.json === false) return command.action(async () => void (await run()));
  return answering(command, async (show) => {
    const answer = await run();
    if (answer) await show(answer);
  });
}

/** What a person gave for an option. Commander keeps `--no-x` as an x that is true unless it is given. */
function givenFor(command: Command, option: Option): unknown {
  const value = command.getOptionValue(option.attributeName());
  return option.negate ? value === false || undefined : value;
}

/** @throws PrecedentError `invalid` when a field was given twice, as an argument and as an option */
function merge(words: Given, options: Given): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [field, value] of [...words, ...options]) {
    if (value === undefined) continue;
    if (input[field] !== undefined) {
      throw new PrecedentError(
        'invalid',
        `Expected ${optionOf(field)} once, found it as an argument and as the option --${optionOf(field)}.`,
      );
    }
    input[field] = value;
  }
  return input;
}

type Given = (readonly [field: string, value: unknown])[];

/** Lets a command show its answer, with `--json` as JSON. */
function answering(command: Command, run: (show: Show) => Promise<void>): Command {
  return command
    .option('--json', 'print the answer as JSON')
    .action(() => run((answer) => print(answer, command.getOptionValue('json') === true)));
}
