import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Ddl } from '../engine.ts';
import { createDecisions } from './decisions.ts';
import { createMemos } from './memos.ts';
import { createObservations } from './observations.ts';
import { createRecords } from './records.ts';

/** The whole schema of the first release. Numbers below this one were given before it. */
export function createMemory(ddl: Ddl): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await createRecords(db, ddl);
      await createDecisions(db, ddl);
      await createObservations(db, ddl);
      await createMemos(db, ddl);
      await ddl.createTextIndex(db);
    },
  };
}
