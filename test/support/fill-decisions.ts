import type { DatabaseSync } from 'node:sqlite';
import { addWriter } from './fill-writer.ts';

/**
 * Fills a memory with decisions of a few common words, the same in every run; every thousandth is of the scope
 * `rare`, and says little of what is asked for. In raw SQL, since it is for thousands.
 */
export function fillDecisions(database: DatabaseSync, count: number): void {
  addWriter(database);
  const record = database.prepare(
    "insert into records (kind, writer, session) values ('decision', 1, 1) returning seq",
  );
  const decision = database.prepare(
    `insert into decisions (seq, id, root_id, version, text, strength, scope, confidence, is_active, withdrawn,
      created_at, updated_at) values (?, ?, ?, 1, ?, 'normal', ?, 0.5, 1, 0, ?, ?)`,
  );
  const document = database.prepare("insert into search_text (rowid, title, body) values (?, '', ?)");
  database.exec('begin');
  for (let n = 1; n <= count; n++) {
    const isRare = n % 1_000 === 0;
    const words = isRare
      ? [...Array.from({ length: 10 }, (_, word) => `word${word}`), ...'a long tail of other text'.split(' ')]
      : Array.from({ length: 3 + (n % 5) }, (_, position) => `word${(n * (position + 3) + position) % 10}`);
    const text = `${words.join(' ')} number${n}`;
    const seq = record.get()?.seq as number;
    const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
    decision.run(seq, id, id, text, isRare ? 'rare' : 'common', n % 7, n % 7);
    document.run(seq, text);
  }
  database.exec('commit');
}
