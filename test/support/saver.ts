import './patient.cjs';
import { Connection } from '../../src/memory/connection.ts';
import { type Memory, openMemory } from '../../src/memory/memory.ts';

/**
 * A process of its own that saves when it is told to, by messages: `lasting` keeps each memory open as a server does, and
 * opens it again after it was unavailable; otherwise it is opened for one call, as on the command line.
 */
export type Order = { id: number; db: string; text: string; lasting: boolean };
export type Report = { id: number; saved: boolean; error?: string };

const connections = new Map<string, Connection>();

process.on('message', async ({ id, db, text, lasting }: Order) => {
  const report = (rest: Omit<Report, 'id'>) => process.send?.({ id, ...rest });
  const save = (call: Memory['call']) => call('mem_save', { title: text, content: text });
  try {
    if (lasting) {
      const connection = connections.get(db) ?? new Connection(() => openMemory({ db }));
      connections.set(db, connection);
      await save(connection.call);
    } else {
      const memory = await openMemory({ db });
      await save(memory.call).finally(() => memory.close());
    }
    report({ saved: true });
  } catch (error) {
    report({ saved: false, error: error instanceof Error ? error.message : String(error) });
  }
});
