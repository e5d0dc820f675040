import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { viewOfImport } from '../import-view.ts';
import { requireFile, unreadable } from '../input.ts';
import { withMemory } from '../open.ts';
import { defineCommand } from '../own-command.ts';
import { withProgressBar } from '../progress.ts';

export const importMemory = defineCommand({
  name: 'import',
  summary: 'read an exported memory into an empty one',
  arguments: {
    file: { summary: 'the output of "precedent export --format jsonl"; default: standard input' },
  },
  async run({ file }, place) {
    const input = file === undefined || file === '-' ? process.stdin : await openFile(file);
    return withMemory(place, async (memory) => {
      const imported = await withProgressBar((progress) => memory.import(linesOf(input), progress));
      const { workspace } = memory;
      return { report: { workspace, ...imported }, view: viewOfImport(imported, workspace) };
    });
  },
});

/** Starts to read when the first line is asked for: readline drops the lines that no iterator waits for. */
async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  yield* createInterface({ input });
}

async function openFile(file: string) {
  const expected = 'a file to import';
  requireFile(file, expected);
  const stream = createReadStream(file);
  await once(stream, 'open').catch((error: unknown) => {
    throw unreadable(file, expected, error);
  });
  return stream;
}
