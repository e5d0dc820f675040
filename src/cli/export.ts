import { once } from 'node:events';
import type { ExportFormat } from '../memory/maintenance.ts';
import type { Memory } from '../memory/memory.ts';

/** Writes a whole memory to standard output, as fast as its reader takes it. */
export async function exportMemory(memory: Memory, format: ExportFormat): Promise<void> {
  await memory.export(format, async (line) => {
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
  });
}
