import { CommanderError } from 'commander';
import { asPrecedentError } from '../domain/error.ts';
import { visible, visibleJson } from '../domain/text/visible.ts';
import { becomeCurrent } from './agents/current.ts';
import { catalogue } from './catalogue/catalogue.ts';
import { EXIT_CODE } from './exit.ts';
import { requireUtf8 } from './input/utf8.ts';
import { log } from './output/print.ts';
import { buildProgram, commandAt, wordsAt } from './program.ts';

/** What the scripts of shells call; it is no command of people. */
const COMPLETE = 'complete';

/** Runs one command line. @returns the exit code, or undefined while a server goes on running */
export async function main(argv: string[]): Promise<number | undefined> {
  const code = await run(argv);
  await becomeCurrent();
  return code;
}

async function run(argv: string[]): Promise<number | undefined> {
  try {
    requireUtf8(argv);
    if (argv[2] === COMPLETE) {
      const { complete } = await import('./completion/complete.ts');
      return await complete(catalogue, argv);
    }
    const words = asWords(argv);
    await buildProgram(words).parseAsync(words);
    return process.exitCode === undefined ? undefined : Number(process.exitCode);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODE.invalid;
    return report(error, argv.includes('--json'), wordsAt(asWords(argv)));
  }
}

/** An operation can also be called by the name of its MCP tool: `mama_save` is `mama save`. */
function asWords(argv: string[]): string[] {
  const at = commandAt(argv);
  const found = catalogue.find(
    ({ operation, aliasOf }) => operation && operation.name === argv[at] && !aliasOf,
  );
  return found ? argv.toSpliced(at, 1, ...found.words) : argv;
}

/** Whoever typed a command knows its name: a refusal need not begin with that of the operation. */
const OPERATION = /^[a-z]+(?:_[a-z]+)*: (?=Expected )/;

/** Says what went wrong, on standard error. @param words of the command that was typed @returns the exit code */
function report(error: unknown, json: boolean, words: readonly string[]): number {
  const { code, message, workspace } = asPrecedentError(error, log);
  if (json) {
    const report = { code, message, ...(workspace !== undefined && { workspace }) };
    process.stderr.write(`${visibleJson(JSON.stringify({ error: report }))}\n`);
  } else {
    log(message.replace(OPERATION, ''));
    if (code === 'invalid' && words.length > 0)
      process.stderr.write(`(see "precedent ${words.join(' ')} --help")\n`);
    if (workspace !== undefined) process.stderr.write(`  workspace ${visible(workspace)}\n`);
  }
  return EXIT_CODE[code];
}
