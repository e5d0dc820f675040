import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { cleaningUp } from '../clean-up.ts';
import { viewOfImport } from '../import-view.ts';
import { requireFile, unreadable } from '../input.ts';
import { linesOf } from '../lines.ts';
import { withMemory } from '../open.ts';
import { defineCommand } from '../own-command.ts';
import type { PlaceOptions } from '../place.ts';
import { withProgressBar } from '../progress.ts';

export const importMemory = defineCommand({
  name: 'import',
  summary: 'read an exported memory into an empty one',
  arguments: {
    file: { summary: 'the output of "precedent export --format jsonl"; default: standard input' },
  },
  async run({ file }, place) {
    if (file !== undefined && file !== '-') return importFrom(file, place);
    const folder = mkdtempSync(join(tmpdir(), 'precedent-import-'));
    return cleaningUp(
      () => rmSync(folder, { recursive: true, force: true }),
      async () => {
        // Read to its end first: an import holds the lock, and a pipe may take as long as it likes.
        const received = join(folder, 'memory.jsonl');
        await pipeline(process.stdin, createWriteStream(received, { mode: 0o600 }));
        return importFrom(received, place);
      },
    );
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
  const expected = 'a file to import';
  requireFile(file, expected);
  const stream = createReadStream(file);
  await once(stream, 'open').catch((error: unknown) => {
    throw unreadable(file, expected, error);
  });
  return stream;
}
