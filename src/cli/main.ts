import { CommanderError } from 'commander';
import { asPrecedentError, invalid } from '../domain/error.ts';
import { visible, visibleJson } from '../domain/text/visible.ts';
import { here, runIn, type Surroundings } from '../files/surroundings.ts';
import { catalogue } from './catalogue/catalogue.ts';
import type { CommandSpec } from './catalogue/spec.ts';
import { GROUPS } from './help/top.ts';
import { requireUtf8 } from './input/utf8.ts';
import { EXIT_CODE, log } from './output/print.ts';
import { inOwnWords } from './output/refusal.ts';
import { buildProgram, commandAt, isForPrograms, specAt, specOf } from './program.ts';

/** What the scripts of shells call; it is not a command of people. */
const COMPLETE = 'complete';

/**
 * Runs one command line.
 * @param surroundings left out, those of the process, which such a run has to itself
 * @returns the exit code, or undefined while a server goes on running
 */
export async function main(argv: string[], surroundings?: Surroundings): Promise<number | undefined> {
  if (surroundings) return runIn(surroundings, () => main(argv));
  return run(argv);
}

async function run(argv: string[]): Promise<number | undefined> {
  try {
    requireUtf8(argv);
    if (argv[2] === COMPLETE) {
      const { complete } = await import('./complete.ts');
      return complete(argv);
    }
    const words = helpAsked(sessionAsked(argv));
    await buildProgram(words).parseAsync(words);
    const { exitCode } = here();
    return exitCode === undefined ? undefined : Number(exitCode);
  } catch (error) {
    const json = isForPrograms(argv);
    if (!(error instanceof CommanderError)) return report(error, json, specAt(argv));
    // The parser has informed the person already.
    if (error.exitCode === 0 || !json) return error.exitCode === 0 ? 0 : EXIT_CODE.invalid;
    const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
    return report(invalid.command_line(message), json, undefined);
  }
}

/** Says what went wrong, on standard error. @param spec the command that was typed, where it is known @returns the exit code */
function report(error: unknown, json: boolean, spec: CommandSpec | undefined): number {
  const { code, reason, message, workspace } = asPrecedentError(error, log);
  if (json) {
    const report = { code, reason, message, ...(workspace !== undefined && { workspace }) };
    here().stderr.write(`${visibleJson(JSON.stringify({ error: report }))}\n`);
  } else {
    log(inOwnWords(message, spec, catalogue));
    const help = code === 'invalid' && spec ? `, see "precedent ${spec.words.join(' ')} --help"` : '';
    here().stderr.write(`(${code}/${reason}${help})\n`);
    if (workspace !== undefined) here().stderr.write(`  workspace ${visible(workspace)}\n`);
  }
  return EXIT_CODE[code];
}

/** `list session:ID` is about that session alone, with what it was told: not a filter of decisions (V-4). */
function sessionAsked(argv: string[]): string[] {
  const at = commandAt(argv);
  const named = argv[at] === 'list' ? /^session:(.+)$/.exec(argv[at + 1] ?? '')?.[1] : undefined;
  const isAlone = argv.slice(at + 2).every((word) => word.startsWith('-'));
  return named === undefined || !isAlone ? argv : argv.with(at + 1, 'sessions').toSpliced(at + 2, 0, named);
}

const isHelp = (word: string) => word === '--help' || word === '-h';

/**
 * A command line that asks for help, as the parser answers it: `help decide` is `decide --help`. Of a command that does
 * not exist nothing is shown: without the option the parser says so, and what may have been meant.
 */
function helpAsked(argv: string[]): string[] {
  const at = commandAt(argv);
  if (at === -1) return argv;
  const [first, ...rest] = argv.slice(at);
  const words = first === 'help' ? [...rest.filter((word) => !isHelp(word)), '--help'] : argv.slice(at);
  if (!words.some(isHelp)) return argv;
  const named = words.filter((word) => !word.startsWith('-'));
  const asked = named.length === 0 || exists(named) ? words : words.filter((word) => !isHelp(word));
  return [...argv.slice(0, at), ...asked];
}

/** Whether the words begin with a command, or are the name of a group. */
const exists = (words: string[]): boolean =>
  specOf(words) !== undefined || (words.length === 1 && Object.hasOwn(GROUPS, String(words[0])));
