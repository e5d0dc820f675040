import { sql } from 'kysely';
import type { ObservationBrief } from '../../domain/observation.ts';
import { countOf, countRows } from '../rows.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';

/**
 * Counts of everything: records by kind, deleted observations apart; kinds and projects of those that are not.
 * @param top how many types of relations and observations to name @param most how many kinds and projects */
export async function collectStatistics(tx: Tx, top: number, most: number) {
  const records = await query<{ kind: string; count: number }>(tx)`
    select kind, count(*) as count from records group by kind order by kind`;
  const types = await query<{ type: string; count: number }>(tx)`
    select type, count(*) as count from relations group by type order by count desc, type limit ${top}`;
  const connected = await query<Omit<ObservationBrief, 'deleted'> & { deleted: number; relations: number }>(
    tx,
  )`
    select o.id, o.title, o.type, case when o.deleted_at is null then 0 else 1 end as deleted, ends.relations
    from (
      select id, count(*) as relations
      from (select from_id as id from relations union all select to_id from relations) as each_end
      group by id order by relations desc, id limit ${top}
    ) as ends join observations as o on o.id = ends.id
    order by ends.relations desc, o.id`;
  const kinds = await query<{ type: string; count: number }>(tx)`
    select type, count(*) as count from observations where deleted_at is null
    group by type order by count desc, type limit ${most}`;
  const projects = await query<{ project: string; count: number }>(tx)`
    select project, count(*) as count from observations where deleted_at is null and project <> ''
    group by project order by count desc, project limit ${most}`;
  return {
    records,
    deletedObservations: await countOf(tx, sql`observations where deleted_at is not null`),
    relations: await countRows(tx, 'relations'),
    commonestTypes: types,
    kinds,
    projects,
    mostConnected: connected.map((row) => ({ ...row, deleted: row.deleted === 1 })),
  };
}
