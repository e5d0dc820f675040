import pg from 'pg';
import { openMemory } from '../dist/index.js';
import { machine, print, spread } from './measure.ts';

/**
 * What many workspaces of one database cost: making one, opening one, saving in one, and what the server's catalogue and
 * disk take for each. Fills a database of its own, named bench_workspaces, and drops it when it has ended.
 *
 *   PRECEDENT_BENCH_POSTGRES=postgres://… node bench/workspaces.ts [workspaces, default 1000]
 */
const MOST = Number(process.argv[2] ?? 1_000);
const STEPS = [1, 10, 100, 300, 1_000, 3_000, 10_000].filter((step) => step <= MOST);
const [MADE, OPENED] = [10, 40];
const DATABASE = 'bench_workspaces';
const server = process.env.PRECEDENT_BENCH_POSTGRES ?? '';
if (server === '') {
  print('Name a PostgreSQL in PRECEDENT_BENCH_POSTGRES: scripts/postgres.sh start DIR PORT starts one.');
  process.exit(1);
}
const db = Object.assign(new URL(server), { pathname: `/${DATABASE}` }).href;
const name = (n: number) => `w${n}`;

const admin = new pg.Client({ connectionString: server });
await admin.connect();
await admin.query(`drop database if exists ${DATABASE} with (force)`);
await admin.query(`create database ${DATABASE} template template0 encoding 'UTF8'`);
try {
  machine();
  const { rows } = await admin.query("select version(), current_setting('fsync') as fsync");
  print(`${rows[0].version.split(' on ')[0]}, fsync ${rows[0].fsync}\n`);
  print(
    '| workspaces | make one, ms | open one, ms | open and save in it, ms | rows of pg_class each | catalogue each, kB | disk each, kB |',
  );
  print('|---|---|---|---|---|---|---|');
  const empty = await size();
  let there = 0;
  for (const step of STEPS) {
    const made: number[] = [];
    while (there < step) {
      const begun = performance.now();
      await (await openMemory({ db, workspace: name(there++) })).close();
      made.push(performance.now() - begun);
    }
    const [opened, saved]: number[][] = [[], []];
    for (let n = 0; n < OPENED; n++) {
      const workspace = name((n * 7_919) % there);
      const begun = performance.now();
      const memory = await openMemory({ db, workspace });
      opened?.push(performance.now() - begun);
      await memory.mem.save({ title: `Note ${n}`, content: `The content of ${n}` });
      saved?.push(performance.now() - begun);
      await memory.close();
    }
    const now = await size();
    const each = (of: 'classes' | 'catalogue' | 'disk') => (now[of] - empty[of]) / there;
    const cells = [
      there,
      shown(made.slice(-MADE)),
      shown(opened),
      shown(saved),
      each('classes').toFixed(0),
      (each('catalogue') / 1_000).toFixed(0),
      (each('disk') / 1_000).toFixed(0),
    ];
    print(`| ${cells.join(' | ')} |`);
  }
} finally {
  await admin.query(`drop database if exists ${DATABASE} with (force)`);
  await admin.end();
}

/** Of the whole database, in bytes but for the rows of pg_class. */
async function size(): Promise<{ classes: number; catalogue: number; disk: number }> {
  const client = new pg.Client({ connectionString: db });
  await client.connect();
  const { rows } = await client.query(
    `select (select count(*) from pg_class)::integer as classes, pg_database_size(current_database())::float8 as disk,
      (select sum(pg_total_relation_size(oid)) from pg_class where relnamespace = 'pg_catalog'::regnamespace and relkind = 'r')::float8 as catalogue`,
  );
  await client.end();
  return rows[0];
}

function shown(times: number[] | undefined): string {
  const { p10, median, p90 } = spread(times ?? []);
  return `${median.toFixed(0)} (${p10.toFixed(0)} … ${p90.toFixed(0)})`;
}
