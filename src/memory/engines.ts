import { existsSync } from 'node:fs';
import { PrecedentError } from '../domain/error.ts';
import type { Engine } from '../store/engine.ts';
import { openSqlite } from '../store/sqlite/engine.ts';

/** The engine is loaded with the first memory that needs it: who keeps a file pays nothing for a server. */
export async function openEngine(
  db: string,
  workspace: string,
  log: (message: string) => void,
): Promise<Engine> {
  if (!isPostgres(db)) return openSqlite(db, log);
  const { openPostgres } = await import('../store/postgres/engine.ts');
  return openPostgres(db, workspace, log);
}

/** Whether such a memory was made already; nothing is made. @throws PrecedentError when that cannot be told */
export async function memoryExists({ db, workspace }: { db: string; workspace: string }): Promise<boolean> {
  if (!isPostgres(db)) return existsSync(db);
  const { isPostgresThere } = await import('../store/postgres/engine.ts');
  return isPostgresThere(db, workspace);
}

/** Whether `db` is the address of a PostgreSQL database, not a file. */
export function isPostgres(db: string): boolean {
  return /^postgres(ql)?:\/\//i.test(db);
}

/** @throws PrecedentError `invalid` for an address of something else: as a file name it would show its password */
export function checkDatabase(db: string): void {
  if (isPostgres(db) || !/^[a-z][a-z0-9+.-]+:\//i.test(db)) return;
  throw new PrecedentError(
    'invalid',
    `Expected the path of a file or an address that begins with postgres://, found one that begins with ${db.replace(/:.*$/s, '')}:/.`,
  );
}
