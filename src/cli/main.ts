import { randomUUID } from 'node:crypto';
import { text as readAll } from 'node:stream/consumers';
import { Command, CommanderError, Option } from 'commander';
import pkg from '../../package.json' with { type: 'json' };
import { type ErrorCode, PrecedentError } from '../domain/error.ts';
import { EXPORT_FORMATS, type ExportFormat, type Memory, openMemory } from '../memory.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import type { View } from '../operations/view.ts';
import { commandFor, wordsOf } from './command.ts';
import { findEmbedder, findPlace, givenName, type PlaceOptions } from './config.ts';
import { visible } from './visible.ts';

/** What a shell sees of each kind of error. */
const EXIT_CODE: Record<ErrorCode, number> = {
  internal: 1,
  invalid: 2,
  not_found: 3,
  conflict: 4,
  unavailable: 5,
  unauthorized: 6,
};

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
    return operation && argv.indexOf(word) === index ? wordsOf(operation) : [word];
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
    .option('--db <file>', 'the memory file (PRECEDENT_DB)')
    .option('--workspace <name>', 'the memory’s name; default: after the repository (PRECEDENT_WORKSPACE)')
    .showHelpAfterError('(precedent --help lists the commands)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeErr: (text) => process.stderr.write(visible(text)) })
    .exitOverride();

  const offered = serving ? [] : (operations as unknown as readonly Operation[]);
  for (const operation of offered) {
    const command = commandFor(operation, async (input, json) => {
      await withMemory(program, async (memory) => {
        const result = await memory.call(operation.name, input);
        await print(json, result, () => operation.view(result as never));
      });
    });
    parentOf(program, wordsOf(operation)).addCommand(inheritSettings(command, program));
  }

  program
    .command('mcp')
    .description('serve MCP over standard input and output; for an agent’s configuration')
    .option('--tools <families>', 'offer only these families of tools, separated by commas')
    .action(async ({ tools }: { tools?: string }) => {
      // An agent cannot mend a wrong name: say it at the start, not with each call.
      givenName(program.opts<PlaceOptions>(), process.env);
      findEmbedder(process.env);
      const { serveMcp } = await import('./mcp.ts');
      serveMcp(() => open(program, undefined), pkg.version, tools);
    });

  program
    .command('doctor')
    .description('where the memory is, its size and schema, and whether it works')
    .option('--json', 'print the answer as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { examine } = await import('./doctor.ts');
      await withMemory(program, async (memory) => {
        const { view, report, healthy } = await examine(memory);
        await print(json === true, report, () => view);
        if (!healthy) process.exitCode = EXIT_CODE.unavailable;
      });
    });

  program
    .command('trigger')
    .argument('<text>', 'a message; - for standard input')
    .description('whether a message asks to note something, or for more; writes nothing')
    .option('--json', 'print the answer as JSON')
    .action(async (message: string, { json }: { json?: boolean }) => {
      const { examineTrigger } = await import('./trigger.ts');
      const { view, report } = examineTrigger(message === '-' ? await readAll(process.stdin) : message);
      await print(json === true, report, () => view);
    });

  program
    .command('export')
    .description('write the whole memory to standard output')
    .addOption(new Option('--format <format>', 'as what').choices(EXPORT_FORMATS).makeOptionMandatory())
    .action(async ({ format }: { format: ExportFormat }) => {
      const { exportMemory } = await import('./export.ts');
      endQuietly();
      await withMemory(program, (memory) => exportMemory(memory, format));
    });

  program
    .command('embed')
    .description('give every record that lacks one a vector of the model in PRECEDENT_EMBED_URL')
    .option('--json', 'print the answer as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { embedAll } = await import('./embed.ts');
      await withMemory(program, async (memory) => {
        const { view, report } = await embedAll(memory);
        await print(json === true, report, () => view);
      });
    });
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

async function withMemory(program: Command, work: (memory: Memory) => Promise<void>): Promise<void> {
  const memory = await open(program, {
    session: process.env.PRECEDENT_SESSION ?? randomUUID(),
    client: 'cli',
  });
  try {
    await work(memory);
  } finally {
    await memory.close();
  }
}

async function open(
  program: Command,
  author: { session: string; client: string } | undefined,
): Promise<Memory> {
  const place = await findPlace(program.opts<PlaceOptions>(), process.env, process.cwd());
  const embedder = findEmbedder(process.env);
  const log = (message: string) => process.stderr.write(`precedent: ${visible(message)}\n`);
  // On the command line warnings stand in the answer; a second time on stderr would only be noise.
  const isServer = author === undefined;
  const quiet = (message: string) => (message.startsWith('internal error') ? log(message) : undefined);
  try {
    return await openMemory({
      ...place,
      ...(embedder && { embedder }),
      ...(author && { author }),
      log: isServer ? log : quiet,
    });
  } catch (error) {
    if (isServer || !(error instanceof PrecedentError)) throw error;
    throw new PrecedentError(error.code, `${error.message}\nIt was looked for at ${place.db}`, {
      cause: error,
    });
  }
}

/** A reader that has seen enough, such as `head`, is no error. */
function endQuietly(): void {
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`precedent: Standard output cannot be written (${error.code}).\n`);
    process.exit(EXIT_CODE.internal);
  });
}

async function print(json: boolean, result: object, view: () => View): Promise<void> {
  endQuietly();
  if (json) {
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    return;
  }
  const { render } = await import('./render.ts');
  const width = process.stdout.columns ?? 100;
  process.stdout.write(`${render(view(), { width, color: wantsColor(process.env) })}\n`);
}

/** By the conventions of no-color.org and force-color.org, else where a terminal can show it. */
function wantsColor(environment: NodeJS.ProcessEnv): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR) return !['0', 'false'].includes(environment.FORCE_COLOR);
  return process.stdout.isTTY && process.stdout.hasColors();
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
