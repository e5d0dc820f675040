import { jsonIn } from '../domain/text/json.ts';
import { beginsAsDatabase } from '../memory/engines.ts';
import { counted, dim, good, line, warnings } from '../operations/view.ts';
import { openFile } from './input/file.ts';
import { countFilled, linesOf } from './input/lines.ts';
import { open, using } from './open.ts';
import type { Answer } from './output/print.ts';
import { withProgressBar } from './output/progress.ts';
import type { PlaceOptions } from './place.ts';

/** Whether a file is a memory, or a database of another program. @param expected as {@link openFile} has it */
export async function isMemory(path: string, ...expected: [string, string]): Promise<boolean> {
  for await (const chunk of await openFile(path, ...expected)) return beginsAsDatabase(chunk as Buffer);
  return false;
}

/** Whether a file has a save on each line: its first one names an operation. */
export async function hasSaves(path: string, expected: string): Promise<boolean> {
  for await (const text of linesOf(await openFile(path, expected))) {
    if (text.trim() === '') continue;
    const value = jsonIn(text);
    return typeof value === 'object' && value !== null && 'operation' in value;
  }
  return false;
}

/** Saves one record for each line of a file, all of them or none (U-7). */
export async function saveLines(
  path: string,
  expected: string,
  place: PlaceOptions,
  keepsSecrets: boolean,
): Promise<Answer> {
  const lines = linesOf(await openFile(path, expected));
  // Read twice, so that no line is kept.
  const all = async () => countFilled(await openFile(path, expected));
  return using(await open(place, { create: 'new' }), async (memory) => {
    const { saved, warnings: warned } = await withProgressBar(
      (progress) => memory.batch(lines, (done) => progress(done, all), { keepsSecrets }),
      'Saving ',
    );
    const { workspace } = memory;
    const count = counted(saved, 'record');
    return {
      report: { workspace, saved, warnings: warned },
      view: [line(good('✔ saved '), count, dim(`  workspace ${workspace}`)), ...warnings(warned)],
    };
  });
}
