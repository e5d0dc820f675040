import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sixWeeks } from './narae.ts';
import { ownDecisions } from './precedent.ts';

/**
 * Writes what `precedent open --demo` shows: a stream for each of its memories, which it fills by importing them. They are made
 * with each build, since they follow from docs/decisions/ and from the schema.
 * @param folder where the streams are written, each called as its memory; made where it is missing
 */
export async function writeDemo(folder: string): Promise<void> {
  const streams = { narae: (await sixWeeks(false)).lines, precedent: await ownDecisions() };
  mkdirSync(folder, { recursive: true });
  for (const [name, lines] of Object.entries(streams))
    writeFileSync(join(folder, `${name}.jsonl`), `${lines.join('\n')}\n`);
}
