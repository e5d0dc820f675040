import type { DatabaseSync } from 'node:sqlite';
import { addWriter } from './fill-writer.ts';
import { generator } from './random.ts';

/**
 * Fills an empty memory with keywords `word 0` … and about `relations` relations among them, the same in every run;
 * the first ones are hubs with as many neighbours as `hubs` says. In raw SQL: through the product a million relations
 * would take minutes.
 */
export function fillKeywords(database: DatabaseSync, count: number, relations: number, hubs: number[]): void {
  addWriter(database);
  const record = database.prepare(
    "insert into records (kind, writer, session) values ('keyword', 1, 1) returning seq",
  );
  const keyword = database.prepare(
    'insert into keywords (seq, name, visits, created_at, last_visited) values (?, ?, 1, 0, 0)',
  );
  const relation = database.prepare(
    `insert into keyword_relations (from_seq, to_seq, type, times, created_at, last_at) values (?, ?, ?, 1, 0, ?)
      on conflict (from_seq, to_seq, type) do nothing returning 1`,
  );
  const connection = database.prepare(
    `insert into keyword_connections (keyword_seq, neighbour_seq, strength, last_at) values (?, ?, ?, ?)
      on conflict (keyword_seq, neighbour_seq) do update set strength = strength + excluded.strength`,
  );
  const random = generator(1);
  database.exec('begin');
  const seqs: number[] = [];
  for (let n = 0; n < count; n++) {
    const seq = record.get()?.seq as number;
    keyword.run(seq, `word ${n}`);
    seqs.push(seq);
  }
  const relate = (from: number, to: number, type: 'FOLLOWED_BY' | 'CO_OCCURS', time: number) => {
    const [a, b] = [seqs[from] as number, seqs[to] as number];
    if (a === b) return;
    const ends = type === 'CO_OCCURS' ? [Math.min(a, b), Math.max(a, b)] : [a, b];
    if (!relation.get(ends[0] as number, ends[1] as number, type, time)) return;
    const strength = type === 'CO_OCCURS' ? 5 : 10;
    connection.run(a, b, strength, time);
    connection.run(b, a, strength, time);
  };
  hubs.forEach((size, hub) => {
    for (let n = 1; n <= size; n++) relate(hub, (hub + n) % count, n % 2 ? 'FOLLOWED_BY' : 'CO_OCCURS', n);
  });
  const pick = () => Math.floor(random() * count);
  for (let n = hubs.reduce((sum, size) => sum + size, 0); n < relations; n++) {
    relate(pick(), pick(), n % 2 ? 'FOLLOWED_BY' : 'CO_OCCURS', n);
  }
  database.exec('commit');
}
