import { type Command, Help } from 'commander';

/** Below this width, what is said of an option is under it. */
const NARROW = 70;

/**
 * The help of a command. An option is not shown where an argument has its name: the message for a mistyped one names what it may
 * mean. The options of every command stand last, without that for the version.
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
