import { Command, CommanderError } from 'commander';
import pkg from '../../package.json' with { type: 'json' };
import { PrecedentError } from '../domain/error.ts';
import { visible } from '../domain/visible.ts';
import { operations } from '../operations/index.ts';
import { commandOf } from '../operations/names.ts';
import { line, warn } from '../operations/view.ts';
import { commandFor } from './command.ts';
import { EXIT_CODE } from './exit.ts';
import { addOwnCommands } from './own-commands.ts';
import { findEmbedder, givenName, type PlaceOptions } from './place.ts';
import { open, print, withMemory } from './run.ts';

/** Global options that are followed by a value. */
const TAKES_VALUE = new Set(['--db', '--workspace']);

const GROUPS: Record<string, string> = {
  mama: 'decisions by topic: save, search, outcome, checkpoint',
  decision: 'decisions by id: save, revise, read, retrieve by tiers',
  evidence: 'the grounds of decisions',
  anchor: 'reminders that point at decisions and evidence',
  mem: 'observations and the relations between them',
  keywords: 'the keyword graph: what messages are about',
  memo: 'memos about keywords, explored step by step',
};

/** Runs one command line. @returns the exit code, or undefined while a server goes on running */
export async function main(argv: string[]): Promise<number | undefined> {
  const program = buildProgram(firstWord(argv) === 'mcp');
  try {
    await program.parseAsync(asWords(argv));
    return process.exitCode === undefined ? undefined : Number(process.exitCode);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODE.invalid;
    return report(error, argv.includes('--json'));
  }
}

/** Who knows a tool by its MCP name may call it by that name: `mama_save` is `mama save`. */
function asWords(argv: string[]): string[] {
  return argv.flatMap((word, index) => {
    const operation = index >= 2 && operations.find((each) => each.name === word);
    return operation && argv.indexOf(word) === index ? commandOf(operation.name) : [word];
  });
}

/** The command that is asked for, whatever global options stand before it. */
function firstWord(argv: string[]): string | undefined {
  const index = argv.findIndex(
    (word, at) => at >= 2 && !word.startsWith('-') && !TAKES_VALUE.has(argv[at - 1] ?? ''),
  );
  return argv[index];
}

/** @param serving a server has ten seconds to start, and no use for twenty commands */
function buildProgram(serving: boolean): Command {
  const program = new Command('precedent')
    .description('The memory of why for LLM agents.')
    .version(pkg.version)
    .option('--db <db>', 'the memory’s file, or the address of a PostgreSQL database (PRECEDENT_DB)')
    .option('--workspace <name>', 'the memory’s name; default: after the repository (PRECEDENT_WORKSPACE)')
    .showHelpAfterError('(precedent --help lists the commands)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeErr: (text) => process.stderr.write(visible(text)) })
    .exitOverride();

  const offered = serving ? [] : operations;
  for (const operation of offered) {
    const command = commandFor(operation, async (input, json) => {
      await withMemory(program, async (memory) => {
        const result = await memory.call(operation.name, input);
        await print(json, result, () => [
          ...operation.view(result as never),
          ...(result.degraded ? [line(warn(`! ${result.degraded}`))] : []),
        ]);
      });
    });
    parentOf(program, commandOf(operation.name)).addCommand(inheritSettings(command, program));
  }

  program
    .command('mcp')
    .description('serve MCP over standard input and output; for an agent’s configuration')
    .option('--tools <families>', 'offer only these families of tools, separated by commas')
    .action(async ({ tools }: { tools?: string }) => {
      // An agent cannot mend a wrong name: say it at the start, not with each call.
      givenName(program.opts<PlaceOptions>(), process.env);
      findEmbedder(process.env);
      const { serveMcp } = await import('../mcp/stdio.ts');
      serveMcp(() => open(program, undefined), pkg.version, tools);
    });

  if (!serving) addOwnCommands(program);
  return program;
}

/** The group a command stands in, made at its first member. */
function parentOf(program: Command, words: string[]): Command {
  const [group = ''] = words;
  if (words.length === 1) return program;
  const known = program.commands.find((command) => command.name() === group);
  if (known) return known;
  const made = inheritSettings(new Command(group).description(GROUPS[group] ?? ''), program);
  program.addCommand(made);
  return made;
}

function inheritSettings(command: Command, program: Command): Command {
  return command.copyInheritedSettings(program);
}

function report(error: unknown, json: boolean): number {
  const known =
    error instanceof PrecedentError
      ? error
      : new PrecedentError('internal', error instanceof Error ? error.message : String(error));
  const { code, message } = known;
  process.stderr.write(
    json ? `${JSON.stringify({ error: { code, message } })}\n` : `precedent: ${visible(message)}\n`,
  );
  return EXIT_CODE[code];
}
