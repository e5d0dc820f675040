import { join } from 'node:path';
import { readBounded } from '../../../files/bounded.ts';
import type { Importer, Machine } from '../importer.ts';
import { readDatabase } from '../source-database.ts';
import { objectOf } from '../values.ts';
import { requireDatabaseOf } from '../whose.ts';
import { readMama } from './read.ts';

/** MAMA, the server whose operations on decisions are ours: one file for all projects. */
export const mama: Importer = {
  name: 'mama',
  what: 'the database of MAMA 1.x or 2.x',
  hasScopes: true,
  places: ({ home, env }: Machine) =>
    [
      env.MAMA_DB_PATH,
      env.MAMA_DATABASE_PATH,
      configured(join(home, '.mama', 'config.json')),
      join(home, '.claude', 'mama-memory.db'),
    ].filter((place): place is string => Boolean(place)),
  read: (path, reading) =>
    readDatabase(path, (database) => {
      requireDatabaseOf('mama', database);
      return readMama(database, 'mama', reading);
    }),
};

/** 7-division's CAD server, whose memory began as MAMA's. */
export const sevenDivision: Importer = {
  name: '7-division',
  what: "the database of 7-division's CAD server",
  places: ({ home, env }: Machine) => [
    join(env.CAD_DATA_DIR ?? join(home, '.ai-native-cad', 'data'), 'mama.db'),
  ],
  read: (path, reading) =>
    readDatabase(path, (database) => {
      requireDatabaseOf('7-division', database);
      return readMama(database, '7-division', reading);
    }),
};

/** Where the person's own configuration says that the database is; no folder that is handed over has one. */
function configured(path: string): string | undefined {
  try {
    const { db_path } = objectOf(String(readBounded(path, { isOwn: true })));
    return typeof db_path === 'string' ? db_path : undefined;
  } catch {
    return undefined;
  }
}
