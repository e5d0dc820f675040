import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pipeAt, requireFile, unreadable } from '../input/input.ts';
import { linesOf } from '../input/lines.ts';
import { withMemory } from '../open.ts';
import { viewOfImport } from '../output/import-view.ts';
import { withProgressBar } from '../output/progress.ts';
import { defineCommand } from '../own-command.ts';
import type { PlaceOptions } from '../place.ts';
import { COPY, inScratch, scratchPlace } from '../scratch.ts';

const EXPECTED = 'a file to import';

export const importMemory = defineCommand({
  name: 'import',
  summary: 'read an exported memory into an empty one',
  examples: ['--db imported.db import why.jsonl', '--db piped.db import < why.jsonl'],
  arguments: {
    file: { summary: 'the output of "precedent export --format jsonl"; default: standard input' },
  },
  async run({ file }, place) {
    const pipe = file === undefined || file === '-' ? process.stdin : pipeAt(file, EXPECTED);
    if (file !== undefined && pipe === undefined) return importFrom(file, place);
    return inScratch(await scratchPlace(place), async (folder) => {
      // Read to its end first: an import holds the lock, and a pipe may take as long as it likes.
      const received = join(folder, COPY.lines);
      await pipeline(pipe ?? process.stdin, createWriteStream(received, { mode: 0o600 }));
      return importFrom(received, place);
    });
  },
});

async function importFrom(file: string, place: PlaceOptions) {
  const input = await openFile(file);
  return withMemory(place, async (memory) => {
    const imported = await withProgressBar((progress) => memory.import(linesOf(input), progress));
    const { workspace } = memory;
    return { report: { workspace, ...imported }, view: viewOfImport(imported, workspace) };
  });
}

async function openFile(file: string) {
  requireFile(file, EXPECTED);
  const stream = createReadStream(file);
  await once(stream, 'open').catch((error: unknown) => {
    throw unreadable(file, EXPECTED, error);
  });
  return stream;
}
