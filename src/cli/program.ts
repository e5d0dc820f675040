import { Command, type CommandOptions } from 'commander';
import pkg from '../../package.json' with { type: 'json' };
import { visible } from '../domain/text/visible.ts';
import { DATABASES } from '../memory/engines.ts';
import type { Memory } from '../memory/memory.ts';
import { findOperation, operations } from '../operations/index.ts';
import { commandOf } from '../operations/names.ts';
import type { Operation } from '../operations/operation.ts';
import { dim, line, warn, warnings } from '../operations/view.ts';
import { operationCommand, ownCommand } from './command.ts';
import { commands } from './commands/index.ts';
import { mcp } from './commands/mcp.ts';
import { withExistingMemory, withMemory, withMemoryToRead } from './open.ts';
import { type Answer, log } from './output/print.ts';
import type { PlaceOptions } from './place.ts';
import { SHORTCUTS } from './shortcuts.ts';

/** What the groups are about: the first word of a command that has two. */
const GROUPS: Record<string, string> = {
  mama: 'decisions by topic: save, search, outcome, checkpoint',
  decision: 'decisions by id: save, revise, read, retrieve by tiers',
  topic: 'names of topics',
  scope: 'names of scopes',
  list: 'what there is: decisions that stand, observations, memos, topics, scopes, authors',
  author: 'who wrote in this memory',
  evidence: 'the grounds of decisions',
  anchor: 'reminders that point at decisions and evidence',
  mem: 'observations and the relations between them',
  changed: 'whether anything is new',
  keyword: 'keywords and how strongly they are connected',
  keywords: 'the keyword graph: what messages are about',
  memo: 'memos about keywords, explored step by step',
  token: 'who may use a server: add, list, revoke',
  workspace: 'the memories on this machine or server: rename, alias, remove',
};

/** Global options that are followed by a value. */
const TAKES_VALUE = new Set(['--db', '--workspace']);

/** The whole command line: a command for each operation, then the commands that are none. */
export function buildProgram(argv: string[]): Command {
  const program = new Command('precedent')
    .description('The memory of why for LLM agents.')
    .version(pkg.version)
    .option('--db <db>', `the memory: ${DATABASES} (PRECEDENT_DB)`)
    .option('--workspace <name>', 'the memory’s name; default: that of the repository (PRECEDENT_WORKSPACE)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeErr: (text) => process.stderr.write(visible(text)) })
    .exitOverride()
    .showHelpAfterError('(see "precedent --help")');
  const place = () => program.opts<PlaceOptions>();

  // A server has ten seconds to start, and no use for the other commands.
  const isServer = argv[commandAt(argv)] === mcp.name;
  const commandFor = (operation: Operation, words?: Parameters<typeof operationCommand>[2]) => {
    const withIt =
      operation.access === 'read' ? withMemoryToRead : operation.begins ? withMemory : withExistingMemory;
    return operationCommand(
      operation,
      (input, show) => withIt(place(), async (memory) => show(await answerOf(operation, memory, input))),
      words,
    );
  };
  for (const operation of isServer ? [] : operations)
    add(commandFor(operation), parentOf(program, commandOf(operation.name)));
  for (const { word, of, title, about, isDefault } of isServer ? [] : SHORTCUTS) {
    const words = word.split(' ');
    const operation = findOperation(of) as Operation;
    const command = commandFor(operation, { word: words.at(-1) as string, title, about });
    add(command, parentOf(program, words), { isDefault: isDefault === true });
  }
  for (const own of isServer ? [mcp] : commands)
    add(ownCommand(own, place), parentOf(program, own.name.split(' ')));
  return program;
}

/** Where the command stands in a command line, behind any global options; -1 when there is none. */
export function commandAt(argv: string[]): number {
  return argv.findIndex(
    (word, at) => at >= 2 && !word.startsWith('-') && !TAKES_VALUE.has(argv[at - 1] ?? ''),
  );
}

/** The command line names the workspace always (K-3), also where the result does not. */
async function answerOf(operation: Operation, memory: Memory, input: unknown): Promise<Answer> {
  const { workspace } = memory;
  const result = await memory.call(operation.name, input, undefined, log);
  const report = operation.exact ? result : { ...result, workspace };
  const degraded = result.degraded ? [line(warn(`! ${result.degraded}`))] : [];
  const told = Array.isArray(result.warnings) ? warnings(result.warnings) : [];
  const named = 'workspace' in result ? [] : [line(dim(`workspace ${workspace}`))];
  return { report, view: [...operation.view(report as never), ...named, ...told, ...degraded] };
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
  return command.showHelpAfterError(`(see "${words} --help")`);
}
