import { Command, type CommandOptions, Help, Option } from 'commander';
import pkg from '../../package.json' with { type: 'json' };
import { visible } from '../domain/text/visible.ts';
import { here } from '../files/surroundings.ts';
import { catalogue } from './catalogue/catalogue.ts';
import { loadOwn } from './catalogue/own-commands.ts';
import type { CommandSpec } from './catalogue/spec.ts';
import { type Asked, type Given, toCommand } from './command.ts';
import { addHelpOfDefault, formatHelp } from './help/of-command.ts';
import { GROUPS, helpAsJson, topHelp } from './help/top.ts';
import { print, writeOut } from './output/print.ts';
import { COLORS, type Looks, widthOf } from './output/terminal.ts';
import type { OwnCommand } from './own-command.ts';
import type { PlaceOptions } from './place.ts';

/** Global options that are followed by a value. */
const TAKES_VALUE = new Set(['--db', '--workspace', '--color']);

/** A text of several words that was typed without quotation marks: a shell made an argument of each. */
const TOO_MANY = /(too many arguments .* Expected [1-9].*)/;
const QUOTE = '$1\n(Put a text of several words in quotation marks.)';

/** The command line: the command that was typed with those of its group, or every command where no such command exists. */
export function buildProgram(argv: string[]): Command {
  const width = widthOf(here().stdout, here().env);
  const at = commandAt(argv);
  const [typed, second] = at === -1 ? [] : argv.slice(at);
  const program: Command = new Command('precedent')
    .version(pkg.version)
    .option('--db <db>', 'the memory: a file, or the address of a database server (PRECEDENT_DB)')
    .option('--workspace <name>', 'the memory’s name; default: that of the repository (PRECEDENT_WORKSPACE)')
    .option(
      '--person',
      'say that a person types this, though its input or output is a pipe; one of the three must still be a terminal',
    )
    .addOption(new Option('--color <when>', `colours: ${COLORS.join(', ')}`).choices(COLORS))
    .option('--no-pager', 'print a long answer at once, without a pager (PRECEDENT_PAGER)')
    .configureHelp({
      showGlobalOptions: true,
      helpWidth: width,
      // The parser guesses among these: nobody means the version by an option of a command.
      visibleOptions(command) {
        const all = Help.prototype.visibleOptions.call(this, command);
        return typed === undefined ? all : all.filter(({ long }) => long !== '--version');
      },
      formatHelp: (command, help) => formatHelp(program, command, help),
    })
    // A program gets what was refused as JSON, once.
    .configureOutput({
      writeOut,
      outputError: (text, write) => write(text.replace(TOO_MANY, QUOTE) + toolHint(argv)),
      writeErr: (text) => isForPrograms(argv) || here().stderr.write(visible(text)),
    })
    .exitOverride()
    // A suggestion that is only spelled alike would mislead.
    .showSuggestionAfterError(toolHint(argv) === '')
    .showHelpAfterError('(invalid/command_line, see "precedent --help")');
  program.helpInformation = () =>
    argv.includes('--json') ? helpAsJson(catalogue) : topHelp(catalogue, width);

  const first = typed === 'help' ? second : typed;
  // Without a command there is nothing wrong: whoever types the name alone wants to know what it can do.
  if (typed === undefined) program.action(() => program.help());
  for (const spec of commandsFor(first)) {
    const run = async (spec: CommandSpec, given: Given, asked: Asked) => {
      const { pager, color, person, ...place } = program.opts<PlaceOptions & Looks & { person?: true }>();
      if (person) {
        const { sayPerson } = await import('./person.ts');
        await sayPerson();
      }
      const how = { ...asked, full: given.full === true, pager, color };
      const answer = await answerOf(spec, given, place, asked.json);
      if (answer) await print(answer, how);
    };
    const parent = parentOf(program, spec.words);
    const command = add(toCommand(spec, run), parent, { isDefault: spec.isDefault === true });
    if (spec.isDefault) addHelpOfDefault(parent, command, spec);
  }
  return program;
}

const MOVING =
  '"precedent rename" renames a topic or a scope, "precedent revise REF --scope" moves a decision';
const LOWERING = '"precedent revise REF --strength normal" makes a rule an ordinary decision';
/** Words of other programs, and of Korean, with the command that does that here (V-7). */
const MEANT: Record<string, string> = {
  rm: '"precedent withdraw" ends a decision, "precedent delete" removes a note or a memo',
  clean: '"precedent review" goes through what agents saved, "precedent undo REF …" undoes many at once',
  outcome: '"precedent worked" (with --partly) and "precedent failed" record one',
  status: '"precedent doctor" shows where the memory is, "precedent review" what waits for you',
  ls: '"precedent list" lists decisions, "precedent workspaces" the memories',
  blame: '"precedent why" says who decided a topic, or what binds a file, and when',
  history: '"precedent show REF --history" lists the versions of a decision or a note',
  diff: '"precedent show REF --diff" compares a version with the one before',
  mv: MOVING,
  move: MOVING,
  lower: LOWERING,
  unlock: LOWERING,
  목록: '"precedent list" lists decisions',
  검색: '"precedent search" finds records of every kind',
  왜: '"precedent why" shows what was decided, and why',
  검토: '"precedent review" goes through what agents saved',
  되돌리기: '"precedent undo REF" takes back what was saved',
  ui: '"precedent open" opens the page of this memory in a browser',
};

/** What to type for another program's word, or for the name of a tool that was typed as a command. */
function toolHint(argv: string[]): string {
  const name = argv[commandAt(argv)];
  const meant = name !== undefined && Object.hasOwn(MEANT, name) ? MEANT[name] : undefined;
  if (meant !== undefined && specAt(argv) === undefined) return `(${meant}.)\n`;
  const isTool = catalogue.some(({ words }) => words[0] === 'tool' && words[1] === name);
  return isTool && specAt(argv) === undefined
    ? `(For a tool of agents, type "precedent tool ${name}".)\n`
    : '';
}

/** The commands that the first word leads to: none without one, every one for a word that may be mistyped. */
function commandsFor(first: string | undefined): readonly CommandSpec[] {
  if (first === undefined) return [];
  const own = catalogue.filter(({ words }) => words[0] === first);
  return own.length > 0 ? own : catalogue;
}

/** Where the command is in a command line, after any global options; -1 when there is none. */
export function commandAt(argv: string[]): number {
  return argv.findIndex(
    (word, at) => at >= 2 && !word.startsWith('-') && !TAKES_VALUE.has(argv[at - 1] ?? ''),
  );
}

/** Whether answers and refusals are to be JSON. */
export const isForPrograms = (argv: string[]): boolean => argv.includes('--json');

/** The command that was typed; undefined where it is unknown. */
export function specAt(argv: string[]): CommandSpec | undefined {
  return specOf(argv.slice(commandAt(argv)).filter((word) => !word.startsWith('-')));
}

/** The command that these words begin with, or the one that its group alone means; undefined where there is none. */
export function specOf(typed: readonly string[]): CommandSpec | undefined {
  const isTyped = ({ words }: CommandSpec) => words.every((word, at) => typed[at] === word);
  return (
    catalogue.find(isTyped) ?? catalogue.find(({ words, isDefault }) => isDefault && words[0] === typed[0])
  );
}

/** What runs a command is loaded with it, and nothing of any other command. */
async function answerOf(spec: CommandSpec, given: Given, place: PlaceOptions, json: boolean) {
  const { operation } = spec;
  if (operation) {
    const { runOperation } = await import('./run-operation.ts');
    return runOperation({ ...spec, operation }, given, place);
  }
  const own = await loadOwn(spec.words);
  return own.run(given as Parameters<OwnCommand['run']>[0], place, json);
}

/** The command of the group that the first of two words names, or the program for one word. */
function parentOf(program: Command, [group = '', member]: string[]): Command {
  if (member === undefined) return program;
  const known = program.commands.find((command) => command.name() === group);
  return known ?? add(new Command(group).description(GROUPS[group] ?? ''), program);
}

/** Adds a command; an error in its use then names its own help. */
function add(command: Command, parent: Command, options?: CommandOptions): Command {
  const words = [...(parent.parent ? ['precedent'] : []), parent.name(), command.name()].join(' ');
  parent.addCommand(command.copyInheritedSettings(parent), options);
  return command.showHelpAfterError(`(invalid/command_line, see "${words} --help")`);
}
