import { type Command, Help } from 'commander';
import type { ArgumentSpec, CommandSpec } from '../catalogue/spec.ts';

/** How a command is typed, after its name: what is required is in angle brackets. */
export function usageOf({ arguments: words, options }: CommandSpec): string {
  const required = options.filter((option) => option.required && !option.hidden);
  const named = required.map(({ name, value }) => `--${name}${value === undefined ? '' : ` <${value}>`}`);
  return [...words.map(wordOfUsage), ...named, '[options]'].join(' ');
}

/** An argument as usage shows it. */
export function wordOfUsage({ name, required, many, joined }: ArgumentSpec): string {
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

/** Below this width, what is said of an option is under it. */
const NARROW = 70;

/**
 * The help of a command. An option is not shown where an argument has its name: the message for a mistyped one names what it may
 * mean. The options of every command come last, without that for the version.
 */
export function formatHelp(program: Command, command: Command, help: Help): string {
  const words = new Set(command.registeredArguments.map((argument) => `--${argument.name()}`));
  help.visibleOptions = (of) =>
    Help.prototype.visibleOptions.call(help, of).filter(({ long }) => !words.has(long ?? ''));
  help.visibleGlobalOptions = () => program.options.filter(({ long }) => long !== '--version');
  help.subcommandTerm = (of) => `${of.name()} ${of.usage().replace(' [options]', '')}`.trim();
  const width = help.helpWidth ?? NARROW;
  if (width < NARROW) {
    help.minWidthToWrap = 0;
    help.formatItem = (term, _, about) => {
      const lines = about ? help.boxWrap(about, width - 6).split('\n') : [];
      return [`  ${term}`, ...lines.map((line) => `      ${line}`)].join('\n');
    };
  }
  return Help.prototype.formatHelp.call(help, command, help);
}
