import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import pg from 'pg';
import { openMemory } from '../../src/index.ts';
import { withWorkspaces } from '../../src/memory/engines.ts';
import { parseAddress } from '../../src/store/postgres/address.ts';
import { onRows } from '../../src/store/postgres/rows.ts';
import { shareServers } from '../../src/store/postgres/servers.ts';

/** The PostgreSQL server that tests may make workspaces on; empty without one. */
export const SERVER = process.env.PRECEDENT_TEST_POSTGRES ?? '';
export const HOW_TO_GET_A_SERVER =
  'no PostgreSQL server: on Debian or Ubuntu, as root, "eval $(scripts/postgres.sh start /tmp/postgres)" starts one in that folder';

/** The coordinator of a Citus that tests may make workspaces on; empty without one. */
export const CITUS = process.env.PRECEDENT_TEST_CITUS ?? '';
export const HOW_TO_GET_CITUS =
  'no Citus, of which Debian has no package: where it is installed, "scripts/citus.sh test /tmp/citus" runs these tests on three nodes';

/** The name of a workspace that is not there yet. What is saved under it stays: the server is there for the tests alone. */
export const newWorkspace = () => `test-${randomBytes(8).toString('hex')}`;

/** For databases that are made and dropped: a connection for each would take as long. */
const admin = new pg.Pool({ connectionString: SERVER, max: 2, allowExitOnIdle: true });
const databases: string[] = [];
after(async () => {
  for (const name of databases) await admin.query(`drop database if exists "${name}" with (force)`);
  await admin.end();
});

/** A database of this test file, which is gone afterwards. @param like another one that it is a copy of */
export async function newDatabase(like?: string): Promise<{ name: string; db: string }> {
  const name = `test-${randomBytes(8).toString('hex')}`;
  databases.push(name);
  await admin.query(`create database "${name}"${like ? ` template "${like}" strategy file_copy` : ''}`);
  return { name, db: inDatabase(SERVER, name) };
}

let withTables: Promise<string> | undefined;

/** {@link newDatabase} in which the tables of Precedent are already, and no workspace: to copy them takes a third. */
export async function newDatabaseWithTables(): Promise<{ name: string; db: string }> {
  withTables ??= makeTables();
  return newDatabase(await withTables);
}

async function makeTables(): Promise<string> {
  const { name, db } = await newDatabase();
  await (await openMemory({ db, workspace: 'first' })).close();
  await withWorkspaces(
    db,
    () => {},
    (there) => there.remove('first'),
  );
  await query('alter sequence precedent.workspaces_id_seq restart', [], db);
  // Of shared connections some stay, and what others use is not copied.
  await query('select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = $1', [name]);
  return name;
}

const inDatabase = (server: string, name: string) =>
  Object.assign(new URL(server), { pathname: `/${name}` }).href;

/** {@link newDatabase} on every node of Citus, which stays: the nodes are there for the tests alone. */
export async function newDistributed(): Promise<string> {
  const name = `test-${randomBytes(8).toString('hex')}`;
  const nodes = await query(
    'select nodeport as port, groupid as "group" from pg_dist_node order by groupid',
    [],
    CITUS,
  );
  const at = (port: number) => Object.assign(new URL(CITUS), { port: String(port) }).href;
  for (const { port } of nodes) {
    await query('set citus.enable_create_database_propagation = off', [], at(port));
    await query(`create database "${name}"`, [], at(port));
    for (const extension of ['citus', 'vector'])
      await query(`create extension if not exists ${extension}`, [], inDatabase(at(port), name));
  }
  const db = inDatabase(CITUS, name);
  for (const { port, group } of nodes)
    await query(
      group === 0
        ? `select citus_set_coordinator_host('127.0.0.1', ${port})`
        : `select citus_add_node('127.0.0.1', ${port})`,
      [],
      db,
    );
  await query(`alter database "${name}" set citus.propagate_set_commands = 'local'`, [], db);
  return db;
}

/** Runs one statement past everything that is tested. */
export async function query(text: string, values: unknown[] = [], server = SERVER) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** {@link query} in a workspace: names mean its views, and what is changed are its rows. */
export async function queryIn(workspace: string, text: string, values: unknown[] = [], server = SERVER) {
  const client = await holder(server, ...inside(workspace));
  try {
    return (await client.query(onRows(text), values)).rows;
  } finally {
    await client.end();
  }
}

/** What a connection sends to be in a workspace. */
export const inside = (workspace: string) => [
  'set search_path to precedent',
  `select set_config('precedent.workspace', (select id::text from workspaces where name = '${workspace}'), false)`,
];

/** The connections that wait for a lock which this one holds. */
const WAITING = 'from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
const processOf = (client: pg.Client) => (client as unknown as { processID: number }).processID;

/** Whether any connection waits for a lock that this one holds. */
export async function isWaitedFor(holder: pg.Client): Promise<boolean> {
  return (await query(`select 1 ${WAITING}`, [processOf(holder)])).length > 0;
}

/** Whether this connection waits for a lock. */
export async function isWaiting(client: pg.Client): Promise<boolean> {
  return (await query("select 1 where pg_blocking_pids($1) <> '{}'", [processOf(client)])).length > 0;
}

/** Ends what waits for a lock that this connection holds, as the server does when it has waited too long. */
export async function cancelWaiting(holder: pg.Client): Promise<void> {
  await query(`select pg_cancel_backend(pid) ${WAITING}`, [processOf(holder)]);
}

/** Connections that memories share: a test that waits for another memory's turn holds some. */
const SHARED = 60;

/** Memories of this process keep the connections to the servers from now on: a new one has to read the whole catalogue. */
export function shareConnections(): void {
  for (const url of new Set([SERVER, CITUS, telling(CITUS)].filter(Boolean)))
    after(shareServers(parseAddress(url), SHARED).leave);
}

/** Has every statement that memories of this process send told from now on, before it is sent. */
function onStatement(tell: (client: pg.Client, text: string) => void): void {
  const { query: original } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args;
    // The tests' own statements are not the store's.
    const { application_name: name } = (this as unknown as { connectionParameters: Record<string, unknown> })
      .connectionParameters;
    if (name === 'precedent')
      tell(this, typeof first === 'string' ? first : String((first as { text?: string }).text));
    return (original as (...args: unknown[]) => unknown).apply(this, args);
  } as typeof original;
}

/** Every statement that memories of this process send from now on, as often as they do. */
export function recordStatements(): string[] {
  const statements: string[] = [];
  onStatement((_, text) => void statements.push(text));
  return statements;
}

/** An address whose coordinator tells each connection what it sends to the nodes for it. */
export function telling(coordinator: string): string {
  if (coordinator === '') return '';
  const url = new URL(coordinator);
  url.searchParams.set('options', '-c citus.log_remote_commands=on');
  return url.href;
}

/**
 * What memories of this process have a coordinator send to its nodes from now on, in transactions that change no schema:
 * how many commits, and each copy of rows and each first phase of two with the statement behind which it was sent.
 */
export function recordPhases(): { commits: number; wrong: string[] } {
  const seen = { commits: 0, wrong: [] as string[] };
  const last = new WeakMap<pg.Client, { text: string; changesSchema: boolean }>();
  onStatement((client, text) => {
    const changed = last.get(client);
    if (!changed)
      client.on('notice', ({ message = '' }) => {
        const { text, changesSchema } = last.get(client) ?? {};
        if (changesSchema) return;
        if (/^issuing COMMIT$/.test(message)) seen.commits++;
        if (/^issuing (COPY|PREPARE TRANSACTION)\b/.test(message)) seen.wrong.push(`${message}: ${text}`);
      });
    const isFirst = text.startsWith('begin');
    last.set(client, {
      text,
      changesSchema:
        /^\s*(create|alter|drop|comment)\b/i.test(text) || (!isFirst && changed?.changesSchema === true),
    });
  });
  return seen;
}

/** A connection that a test holds open, and what it does first. */
export async function holder(connectionString: string, ...statements: string[]): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  return client;
}

/**
 * Settings of the coordinator: names are resolved by it, which says in full to the nodes what they mean; it alone gives numbers
 * out, and ends a transaction that does nothing. How it plans itself is no matter of the nodes.
 */
const OF_COORDINATOR = 'search_path|enable_seqscan|precedent\\.\\w+|idle_in_transaction_session_timeout';
const IS_OF_COORDINATOR = new RegExp(`^'(${OF_COORDINATOR})'$`);

/** What Citus 14 does not distribute, of all that PostgreSQL has (measured on three nodes, and read in its source). */
const NOT_ON_CITUS: [RegExp, string][] = [
  [/\bcreate (or replace )?(trigger|procedure|rule)\b/i, 'triggers, procedures and rules'],
  [/;\s*\S/, 'several statements in one'],
  [/^\s*set (?!local\b)/i, 'a setting of the session'],
  [new RegExp(`\\bset_config\\((?!'(${OF_COORDINATOR})',)`, 'i'), 'set_config()'],
  [/\binsert into\b.*\bvalues\b.*\(\s*select\b/is, 'a subquery in VALUES'],
  [/\bdo update set\b.*\bselect\b/is, 'a subquery in DO UPDATE'],
  // Its rows would be copied by way of the coordinator and committed in two phases: an answer, and a minute later the row.
  [
    /\binsert into\b(?!.*\b(?:from|join)\s+(?!unnest\b)[\w"]).*\bselect\b/is,
    'INSERT … SELECT from no table of the workspace',
  ],
  // Planned for no node at all: it inserts nothing, and says nothing.
  [
    /\binsert into\b.*\bunnest\b.*\b(left|right|full)\s+(outer\s+)?join\b/is,
    'an outer join from unnest in INSERT',
  ],
  [/\bas\s+((not\s+)?materialized\s+)?\(\s*insert\b/i, 'INSERT in WITH'],
  [
    /^\s*update\b.*\b(concat|concat_ws|format|to_char|array_to_string|jsonb?_build_object|to_jsonb?|current_setting)\s*\(/is,
    'a stable function in UPDATE',
  ],
  [
    /\badd column\b.*\b(references|unique|primary key|check)\b/is,
    'a column and a constraint added in one command',
  ],
  [/\badd constraint\b.*,\s*(add|drop|alter)\b/is, 'a constraint added with something else'],
  [
    /\b(now|clock_timestamp|random|gen_random_uuid|nextval)\s*\(|\bcurrent_timestamp\b/i,
    'a volatile function',
  ],
  [/\bas (not )?(materialized )?\(\s*(insert|update|delete)\b/i, 'a statement that writes within another'],
  [/\bcycle\b/i, 'CYCLE'],
  [/^\s*merge\b/i, 'MERGE'],
  [/\badd column\b.*\b(identity|serial)\b/is, 'a numbered column added later'],
  [/\brename constraint\b|\balter sequence\b|\brestart\b/i, 'what cannot be altered'],
  [/\bcreate schema\b.*\bcreate table\b/is, 'a schema with its tables'],
  [/\bdeferr(able|ed)\b/i, 'a constraint checked at commit'],
  [/\bpg_advisory_lock\b|\blisten\b|\bprepare\b/i, 'what a session keeps'],
];

/** What in a statement Citus would refuse. */
export function notOnCitus(statement: string): string[] {
  const plain = statement
    .replace(/\$\$.*?\$\$/gs, "''")
    .replace(/'(?:[^']|'')*'/g, (text) => (IS_OF_COORDINATOR.test(text) ? text : "''"))
    .replace(/"[^"]*"/g, '"name"');
  return NOT_ON_CITUS.filter(([pattern]) => pattern.test(plain)).map(([, what]) => what);
}
