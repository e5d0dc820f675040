import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openMemory } from '../dist/index.js';
import { fillGraph } from '../test/support/fill-graph.ts';
import { compare, heading, machine } from './measure.ts';

/**
 * `mem_build_context` to a depth of five, against a breadth-first walk in prepared statements that reads the same
 * edges of the same file in the same run; and single reads at the same sizes.
 *
 *   node bench/context.ts
 */
const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
try {
  machine();
  await measure(1_000, 3_000, [], 20);
  await measure(100_000, 300_000, [10_000, 10_000], 5);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(count: number, relations: number, hubs: number[], runs: number): Promise<void> {
  const file = join(folder, `${count}.db`);
  const memory = await openMemory({ db: file });
  const raw = new DatabaseSync(file);
  fillGraph(raw, count, relations, hubs);
  heading(
    `${count} observations, ${relations} relations${hubs.length > 0 ? `, hubs of ${hubs.join(', ')}` : ''}`,
  );

  const walk = rawWalk(raw);
  const start = (n: number) => 50 + ((n * 37) % (count - 50));
  const context = (observation_id: number, limit: number) =>
    memory.mem.buildContext({ observation_id, depth: 5, limit });
  const { total } = await context(start(0), 200);
  await compare(
    `context of depth 5 (${total} within it, 200 shown)`,
    runs,
    (n) => context(start(n), 200),
    (n) => walk(start(n), 5),
    hubs.length > 0 ? 2 : undefined,
  );
  if (hubs.length > 0) {
    await compare(
      'context of depth 1 at a hub, 200 shown',
      runs * 4,
      () => memory.mem.buildContext({ observation_id: 1 }),
      () => walk(1, 1),
    );
  }
  await compare(
    'mem_get_observation',
    runs * 50,
    (n) => memory.mem.getObservation({ id: start(n) }),
    rawRead(raw, start),
    5,
  );
  raw.close();
  await memory.close();
}

/** Breadth first, both directions, one prepared statement a node. @returns how many were reached */
function rawWalk(raw: DatabaseSync): (start: number, depth: number) => number {
  const links = raw.prepare(
    'select id, to_id as other from relations where from_id = ? union all select id, from_id from relations where to_id = ?',
  );
  return (start, depth) => {
    const seen = new Set<unknown>([start]);
    let level: number[] = [start];
    for (let distance = 0; distance < depth; distance++) {
      const next: number[] = [];
      for (const node of level) {
        for (const { other } of links.all(node, node)) {
          if (seen.has(other)) continue;
          seen.add(other);
          next.push(other as number);
        }
      }
      level = next;
    }
    return seen.size;
  };
}

/** The rows that one read shows: the observation, its relations and their other ends, their numbers. */
function rawRead(raw: DatabaseSync, start: (n: number) => number): (n: number) => unknown {
  const observation = raw.prepare(
    'select o.*, w.session, w.client from observations o join writers w on w.id = o.writer where o.id = ?',
  );
  const side = (own: string, other: string) =>
    raw.prepare(`select r.*, o.title, o.type as kind, o.deleted_at from relations r
      join observations o on o.id = r.${other} where r.${own} = ? order by r.id desc limit 50`);
  const count = (own: string) => raw.prepare(`select count(*) from relations where ${own} = ?`);
  const statements = [
    observation,
    side('from_id', 'to_id'),
    side('to_id', 'from_id'),
    count('from_id'),
    count('to_id'),
  ];
  return (n) => {
    raw.exec('begin');
    const rows = statements.map((statement) => statement.all(start(n)));
    raw.exec('commit');
    return rows;
  };
}
