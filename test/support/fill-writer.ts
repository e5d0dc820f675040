import type { DatabaseSync } from 'node:sqlite';

/** Adds who wrote what a test writes in raw SQL. @returns the writer's number */
export function addWriter(database: DatabaseSync, session = 's'): number {
  const row = database
    .prepare("insert into writers (author, host, client, session) values ('', '', 'bench', ?) returning id")
    .get(session);
  return Number(row?.id);
}
