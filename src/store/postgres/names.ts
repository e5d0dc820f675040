import { type QueryExecutorProvider, sql } from 'kysely';
import { PrecedentError } from '../../domain/error.ts';
import { checkWorkspace } from '../../domain/workspace.ts';
import type { NamedWorkspace } from '../workspaces.ts';
import { TRUSTED } from './owners.ts';

/** @throws PrecedentError `invalid` when no workspace, or no schema, can have this name */
export function checkSchema(workspace: string): void {
  checkWorkspace(workspace);
  if (!/^pg_|^information_schema$/.test(workspace)) return;
  throw new PrecedentError(
    'invalid',
    `Expected a workspace name that PostgreSQL does not keep for itself, found "${workspace}".`,
  );
}

/**
 * Every workspace of the database. One query, however many there are: the names are the comments of their schemas (K-1).
 * What somebody else wrote into the comment of a schema of theirs leads nowhere (Z-10).
 */
export async function namedWorkspaces(db: QueryExecutorProvider): Promise<NamedWorkspace[]> {
  const { rows } = await sql<{ workspace: string; comment: string | null }>`
    with recursive ${TRUSTED}
    select n.nspname as workspace, case when n.nspowner in (select oid from trusted)
      then pg_catalog.obj_description(n.oid, 'pg_namespace'::name) end as comment
    from pg_catalog.pg_namespace as n
    where exists (
        select 1 from pg_catalog.pg_class as c
        where c.relnamespace = n.oid and c.relname = 'decision_edges' and c.relkind in ('r', 'p')
      ) and exists (
        select 1 from pg_catalog.pg_class as c
        where c.relnamespace = n.oid and c.relname = 'search_postings' and c.relkind in ('r', 'p')
      )
    order by n.nspname collate "C"`.execute(db);
  return rows.map(({ workspace, comment }) => ({ workspace, names: namesIn(comment) ?? [] }));
}

/**
 * Makes these the names that lead to a workspace. Somebody else's comment is left as it is.
 * @returns whether they are kept now
 */
export async function writeNames(
  db: QueryExecutorProvider,
  workspace: string,
  names: string[],
): Promise<boolean> {
  const { rows } = await sql<{ comment: string | null }>`
    select pg_catalog.obj_description(oid, 'pg_namespace'::name) as comment from pg_catalog.pg_namespace
    where nspname = ${workspace}`.execute(db);
  const [row] = rows;
  const known = row && namesIn(row.comment);
  if (!known) return false;
  const all = [...new Set(names)];
  if (all.length === known.length && all.every((name) => known.includes(name))) return true;
  const comment = all.length === 0 ? null : JSON.stringify({ precedent: { names: all } });
  await sql`comment on schema ${sql.id(workspace)} is ${sql.lit(comment)}`.execute(db);
  return true;
}

/** The names in a comment of ours; none in no comment, undefined for a comment of somebody else. */
function namesIn(comment: string | null): string[] | undefined {
  if (comment === null) return [];
  try {
    const names: unknown = JSON.parse(comment)?.precedent?.names;
    return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : undefined;
  } catch {
    return undefined;
  }
}
