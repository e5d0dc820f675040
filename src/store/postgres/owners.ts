import { sql } from 'kysely';
import { unavailable } from '../../domain/error.ts';
import { SCHEMA } from './rows.ts';

/*
 * The owner of a schema, or of a table or view in it, can run anything with the rights of those who use it (Z-10). So nothing is
 * read or written where another role owns one. The owner decides what to grant to others.
 *
 * The question is asked before the schema's names mean anything: each function is named with its schema, and each comparison has
 * an operator of its own types, so that nothing which somebody made elsewhere is a better match.
 */

/** The schema or the table of somebody whom the asker does not trust. */
interface Strange {
  /** `schema` or `table`. */
  what: string;
  name: string;
  owner: string;
  asker: string;
}

/** The answer to a question about trust, among other columns. */
export interface Answer {
  strange: Strange | null;
}

/**
 * Owners that the asker does not trust, as a `with`; `(select who from strange)` is the first of it. Trusted are the asker, every role
 * that it was made a member of, the owner of the database, and superusers. A superuser counts as a member of no other role: it
 * has the most to lose. Nobody trusts a role for having created it: from PostgreSQL 16 on that makes them a member which does
 * not have its rights. Members of a trusted owner of the schema may own tables in it: one of them brought it up to date.
 */
export const STRANGE = sql.raw(`recursive own (oid) as (
    select r.oid from pg_catalog.pg_roles as r where r.rolname = current_user
    union select m.roleid from pg_catalog.pg_auth_members as m join own on m.member = own.oid
      where coalesce(pg_catalog.to_jsonb(m) ->> 'inherit_option'::text, 'true') <> 'false'
  ), trusted (oid) as (
    select oid from own
    union select d.datdba from pg_catalog.pg_database as d where d.datname = pg_catalog.current_database()
    union select r.oid from pg_catalog.pg_roles as r where r.rolsuper or r.rolname = 'pg_database_owner'
  ), here (oid, owner) as (
    select n.oid, n.nspowner from pg_catalog.pg_namespace as n where n.nspname = '${SCHEMA}'
  ), strange (who) as (
    select pg_catalog.json_build_object('what', what, 'name', name, 'asker', current_user::text,
      'owner', pg_catalog.pg_get_userbyid(owner)::text)
    from (
      select 'schema' as what, '${SCHEMA}' as name, owner from here
      union all select 'table', c.relname::text, c.relowner from here
      join pg_catalog.pg_depend as d on d.refclassid = 'pg_catalog.pg_namespace'::regclass::oid
        and d.refobjid = here.oid and d.classid = 'pg_catalog.pg_class'::regclass::oid
      join pg_catalog.pg_class as c on c.oid = d.objid
      where not pg_catalog.pg_has_role(c.relowner, here.owner, 'member')
    ) as owned where owner not in (select oid from trusted) order by what, name limit 1
  )`);

/**
 * The statement after the `begin` of each transaction, which has names mean what is in the schema (Z-10). The server itself
 * decides: without trust names mean nothing, so that what was sent along with it finds no table. A temporary table, which
 * somebody left on a connection of a pooler, would come first if it were not named last. No table is read as a whole, since
 * each is of all workspaces (N-5). Its row is for {@link checkEntered}.
 */
export const ENTERING = sql<Answer>`with ${STRANGE} select (select who from strange) as strange,
    pg_catalog.set_config('search_path',
      case when exists (select from strange) then '' else '${sql.raw(SCHEMA)}, pg_temp' end, true),
    pg_catalog.set_config('enable_seqscan', 'off', true)`;

/** @throws PrecedentError `unavailable`, which names the owner */
export function checkEntered({ strange }: Answer): void {
  if (!strange) return;
  const { what, name, owner, asker } = strange;
  const thing = `the ${what} "${name}"${what === 'schema' ? '' : ` of the schema "${SCHEMA}"`}`;
  throw unavailable.foreign(
    `Expected ${thing} to belong to the role "${asker}" or to one that it is a member of, found that it belongs to "${owner}", who could run anything with the rights of "${asker}" there. Nothing was read or written. To use it: if "${owner}" is to be trusted, grant "${owner}" to "${asker}"; else name another database.`,
  );
}
