import type { Ddl, Migrations } from '../engine.ts';
import { createDecisions } from './0001-decisions.ts';
import { createObservations } from './0002-observations.ts';
import { createMemos } from './0003-memos.ts';
import { createVectors } from './0004-vectors.ts';
import { createRedactions } from './0005-redactions.ts';

/** Every migration, oldest first. Names are stored in the database: never rename or reorder one. */
export function migrations(ddl: Ddl): Migrations {
  return {
    '0001-decisions': createDecisions(ddl),
    '0002-observations': createObservations(ddl),
    '0003-memos': createMemos(ddl),
    '0004-vectors': createVectors(ddl),
    '0005-redactions': createRedactions(ddl),
  };
}
