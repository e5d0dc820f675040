import type { Command } from 'commander';
import type { ArgumentSpec, CommandSpec } from '../catalogue/spec.ts';

/** How a command is typed, behind its name: what is required is in angle brackets. */
export function usageOf({ arguments: words, options }: CommandSpec): string {
  const required = options.filter((option) => option.required && !option.hidden);
  const named = required.map(({ name, value }) => `--${name}${value === undefined ? '' : ` <${value}>`}`);
  return [...words.map(wordOf), ...named, '[options]'].join(' ');
}

/** An argument as usage shows it. */
function wordOf({ name, required, many, joined }: ArgumentSpec): string {
  const word = many || joined ? `${name}...` : name;
  return required ? `<${word}>` : `[${word}]`;
}

/** Adds to the help of a command what it is for, and examples. */
export function addHelpOf(command: Command, { about, examples }: CommandSpec): void {
  command.description(about);
  if (examples.length === 0) return;
  const lines = examples.map((example) => `  precedent ${example}`);
  command.addHelpText('after', `\n${['Examples:', ...lines].join('\n')}`);
}

/** Adds to the help of a group the help of the command that the group's name alone runs. */
export function addHelpOfDefault(group: Command, command: Command, { words }: CommandSpec): void {
  const own = { ...group.configureHelp(), showGlobalOptions: false };
  group.addHelpText('after', () => {
    const it = words.slice(0, -1).join(' ');
    return `\n"precedent ${it}" alone is "precedent ${words.join(' ')}":\n\n${command.configureHelp(own).helpInformation()}`;
  });
}
