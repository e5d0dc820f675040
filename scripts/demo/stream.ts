import { createHash } from 'node:crypto';
import { type Memory, openMemory } from '../../src/index.ts';

/**
 * A memory as a stream for `precedent import`, the same in every run and on every machine.
 * @param workspace its name
 * @param live fills it; `goTo` sets its clock, in milliseconds UTC
 */
export async function streamOf(
  workspace: string,
  live: (memory: Memory, goTo: (time: number) => void) => Promise<void>,
): Promise<string[]> {
  let now = 0;
  let count = 0;
  const memory = await openMemory({
    db: ':memory:',
    workspace,
    writer: { host: '' },
    clock: () => now,
    newId: () => uuidOf(`${workspace} ${++count}`),
  });
  await live(memory, (time) => {
    now = time;
  });
  const lines: string[] = [];
  await memory.export('jsonl', (line) => lines.push(line));
  await memory.close();
  return lines;
}

/** A UUID v4 that looks like any other, the same for the same name. */
function uuidOf(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex');
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`];
  return [...parts, `8${digits.slice(17, 20)}`, digits.slice(20, 32)].join('-');
}
