import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { PrecedentError } from '../domain/error.ts';
import type { Memory } from '../memory/memory.ts';
import { dim, good, line, type View } from '../operations/view.ts';
import { progressBar } from './progress.ts';

type Taken = Awaited<ReturnType<Memory['import']>>;

/** Takes in an exported memory from a file, or from standard input without one. */
export async function importMemory(memory: Memory, file: string | undefined) {
  const input = file === undefined || file === '-' ? process.stdin : await openFile(file);
  const taken = await withBar((progress) => memory.import(linesOf(input), progress));
  return { view: viewOf(taken, memory.workspace), report: { workspace: memory.workspace, ...taken } };
}

/**
 * Copies a whole memory into an empty one, or into the place of one; what arrived is compared before it is kept. Into
 * one that was made of the same rows it copies nothing, whatever was saved there since.
 */
export async function copyMemory(from: Memory, to: Memory, options: { replace?: boolean } = {}) {
  const lines = new PassThrough({ objectMode: true });
  let goOn = () => {};
  for (const event of ['drain', 'close', 'error']) lines.on(event, () => goOn());
  const sending = from
    .export('jsonl', async (line) => {
      if (!lines.write(line) && !lines.destroyed) {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      }
      // Whoever read the lines has given up, and says why.
      if (lines.destroyed) throw new Error('nobody reads any more');
    })
    .then(
      () => lines.end(),
      (error: Error) => {
        lines.destroy(error);
        throw error;
      },
    );
  const taking = withBar((progress) => to.import(lines, progress, options)).finally(() => lines.destroy());
  // Both have ended when this has: nothing is closed while it is still read.
  const [sent, taken] = await Promise.allSettled([sending, taking]);
  if (sent.status === 'rejected' && sent.reason instanceof PrecedentError) throw sent.reason;
  if (taken.status === 'rejected') throw taken.reason;
  if (sent.status === 'rejected') throw sent.reason;
  return {
    view: viewOf(taken.value, to.workspace, from.workspace),
    report: { from: from.workspace, workspace: to.workspace, ...taken.value },
  };
}

/** Begins to read when somebody asks for the first line: what is read earlier is lost. */
async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  yield* createInterface({ input });
}

async function openFile(file: string) {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new PrecedentError('not_found', `Expected a file to import, found none at ${file}.`);
  }
  const stream = createReadStream(file);
  await once(stream, 'open').catch(() => {
    throw new PrecedentError('unavailable', `Expected to read ${file}, which is not allowed.`);
  });
  return stream;
}

async function withBar<T>(work: (progress: (done: number, all: number) => void) => Promise<T>): Promise<T> {
  const bar = progressBar();
  try {
    return await work(bar.update);
  } finally {
    bar.stop();
  }
}

function viewOf({ rows, unchanged }: Taken, workspace: string, from?: string): View {
  const all = Object.values(rows).reduce((sum, each) => sum + each, 0);
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
  return [
    unchanged
      ? line(dim(`= nothing changed: "${workspace}" was made of these ${count(all, 'row')} before`))
      : line(
          good('✔ '),
          `${count(rows.records ?? 0, 'record')} in ${count(all, 'row')}, checked`,
          dim(from === undefined ? `  workspace ${workspace}` : `  from workspace ${from} into ${workspace}`),
        ),
  ];
}
