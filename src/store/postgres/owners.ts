import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { unavailable } from '../../domain/error.ts';
import { SCHEMA } from './rows.ts';

/*
 * On a server that several roles use, whoever owns a schema, a table in it, a function of a trigger or an operator runs what
 * they like with the rights of those who use it (Z-10). So nothing is read or written before its owner is known: of
 * everything when a memory is opened, of the schema and its tables as each transaction begins. Nobody else can make more in
 * between without a privilege, and these are looked for both times.
 *
 * The questions here are asked before the schema's names mean anything: each function is named with its schema, and each comparison has an
 * operator of its own types, so that nothing which somebody made elsewhere is a better match.
 */

/**
 * A recursive `with` of the roles that the asker trusts, as `trusted`: the asker, every role that it was made a member of,
 * the owner of the database, and superusers, who can do anything as it is. A superuser counts as a member of no other
 * role: it has the most to lose. Nobody trusts a role for having created it: from PostgreSQL 16 on that makes them a member
 * which does not have its rights.
 */
const TRUSTED = sql`own (oid) as (
    select r.oid from pg_catalog.pg_roles as r where r.rolname = current_user
    union select m.roleid from pg_catalog.pg_auth_members as m join own on m.member = own.oid
      where coalesce(pg_catalog.to_jsonb(m) ->> 'inherit_option'::text, 'true') <> 'false'
  ), trusted (oid) as (
    select oid from own
    union select d.datdba from pg_catalog.pg_database as d where d.datname = pg_catalog.current_database()
    union select r.oid from pg_catalog.pg_roles as r where r.rolsuper or r.rolname = 'pg_database_owner'
  )`;

/** Something in a schema that somebody else decides about, or a privilege with which they could make such a thing. */
interface Strange {
  /** `schema`, `table`, `function`, `type`, `operator`, or the name of a privilege in upper case. */
  what: string;
  /** Its name; of a privilege, the table or the schema that it is granted on. */
  name: string;
  /** The role; null for a privilege of everybody. */
  owner: string | null;
  asker: string;
}

/** The answer to a question about trust, among other columns. */
interface Answer {
  strange: Strange | null;
}

/** A catalogue by its number: compared as it is, an operator of somebody else's would be a better match. */
const catalogue = (name: string) => sql`'pg_catalog.${sql.raw(name)}'::regclass::oid`;

/**
 * The owners of a schema and its tables, and others who may make something in them that runs with a statement of ours, as `held`
 * of a `with`: triggers, references that cascade into a table of theirs, functions and operators that match better. It is
 * asked before each transaction, so it reads only the rows of the schema and its tables.
 */
const HELD = sql`${TRUSTED}, here (oid, owner, acl) as (
    select n.oid, n.nspowner, n.nspacl from pg_catalog.pg_namespace as n where n.nspname = '${sql.raw(SCHEMA)}'
  ), team (oid) as (
    select owner from here
    union select m.member from pg_catalog.pg_auth_members as m join team on m.roleid = team.oid
  ), tables (name, owner, acl) as (
    select c.relname, c.relowner, c.relacl from here
    join pg_catalog.pg_depend as d on d.refclassid = ${catalogue('pg_namespace')} and d.refobjid = here.oid
      and d.classid = ${catalogue('pg_class')}
    join pg_catalog.pg_class as c on c.oid = d.objid
  ), held (rank, what, name, owner) as (
    select 0, 'schema', '${sql.raw(SCHEMA)}', owner from here
    union all
    select 1, 'table', name::text, owner from tables
    union all
    select 5, p.privilege_type, '${sql.raw(SCHEMA)}', p.grantee from here
      cross join lateral pg_catalog.aclexplode(here.acl) as p where p.privilege_type = 'CREATE'
    union all
    select 6, p.privilege_type, tables.name::text, p.grantee from tables
      cross join lateral pg_catalog.aclexplode(tables.acl) as p where p.privilege_type in ('TRIGGER', 'REFERENCES')
  )`;

/**
 * Everything that the server may run along with a statement on a schema's tables, as `used` of a `with` after `held`: each
 * thing in the schema, whatever these have (triggers, rules, policies, constraints, defaults, indexes, references from
 * elsewhere) and whatever all of these use, wherever that is, such as the function in a condition of a trigger. Objects of the server
 * itself have no row in `pg_depend`. Objects of an extension are its installer's to decide about.
 */
const USED = sql`reached (class, oid) as (
    select d.classid, d.objid from here join pg_catalog.pg_depend as d
      on d.refclassid = ${catalogue('pg_namespace')} and d.refobjid = here.oid
    union
    select also.* from reached as r cross join lateral (
      select d.classid, d.objid from pg_catalog.pg_depend as d where d.refclassid = r.class and d.refobjid = r.oid
        and (d.deptype <> 'n' or (d.classid = ${catalogue('pg_constraint')} and r.class = ${catalogue('pg_class')}))
      union all
      select d.refclassid, d.refobjid from pg_catalog.pg_depend as d where d.classid = r.class and d.objid = r.oid
        and d.refclassid <> ${catalogue('pg_namespace')} and d.refclassid <> ${catalogue('pg_extension')}
    ) as also
  ), used (rank, what, name, owner) as (
    select thing.* from reached as r cross join lateral (
      select 1, 'table', c.relname::text, c.relowner from pg_catalog.pg_class as c
      where r.class = ${catalogue('pg_class')} and c.oid = r.oid
      union all
      select 2, 'function', p.proname::text, p.proowner from pg_catalog.pg_proc as p
      where r.class = ${catalogue('pg_proc')} and p.oid = r.oid
      union all
      select 3, 'type', t.typname::text, t.typowner from pg_catalog.pg_type as t
      where r.class = ${catalogue('pg_type')} and t.oid = r.oid and t.typelem = '0'
      union all
      select 4, 'operator', o.oprname::text, o.oprowner from pg_catalog.pg_operator as o
      where r.class = ${catalogue('pg_operator')} and o.oid = r.oid
    ) as thing
    union all
    select 6, p.privilege_type, c.relname::text, p.grantee from reached as r
      join pg_catalog.pg_class as c on r.class = ${catalogue('pg_class')} and c.oid = r.oid
      join pg_catalog.pg_attribute as a on a.attrelid = c.oid
      cross join lateral pg_catalog.aclexplode(a.attacl) as p where p.privilege_type = 'REFERENCES'
  )`;

/**
 * The first of what the asker does not trust, as `strange` of a `with`. Members of a trusted owner of the schema may own
 * things in it: one of them brought it up to date.
 */
const strangeOf = (found: RawBuilder<unknown>) => sql`strange (who) as (
    select pg_catalog.json_build_object('what', what, 'name', name, 'asker', current_user::text,
      'owner', case when owner <> '0' then pg_catalog.pg_get_userbyid(owner)::text end)
    from (${found}) as found
    where owner not in (select oid from trusted) and (what = 'schema' or owner not in (select oid from team))
    order by rank, name limit 1
  )`;

/**
 * Refuses a schema of somebody else, one in which they own what a memory uses, and one in which they could make such a
 * thing. Nothing in it is read.
 * @param asked columns of one row, which are answered on the same way to the server: a question of the catalogue
 * @throws PrecedentError `unavailable`, which names the owner
 */
export async function withTrust<Row>(
  db: QueryExecutorProvider,
  asked: RawBuilder<unknown> = sql`1 as one`,
): Promise<Row> {
  const found = strangeOf(sql`select * from held union all select * from used`);
  const { rows } = await sql<Row & Answer>`
    with recursive ${HELD}, ${USED}, ${found}
    select ${asked}, (select who from strange) as strange`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('one row is answered');
  checkEntered(row);
  return row;
}

/**
 * The statement after the `begin` of each transaction, which has names mean what is in the schema (Z-10). The server itself
 * decides: without trust names mean nothing, so that what was sent along with it finds no table. A temporary table, which
 * somebody left on a connection of a pooler, would come first if it were not named last. No table is read as a whole, since
 * each is of all workspaces (N-5). Its row is for {@link checkEntered}.
 */
export const ENTERING = sql<Answer>`
  with recursive ${HELD}, ${strangeOf(sql`select * from held`)}
  select (select who from strange) as strange, pg_catalog.set_config('search_path',
    case when exists (select from strange) then '' else '${sql.raw(SCHEMA)}, pg_temp' end, true),
    pg_catalog.set_config('enable_seqscan', 'off', true)`;

/** @throws PrecedentError as {@link withTrust} */
export function checkEntered({ strange }: Answer): void {
  if (!strange) return;
  const { what, name, owner, asker } = strange;
  const who = owner === null ? 'everybody' : `"${owner}"`;
  const schema = `the schema "${SCHEMA}"`;
  const [expected, found, also] =
    what === what.toUpperCase()
      ? [
          `no other role to have the privilege ${what} on ${what === 'CREATE' ? schema : `the table "${name}" of ${schema}`}`,
          `that ${who} has it`,
          `revoke ${what === 'CREATE' ? 'create on' : 'trigger, references on all tables in'} schema "${SCHEMA}" from ${owner === null ? 'public' : who}`,
        ]
      : [
          `${what === 'schema' ? schema : `the ${what} "${name}", which ${schema} uses,`} to belong to the role "${asker}" or to one that it is a member of`,
          `that it belongs to ${who}`,
          'name another database',
        ];
  const next = owner === null ? also : `if ${who} is to be trusted, grant ${who} to "${asker}"; else ${also}`;
  throw unavailable.foreign(
    `Expected ${expected}, found ${found}, who could run anything with the rights of "${asker}" there. Nothing was read or written. To use it: ${next}.`,
  );
}
