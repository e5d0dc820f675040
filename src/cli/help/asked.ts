import type { CommandSpec } from '../catalogue/spec.ts';

const isHelp = (word: string) => word === '--help' || word === '-h';

/**
 * A command line that asks for help, as the parser answers it: `help decide` is `decide --help`. Of a command that does
 * not exist nothing is shown: without the option the parser says so, and what may have been meant.
 * @param at where the command is in it; -1 when there is none
 */
export function helpAsked(argv: string[], at: number, catalogue: readonly CommandSpec[]): string[] {
  if (at === -1) return argv;
  const [first, ...rest] = argv.slice(at);
  const words = first === 'help' ? [...rest.filter((word) => !isHelp(word)), '--help'] : argv.slice(at);
  if (!words.some(isHelp)) return argv;
  const named = words.filter((word) => !word.startsWith('-'));
  const asked =
    named.length === 0 || exists(named, catalogue) ? words : words.filter((word) => !isHelp(word));
  return [...argv.slice(0, at), ...asked];
}

/** Whether the words begin with a command, or name a group. */
function exists([first, second]: string[], catalogue: readonly CommandSpec[]): boolean {
  const known = catalogue.filter(({ words }) => words[0] === first);
  if (known.length === 0 || second === undefined) return known.length > 0;
  return known.some(({ words, isDefault }) => isDefault || words.length === 1 || words[1] === second);
}
