import { sql } from 'kysely';
import type { OfRows } from '../engine.ts';

/** A decision on `scope:api` named files for the axes and locks of the scope `api`: each of these names them itself. */
export const migration: OfRows = {
  async up() {},
  async rows(db) {
    const lent = sql`from decisions as l where l.scope = 'scope' and l.is_active = 1 and l.files is not null
      and lower(l.topic) = 'scope:' || lower(decisions.scope)`;
    await sql`update decisions set files = (select l.files ${lent} order by l.seq desc limit 1)
      where is_active = 1 and files is null and strength <> 'normal' and exists (select 1 ${lent})`.execute(
      db,
    );
  },
};
