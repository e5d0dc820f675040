import { CamelCasePlugin, Kysely, sql } from 'kysely';
import pg from 'pg';
import { PrecedentError } from '../../domain/error.ts';
import type { Log } from '../../domain/log.ts';
import type { Db } from '../engine.ts';
import { retry } from '../retry.ts';
import type { Schema } from '../schema.ts';
import { isTaken, readUsage, type Workspaces } from '../workspaces.ts';
import { parseAddress } from './address.ts';
import { tablesOf } from './catalogue.ts';
import { workspaceDialect } from './driver.ts';
import { atOnce, faultAt } from './fault.ts';
import { lockNames } from './migration-lock.ts';
import { checkSchema, namedWorkspaces, writeNames } from './names.ts';
import { OURS, requireTrusted } from './owners.ts';
import { Servers } from './servers.ts';

const NOT_ALLOWED = '42501';
const OTHERS_DEPEND_ON_IT = '2BP01';
/** How long to wait for whoever works in a workspace. */
const LOCK_TIMEOUT = '2s';
/** The memories on a server, each a schema named after its workspace. */
export function postgresWorkspaces(url: string, log: Log): Workspaces {
  const address = parseAddress(url);
  const servers = new Servers(address);
  const fault = atOnce(faultAt(address.shown));
  const open = (workspace: string) =>
    new Kysely<Schema>({
      dialect: workspaceDialect(servers, workspace, { patience: 'usual' }, {}),
      plugins: [new CamelCasePlugin()],
    });
  // What a schema holds is looked at when its owner is known.
  const outside = open('pg_catalog');
  const retried = <T>(work: () => Promise<T>) => retry({ fault }, work, log);
  /** One transaction, in which nobody else creates, renames, names or removes a workspace. */
  const alone = <T>(workspace: string, work: (db: Db) => Promise<T>) =>
    retried(async () => {
      await requireTrusted(outside, workspace);
      return open(workspace)
        .transaction()
        .execute(async (db) => {
          await lockNames(db);
          await sql`set local lock_timeout to ${sql.lit(LOCK_TIMEOUT)}`.execute(db);
          return work(db);
        });
    });
  return {
    list: () => retried(() => namedWorkspaces(outside)),

    usage: (workspace) =>
      retried(async () => {
        await requireTrusted(outside, workspace);
        return (
          open(workspace)
            .transaction()
            // Without an access mode nobody asks for the schema's version: another one is listed, too.
            .execute(async (db) => {
              const tables = await tablesOf(db, workspace);
              if (!tables.includes('decisions')) throw otherTables(workspace);
              return readUsage(db, tables);
            })
            .catch((error: unknown) => {
              throw isOtherTable(error) ? otherTables(workspace, error) : error;
            })
        );
      }),

    async addNames(workspace, names, claim) {
      try {
        return await alone(workspace, (db) => addNames(db, workspace, names, claim));
      } catch (error) {
        // Only the owner of a schema may comment on it: everyone else keeps the names on their own machine.
        if (codeOf(error) === NOT_ALLOWED) return false;
        throw error;
      }
    },

    async rename(from, to) {
      checkSchema(to);
      await alone(from, async (db) => {
        const { rows } = await sql`select 1 from pg_catalog.pg_namespace where nspname = ${to}`.execute(db);
        if (rows.length > 0) throw isTaken(to);
        await lockTables(db, from, ['meta']);
        await sql`alter schema ${sql.id(from)} rename to ${sql.id(to)}`.execute(db);
        // Machines that know the memory by its old name find it by that.
        await addNames(db, to, [from], false);
      });
    },

    parts: async (workspace) => [`the schema "${workspace}" at ${address.shown}`],

    remove: (workspace) => alone(workspace, (db) => remove(db, workspace)),
    removeUnused: (workspace) => alone(workspace, (db) => remove(db, workspace, true)),

    close: () => servers.end(),
  };
}

async function addNames(db: Db, workspace: string, names: string[], claim: boolean): Promise<boolean> {
  const all = await namedWorkspaces(db);
  const others = all.filter((each) => each.workspace !== workspace);
  const own = all.find((each) => each.workspace === workspace);
  const mayBeOurs = (name: string) =>
    name !== workspace &&
    (claim || !others.some((each) => each.workspace === name || each.names.includes(name)));
  const isKept = await writeNames(db, workspace, [...(own?.names ?? []), ...names.filter(mayBeOurs)]);
  if (!isKept || !claim) return isKept;
  for (const other of others.filter((each) => each.names.some((name) => names.includes(name)))) {
    const left = other.names.filter((name) => !names.includes(name));
    await writeNames(db, other.workspace, left);
  }
  return true;
}

/** Drops our tables and then the schema, without what hangs on them: the server refuses when anything else is there. */
async function remove(db: Db, workspace: string, onlyUnused = false): Promise<void> {
  const tables = await tablesOf(db, workspace);
  if (!tables.every((table) => OURS.includes(table))) throw holdsMore(workspace);
  await lockTables(db, workspace, tables);
  if (onlyUnused && (await readUsage(db, tables)).records > 0) return;
  try {
    await sql`drop table ${namesOf(workspace, tables)}`.execute(db);
    await sql`drop schema ${sql.id(workspace)}`.execute(db);
  } catch (error) {
    throw codeOf(error) === OTHERS_DEPEND_ON_IT ? holdsMore(workspace) : error;
  }
}

/** @throws what `fault` reads as busy, when another process reads or writes in there at this moment */
async function lockTables(db: Db, workspace: string, tables: string[]): Promise<void> {
  await sql`lock table ${namesOf(workspace, tables)} in access exclusive mode`.execute(db);
}

const namesOf = (workspace: string, tables: string[]) =>
  sql.join(tables.map((table) => sql.id(workspace, table)));

function holdsMore(workspace: string): PrecedentError {
  return new PrecedentError(
    'conflict',
    `Expected only tables of Precedent in the schema "${workspace}", found others, or that something elsewhere depends on them. Nothing was removed. Its owner can drop it.`,
  );
}

/** Whether a table has another form than ours: a column or a table is missing, or of another type. */
function isOtherTable(error: unknown): boolean {
  return ['42P01', '42703', '42804', '42883'].includes(codeOf(error) ?? '');
}

function otherTables(workspace: string, cause?: unknown): PrecedentError {
  return new PrecedentError(
    'unavailable',
    `Expected a memory of Precedent in the schema "${workspace}", found tables of another form. They were left as they are.`,
    { reason: 'foreign', cause },
  );
}

/** The server's own code of what was refused. */
function codeOf(error: unknown): string | undefined {
  const cause = error instanceof PrecedentError ? error.cause : error;
  return cause instanceof pg.DatabaseError ? cause.code : undefined;
}
