import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { withinProcessorTime } from './support/clock.ts';
import { enginesInTurn } from './support/engines.ts';
import { recordStatements } from './support/postgres.ts';

const COUNT = 1_000;

/** A tree of observations, four below each, as an exported memory: five steps from its root to the last of them. */
async function exportedTree(): Promise<string[]> {
  const memory = await openMemory({ db: ':memory:' });
  const ids: number[] = [];
  for (let n = 0; n < COUNT; n++) {
    const { id } = await memory.mem.save({ title: `node ${n}`, content: `node number ${n}` });
    const parent = ids[Math.floor((n - 1) / 4)];
    if (parent) await memory.mem.relate({ from_id: parent, to_id: id, relation_type: 'has' });
    ids.push(id);
  }
  const lines: string[] = [];
  await memory.export('jsonl', (line) => lines.push(line));
  await memory.close();
  return lines;
}

/** One engine after the other, and nothing beside them: the time is that of the whole process. */
describe('a walk over a graph', { concurrency: 1 }, () => {
  const exported = exportedTree();
  const depthOf = (branch: Branch): number =>
    branch.children.reduce((depth, each) => Math.max(depth, 1 + depthOf(each)), 0);

  for (const engine of enginesInTurn(8)) {
    it(`[R-15] depth 5 over a thousand observations, all of them returned, takes less than a second on ${engine.name}`, {
      ...(engine.skip !== undefined && { skip: engine.skip }),
    }, async () => {
      const memory = await engine.openFast();
      await memory.import(await exported);
      const statements = recordStatements();
      const { root, total, truncated } = await withinProcessorTime(1_000, () =>
        memory.mem.buildContext({ observation_id: 1, depth: 5, limit: 10_000 }),
      );
      assert.deepEqual([total, truncated, depthOf(root)], [COUNT, false, 5]);
      // A server's own time is none of this process's: what it is asked must not grow with the graph.
      assert(statements.length <= 30, `${statements.length} statements`);
    });
  }
});

type Branch = { children: Branch[] };
