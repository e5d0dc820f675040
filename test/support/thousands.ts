import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openMemory } from '../../src/index.ts';
import { pageOf } from './explorer.ts';
import { fillDecisions } from './fill-decisions.ts';
import { type Serving, serving } from './serving.ts';

/** A server with the page on a memory of so many decisions, in twelve scopes, with twice as many links among them. */
export async function servingThousands(folder: string, count: number): Promise<Serving> {
  const file = join(folder, 'large.db');
  await (await openMemory({ db: file, workspace: 'large' })).close();
  const database = new DatabaseSync(file);
  fillDecisions(database, count);
  database.exec(
    `update decisions set scope = 'scope' || (seq % 12), created_at = 1700000000000 + (seq * 7919 % ${count}) * 3600000`,
  );
  database.exec(`insert or ignore into decision_edges select a.id, b.id, 'builds_on', a.created_at from decisions a
    join decisions b on b.seq in (a.seq * 31 % ${count} + 1, a.seq * 17 % ${count} + 1) and b.id <> a.id`);
  database.close();
  return serving(folder, {}, { page: pageOf(false) });
}
