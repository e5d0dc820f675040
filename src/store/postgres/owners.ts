import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { PrecedentError } from '../../domain/error.ts';
import { TABLE_NAMES } from '../tables.ts';
import { TEXT_INDEX_TABLES } from './text-index.ts';

/*
 * On a server that several roles use, whoever owns a schema, a table in it, a function of a trigger or an operator runs what
 * they like with the rights of those who use it (Z-10). So nothing is read or written before its owner is known. The
 * questions here are asked outside the workspace: each function is named with its schema, and each comparison has an
 * operator of its own types, so that nothing which somebody made elsewhere is a better match.
 */

/** Every table that is ours: of the records, of the text index, of the migrations. */
export const OURS: readonly string[] = [
  ...TABLE_NAMES,
  'meta',
  ...TEXT_INDEX_TABLES,
  'searchTotals',
  'kyselyMigration',
  'kyselyMigrationLock',
].map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/**
 * A recursive `with` of the roles that the asker trusts, as `trusted`: the asker, every role that it was made a member of,
 * the owner of the database, and superusers, who can do anything as it is. A superuser counts as a member of no other
 * role: it has the most to lose.
 */
export const TRUSTED = sql`own (oid) as (
    select r.oid from pg_catalog.pg_roles as r where r.rolname = current_user
    union select m.roleid from pg_catalog.pg_auth_members as m join own on m.member = own.oid
  ), trusted (oid) as (
    select oid from own
    union select d.datdba from pg_catalog.pg_database as d where d.datname = pg_catalog.current_database()
    union select r.oid from pg_catalog.pg_roles as r where r.rolsuper or r.rolname = 'pg_database_owner'
  )`;

/** Something in a schema that somebody else decides about. */
interface Strange {
  what: string;
  name: string;
  owner: string;
  asker: string;
}

/**
 * What in a schema belongs to somebody whom the asker does not trust, as `strange` of a `with`: the schema itself, or what a
 * memory uses in it. Members of a trusted owner of the schema may own tables in it: one of them brought it up to date.
 */
const strangeIn = (workspace: string) => sql`${TRUSTED}, here (oid, owner) as (
    select n.oid, n.nspowner from pg_catalog.pg_namespace as n where n.nspname = ${workspace}
  ), team (oid) as (
    select owner from here
    union select m.member from pg_catalog.pg_auth_members as m join team on m.roleid = team.oid
  ), ours (oid, name, owner) as (
    select c.oid, c.relname, c.relowner from pg_catalog.pg_class as c join here on c.relnamespace = here.oid
    where c.relname = any(${OURS}::text[])
  ), used (rank, what, name, owner) as (
    select 1, 'table', o.name::text, o.owner from ours as o
    union all
    select 2, 'trigger', t.tgname::text, p.proowner from ours as o
      join pg_catalog.pg_trigger as t on t.tgrelid = o.oid join pg_catalog.pg_proc as p on p.oid = t.tgfoid
    where not t.tgisinternal
    union all
    select 3, 'function', p.proname::text, p.proowner from here
      join pg_catalog.pg_depend as d on d.refclassid = 'pg_catalog.pg_namespace'::regclass and d.refobjid = here.oid
        and d.classid = 'pg_catalog.pg_proc'::regclass
      join pg_catalog.pg_proc as p on p.oid = d.objid
    union all
    select 4, 'operator', p.oprname::text, p.oprowner from here
      join pg_catalog.pg_depend as d on d.refclassid = 'pg_catalog.pg_namespace'::regclass and d.refobjid = here.oid
        and d.classid = 'pg_catalog.pg_operator'::regclass
      join pg_catalog.pg_operator as p on p.oid = d.objid
  ), strange (rank, what, name, owner) as (
    select 0, 'schema', ${workspace}::text, owner from here where owner not in (select oid from trusted)
    union all
    select * from used where owner not in (select oid from trusted) and owner not in (select oid from team)
  )`;

/**
 * Refuses a schema that somebody else owns, or in which somebody else owns what a memory uses. Nothing in it is read.
 * @throws PrecedentError `unavailable`, which names the owner
 */
export async function requireTrusted(db: QueryExecutorProvider, workspace: string): Promise<void> {
  await withTrust(db, workspace, sql`1 as one`);
}

/**
 * {@link requireTrusted}, and answers a question of the catalogue on the same way to the server.
 * @param asked columns of one row
 */
export async function withTrust<Row>(
  db: QueryExecutorProvider,
  workspace: string,
  asked: RawBuilder<unknown>,
): Promise<Row> {
  const { rows } = await sql<Row & { strange: Strange | null }>`
    with recursive ${strangeIn(workspace)}
    select ${asked}, (
      select pg_catalog.json_build_object(
        'what', what, 'name', name, 'owner', pg_catalog.pg_get_userbyid(owner)::text, 'asker', current_user::text
      ) from strange order by rank, name limit 1
    ) as strange`.execute(db);
  const [found] = rows;
  if (!found) throw new Error('one row is answered');
  if (found.strange) throw refusalOf(workspace, found.strange);
  return found;
}

function refusalOf(workspace: string, { what, name, owner, asker }: Strange): PrecedentError {
  const where = what === 'schema' ? '' : ` in the schema "${workspace}"`;
  const message = `Expected the ${what} "${name}"${where} to belong to the role "${asker}" or to one that it is a member of, found that it belongs to "${owner}", who could run anything with the rights of "${asker}" there. Nothing was read. If "${owner}" is to be trusted: grant "${owner}" to "${asker}"; else choose another name with --workspace.`;
  return new PrecedentError('unavailable', message, { reason: 'foreign' });
}
