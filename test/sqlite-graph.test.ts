import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { withinProcessorTime } from './support/clock.ts';
import { scratch } from './support/engines.ts';
import { fillGraph } from './support/fill-graph.ts';

describe('a large graph', () => {
  it('a hub of ten thousand relations answers within the cap, quickly, and says what it left out', async () => {
    const file = join(scratch(), 'memory.db');
    const memory = await openMemory({ db: file });
    const database = new DatabaseSync(file);
    fillGraph(database, 12_000, 30_000, [10_000]);
    database.close();
    await memory.mem.getObservation({ id: 1 });
    const { near, far, read, listed } = await withinProcessorTime(2_000, async () => ({
      near: await memory.mem.buildContext({ observation_id: 1 }),
      far: await memory.mem.buildContext({ observation_id: 1, depth: 5 }),
      read: await memory.mem.getObservation({ id: 1 }),
      listed: await memory.mem.relations({ observation_id: 1 }),
    }));
    assert(near.truncated && near.total > 9_000 && near.root.children.length === 199, String(near.total));
    assert(far.truncated && far.total > near.total && far.root.children.length === 199, String(far.total));
    assert(read.relation_count.outgoing + read.relation_count.incoming > 10_000);
    assert.equal(listed.outgoing.length, 100);
    await memory.close();
  });
});
