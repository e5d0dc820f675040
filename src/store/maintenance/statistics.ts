import { sql } from 'kysely';
import type { ObservationBrief } from '../../domain/observation.ts';
import { countOf, countRows } from '../rows.ts';
import type { Tx } from '../tx.ts';

/**
 * Counts of everything: records by kind, deleted observations apart; kinds and projects of those that are not.
 * @param top how many types of relations and observations to name @param most how many kinds and projects */
export async function collectStatistics(tx: Tx, top: number, most: number) {
  const { db } = tx;
  const records = await sql<{ kind: string; count: number }>`
    select kind, count(*) as count from records group by kind order by kind`.execute(db);
  const types = await sql<{ type: string; count: number }>`
    select type, count(*) as count from relations group by type order by count desc, type limit ${top}`.execute(
    db,
  );
  const connected = await sql<Omit<ObservationBrief, 'deleted'> & { deleted: number; relations: number }>`
    select o.id, o.title, o.type, case when o.deleted_at is null then 0 else 1 end as deleted, ends.relations
    from (
      select id, count(*) as relations
      from (select from_id as id from relations union all select to_id from relations) as each_end
      group by id order by relations desc, id limit ${top}
    ) as ends join observations as o on o.id = ends.id
    order by ends.relations desc, o.id`.execute(db);
  const kinds = await sql<{ type: string; count: number }>`
    select type, count(*) as count from observations where deleted_at is null
    group by type order by count desc, type limit ${most}`.execute(db);
  const projects = await sql<{ project: string; count: number }>`
    select project, count(*) as count from observations where deleted_at is null and project <> ''
    group by project order by count desc, project limit ${most}`.execute(db);
  return {
    records: records.rows,
    deletedObservations: await countOf(tx, sql`observations where deleted_at is not null`),
    relations: await countRows(tx, 'relations'),
    commonestTypes: types.rows,
    kinds: kinds.rows,
    projects: projects.rows,
    mostConnected: connected.rows.map((row) => ({ ...row, deleted: row.deleted === 1 })),
  };
}
