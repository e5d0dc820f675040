import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { PrecedentError } from '../domain/error.ts';
import type { Memory } from '../memory.ts';
import { dim, good, line, type View } from '../operations/view.ts';
import { progressBar } from './progress.ts';

type Taken = Awaited<ReturnType<Memory['import']>>;

/** Takes in an exported memory from a file, or from standard input without one. */
export async function importMemory(memory: Memory, file: string | undefined) {
  const input = file === undefined || file === '-' ? process.stdin : await openFile(file);
  const taken = await withBar((progress) => memory.import(createInterface({ input }), progress));
  return { view: viewOf(taken, memory.workspace), report: { workspace: memory.workspace, ...taken } };
}

/**
 * Copies a whole memory into an empty one, or into the place of one; what arrived is compared before it is kept. Into
 * one that was made of the same rows it copies nothing, whatever was saved there since.
 */
export async function copyMemory(from: Memory, to: Memory, options: { replace?: boolean } = {}) {
  const lines = new PassThrough({ objectMode: true });
  const sent = from
    .export('jsonl', async (line) => {
      if (!lines.write(line)) await once(lines, 'drain');
    })
    .then(() => lines.end())
    .catch((error: Error) => lines.destroy(error));
  const taken = await withBar((progress) => to.import(lines, progress, options)).finally(() =>
    lines.destroy(),
  );
  await sent;
  return { view: viewOf(taken, to.workspace), report: { workspace: to.workspace, ...taken } };
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

function viewOf({ rows, unchanged }: Taken, workspace: string): View {
  const all = Object.values(rows).reduce((sum, each) => sum + each, 0);
  return [
    unchanged
      ? line(dim(`= nothing changed: "${workspace}" was made of these ${all} rows before`))
      : line(
          good('✔ '),
          `${rows.records ?? 0} records in ${all} rows, checked`,
          dim(`  workspace ${workspace}`),
        ),
  ];
}
