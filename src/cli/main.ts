import { CommanderError } from 'commander';
import { asPrecedentError } from '../domain/error.ts';
import { visible, visibleJson } from '../domain/text/visible.ts';
import { findOperation } from '../operations/index.ts';
import { commandOf } from '../operations/names.ts';
import { becomeCurrent } from './agents/current.ts';
import { EXIT_CODE } from './exit.ts';
import { requireUtf8 } from './input/utf8.ts';
import { log } from './output/print.ts';
import { buildProgram, commandAt } from './program.ts';

/** Runs one command line. @returns the exit code, or undefined while a server goes on running */
export async function main(argv: string[]): Promise<number | undefined> {
  const code = await run(argv);
  await becomeCurrent();
  return code;
}

async function run(argv: string[]): Promise<number | undefined> {
  try {
    requireUtf8(argv);
    await buildProgram(argv).parseAsync(asWords(argv));
    return process.exitCode === undefined ? undefined : Number(process.exitCode);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODE.invalid;
    return report(error, argv.includes('--json'));
  }
}

/** An operation can also be called by the name of its MCP tool: `mama_save` is `mama save`. */
function asWords(argv: string[]): string[] {
  const at = commandAt(argv);
  const operation = findOperation(argv[at] ?? '');
  return operation ? argv.toSpliced(at, 1, ...commandOf(operation.name)) : argv;
}

/** Says what went wrong, on standard error. @returns the exit code */
function report(error: unknown, json: boolean): number {
  const { code, message, workspace } = asPrecedentError(error, log);
  if (json) {
    const report = { code, message, ...(workspace !== undefined && { workspace }) };
    process.stderr.write(`${visibleJson(JSON.stringify({ error: report }))}\n`);
  } else {
    log(message);
    if (workspace !== undefined) process.stderr.write(`  workspace ${visible(workspace)}\n`);
  }
  return EXIT_CODE[code];
}
