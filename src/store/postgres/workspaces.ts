import { sql } from 'kysely';
import { conflict, type PrecedentError } from '../../domain/error.ts';
import type { Log } from '../../domain/log.ts';
import { checkWorkspace } from '../../domain/workspace.ts';
import type { Db, Patience } from '../engine.ts';
import { migrations } from '../migrations/migrations.ts';
import { retry } from '../retry.ts';
import { overDialect } from '../statements.ts';
import { isTaken, type NamedWorkspace, readUsage, type Workspaces } from '../workspaces.ts';
import { parseAddress } from './address.ts';
import { lookAt } from './catalogue.ts';
import { workspaceDialect } from './driver.ts';
import { atOnce, faultAt } from './fault.ts';
import { ddl, upgradeSchema } from './migrate.ts';
import { OF_WORKSPACES, SCHEMA } from './rows.ts';
import { shareServers } from './servers.ts';

/** How long to wait for whoever works in a workspace. */
const LOCK_TIMEOUT = '2s';

/** The memories of a database: rows of its tables, each with the number of its workspace (N-1). */
export function postgresWorkspaces(url: string, log: Log): Workspaces {
  const address = parseAddress(url);
  const { servers, leave: close } = shareServers(address);
  const fault = atOnce(faultAt(address.shown));
  const open = (workspace: string, patience: Patience = 'usual') =>
    overDialect(workspaceDialect(servers, { name: workspace }, { patience }, migrations(ddl)));
  const retried = <T>(work: () => Promise<T>) => retry({ fault }, work, log);
  /** One transaction in which nobody else writes in this workspace, for as long as it takes. */
  const inTurn = <T>(workspace: string, work: (db: Db) => Promise<T>) =>
    retried(() => open(workspace, 'unhurried').transaction().setAccessMode('read write').execute(work));
  /** Nor names, renames or removes any other. */
  const alone = <T>(workspace: string, work: (db: Db) => Promise<T>) =>
    inTurn(workspace, async (db) => {
      await sql`set local lock_timeout to ${sql.lit(LOCK_TIMEOUT)}`.execute(db);
      await sql`lock table workspaces in share row exclusive mode`.execute(db);
      return work(db);
    });
  return {
    list: () =>
      retried(async () => {
        const db = open('');
        return (await lookAt(db)).isMade ? namedWorkspaces(db) : [];
      }),

    usage: (workspace) =>
      retried(() =>
        open(workspace)
          .transaction()
          .setAccessMode('read only')
          .execute((db) => readUsage(db, OF_WORKSPACES)),
      ),

    addNames: (workspace, names, claim) => alone(workspace, (db) => addNames(db, workspace, names, claim)),

    async rename(from, to) {
      checkWorkspace(to);
      await alone(from, async (db) => {
        if ((await namedWorkspaces(db)).some(({ workspace }) => workspace === to)) throw isTaken(to);
        const { numAffectedRows } =
          await sql`update workspaces set name = ${to} where name = ${from}`.execute(db);
        if (numAffectedRows === 0n) throw notTheirs(from);
        // Machines that know the memory by its old name find it by that.
        await addNames(db, to, [from], false);
      });
    },

    parts: async (workspace) => [`the workspace "${workspace}" at ${address.shown}`],

    upgrade: (create = false) => retried(() => upgradeSchema(open('', 'unhurried'), migrations(ddl), create)),

    check: () =>
      retried(async () => {
        const db = open('', 'unhurried');
        await upgradeSchema(db, migrations(ddl), false);
        if (!(await lookAt(db)).isMade) return;
        // As each save begins, but of no row.
        const ask = sql`insert into all_meta select * from all_meta where false`;
        await db.transaction().execute((transaction) => ask.execute(transaction));
      }),

    // Others are made, named and removed meanwhile: it takes long where there is much (N-4).
    remove: (workspace) => inTurn(workspace, (db) => remove(db, workspace)),
    removeUnused: (workspace) =>
      inTurn(workspace, async (db) => {
        if ((await readUsage(db, OF_WORKSPACES)).records === 0) await remove(db, workspace);
      }),

    close,
  };
}

async function namedWorkspaces(db: Db): Promise<NamedWorkspace[]> {
  const { rows } =
    await sql<NamedWorkspace>`select name as workspace, names from ${sql.id(SCHEMA, 'workspaces')} order by name`.execute(
      db,
    );
  return rows;
}

/** @returns whether they are kept: only members of the workspace's owner may give it names (Z-10) */
async function addNames(db: Db, workspace: string, names: string[], claim: boolean): Promise<boolean> {
  const others = (await namedWorkspaces(db)).filter((each) => each.workspace !== workspace);
  const taken = claim ? [] : others.flatMap((each) => [each.workspace, ...each.names]);
  const added = [...new Set(names)].filter((name) => name !== workspace && !taken.includes(name));
  const { numAffectedRows } = await sql`
    update workspaces set names = names || array(select n from unnest(${added}::text[]) as n where n <> all (names))
    where name = ${workspace}`.execute(db);
  if (numAffectedRows === 0n) return false;
  if (claim)
    await sql`
      update workspaces set names = array(select n from unnest(names) as n where n <> all (${names}::text[]))
      where name <> ${workspace} and names && ${names}::text[]`.execute(db);
  return true;
}

/** Deletes the rows of a workspace, those first that refer to others. */
async function remove(db: Db, workspace: string): Promise<void> {
  for (const table of OF_WORKSPACES.toReversed()) await sql`delete from ${sql.raw(table)}`.execute(db);
  const { numAffectedRows } = await sql`delete from workspaces where name = ${workspace}`.execute(db);
  if (numAffectedRows === 0n) throw notTheirs(workspace);
}

function notTheirs(workspace: string): PrecedentError {
  return conflict.not_owner(
    `Expected the role that made the workspace "${workspace}", or a member of it, found another one. Nothing was changed. Ask its owner.`,
  );
}
