import { optionOf } from '../../operations/names.ts';
import type { OwnCommand } from '../own-command.ts';
import type { CommandSpec } from './spec.ts';

/** The command of the command line alone. */
export function specOfOwn(own: OwnCommand): CommandSpec {
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
