import { operations } from '../../operations/index.ts';
import { optionOf } from '../../operations/names.ts';
import type { OwnCommand } from '../own-command.ts';
import { plainCommand, toolCommand } from './of-operation.ts';
import { commands } from './own-commands.ts';
import { PLAIN } from './plain.ts';
import type { CommandSpec } from './spec.ts';

/** Describes every command: those for people, those of the command line alone, and each operation as a tool. */
export function describeCommands(): CommandSpec[] {
  const plain = PLAIN.map((each) => plainCommand(each, operations));
  return [...plain, ...commands.map(specOfOwn), ...operations.map(toolCommand)];
}

/** A command that is not an operation, as data. */
function specOfOwn(own: OwnCommand): CommandSpec {
  return {
    words: own.name.split(' '),
    title: own.summary,
    about: own.about ?? own.summary,
    examples: own.examples,
    arguments: Object.entries(own.arguments ?? {}).map(([name, { summary, required, many, choices }]) => ({
      name,
      field: name,
      about: summary,
      required: required === true,
      ...(many && { many }),
      ...(choices && { choices: [...choices] }),
    })),
    options: Object.entries(own.options ?? {}).map(([name, { summary, value, required, choices }]) => ({
      name: optionOf(name),
      field: name,
      about: summary,
      required: required === true,
      ...(value !== undefined && { value }),
      ...(choices && { choices: [...choices] }),
    })),
    json: own.json !== false,
  };
}
