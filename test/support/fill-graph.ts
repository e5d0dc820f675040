import type { DatabaseSync } from 'node:sqlite';
import { addWriter } from './fill-writer.ts';
import { generator } from './random.ts';

/**
 * Fills a memory with observations 1 … `count` and about `relations` relations among them, the same in every run;
 * observation 1, 2, … is a hub with as many relations as `hubs` says. In raw SQL: through the product a hundred
 * thousand durable saves would take minutes.
 */
export function fillGraph(database: DatabaseSync, count: number, relations: number, hubs: number[]): void {
  addWriter(database);
  const record = database.prepare(
    "insert into records (kind, writer, session) values ('observation', 1, 1) returning seq",
  );
  const observation = database.prepare(
    `insert into observations (seq, title, content, content_hash, type, project, scope, revision_count,
      duplicate_count, created_at, updated_at, last_seen_at, writer)
      values (?, ?, ?, ?, 'manual', '', 'project', 0, 0, 0, 0, 0, 1)`,
  );
  const document = database.prepare('insert into search_text (rowid, title, body) values (?, ?, ?)');
  const relation = database.prepare(
    'insert or ignore into relations (from_id, to_id, type, created_at, writer) values (?, ?, ?, 0, 1)',
  );
  const random = generator(1);
  const pick = () => 1 + Math.floor(random() * count);
  database.exec('begin');
  for (let n = 1; n <= count; n++) {
    const seq = record.get()?.seq as number;
    const text = `word${n % 997} word${n % 89} word${n % 13} number${n}`;
    observation.run(seq, `observation ${n}`, text, String(n));
    document.run(seq, `observ ${n}`, text);
  }
  hubs.forEach((size, index) => {
    for (let n = 0; n < size; n++) {
      const other = 1 + ((index + 1 + n) % count);
      if (other !== index + 1) relation.run(index + 1, other, n % 2 === 0 ? 'relates_to' : 'depends_on');
    }
  });
  const hubRelations = hubs.reduce((sum, size) => sum + size, 0);
  for (let n = hubRelations; n < relations; n++) {
    const [from, to] = [pick(), pick()];
    if (from !== to) relation.run(from, to, 'relates_to');
  }
  database.exec('commit');
}
