import type { Command } from 'commander';
import type { ArgumentSpec, CommandSpec } from '../catalogue/spec.ts';

/** How a command is typed, behind its name: what is required stands in angle brackets. */
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

/** What help says of a command beside its arguments and options: what it is for, and examples. */
export function addHelpOf(command: Command, { about, examples, aliasOf }: CommandSpec): void {
  const other = aliasOf ? `\n\nThe same as "precedent ${aliasOf.join(' ')}".` : '';
  command.description(about + other);
  if (examples.length === 0) return;
  const lines = examples.map((example) => `  precedent ${example}`);
  command.addHelpText('after', `\n${['Examples:', ...lines].join('\n')}`);
}

/** What help of a group adds that means one of its commands when none is typed: the help of that one. */
export function addHelpOfDefault(group: Command, command: Command, { words }: CommandSpec): void {
  const own = { ...group.configureHelp(), showGlobalOptions: false };
  group.addHelpText('after', () => {
    const it = words.slice(0, -1).join(' ');
    return `\n"precedent ${it}" alone is "precedent ${words.join(' ')}":\n\n${command.configureHelp(own).helpInformation()}`;
  });
}
