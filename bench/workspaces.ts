import pg from 'pg';
import { openMemory } from '../dist/index.js';
import { machine, print, spread } from './measure.ts';

/**
 * What many workspaces of one database cost: making one, opening one, saving in one, and what the server's catalogue and
 * disk take for each. Fills a database of its own, named bench_workspaces, and drops it when it has ended.
 *
 *   PRECEDENT_BENCH_POSTGRES=postgres://… node bench/workspaces.ts [workspaces, default 1000]
 *
 * With the coordinator of a Citus in PRECEDENT_BENCH_CITUS both are measured in turns. Its database is filled and left as
 * it is then, so it is one that is there for this alone: eval "$(scripts/citus.sh start DIR)".
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
const coordinator = process.env.PRECEDENT_BENCH_CITUS ?? '';

/** What a database holds, in bytes but for the rows of pg_class: on Citus of each node, the coordinator first. */
interface Size {
  classes: number;
  catalogue: number;
  disk: number;
}

interface Side {
  name: string;
  db: string;
  sizes(): Promise<Size[]>;
  empty: Size[];
}

const SIZE = `select json_build_object('classes', (select count(*) from pg_class), 'disk', pg_database_size(current_database()),
  'catalogue', (select sum(pg_total_relation_size(oid)) from pg_class where relnamespace = 'pg_catalog'::regnamespace and relkind = 'r')) as size`;
const db = Object.assign(new URL(server), { pathname: `/${DATABASE}` }).href;
const name = (n: number) => `w${n}`;

const admin = new pg.Client({ connectionString: server });
await admin.connect();
await admin.query(`drop database if exists ${DATABASE} with (force)`);
await admin.query(`create database ${DATABASE} template template0 encoding 'UTF8'`);
try {
  machine();
  const { rows } = await admin.query("select version(), current_setting('fsync') as fsync");
  print(`${rows[0].version.split(' on ')[0]}, fsync ${rows[0].fsync}`);
  const sides = [await side('PostgreSQL', db, SIZE)];
  if (coordinator !== '') {
    const onEach = `select result::json as size from run_command_on_all_nodes($$ ${SIZE} $$) order by nodeid`;
    sides.push(await side('Citus', coordinator, onEach));
    print((await ask(coordinator, 'select citus_version() as version'))[0].version.split(' on ')[0]);
  }
  print(
    '\n| workspaces | on | make one, ms | open one, ms | open and save in it, ms | rows of pg_class each | catalogue each, kB | disk each, kB |',
  );
  print('|---|---|---|---|---|---|---|---|');
  let there = 0;
  for (const step of STEPS) {
    const made = sides.map((): number[] => []);
    for (; there < step; there++) {
      for (const [n, { db }] of sides.entries())
        made[n]?.push(await timed(async () => (await openMemory({ db, workspace: name(there) })).close()));
    }
    const opened = sides.map((): number[] => []);
    const saved = sides.map((): number[] => []);
    for (let n = 0; n < OPENED; n++) {
      const workspace = name((n * 7_919) % there);
      for (const [k, { db }] of sides.entries()) {
        const begun = performance.now();
        const memory = await openMemory({ db, workspace });
        opened[k]?.push(performance.now() - begun);
        await memory.mem.save({ title: `Note ${n}`, content: `The content of ${n}` });
        saved[k]?.push(performance.now() - begun);
        await memory.close();
      }
    }
    for (const [n, { name, sizes, empty }] of sides.entries()) {
      const now = await sizes();
      const each = (of: keyof Size, unit: number) =>
        now.map((node, k) => ((node[of] - (empty[k]?.[of] ?? 0)) / there / unit).toFixed(0)).join(', ');
      const cells = [
        there,
        name,
        shown(made[n]?.slice(-MADE)),
        shown(opened[n]),
        shown(saved[n]),
        each('classes', 1),
        each('catalogue', 1_000),
        each('disk', 1_000),
      ];
      print(`| ${cells.join(' | ')} |`);
    }
  }
} finally {
  await admin.query(`drop database if exists ${DATABASE} with (force)`);
  await admin.end();
}

async function side(name: string, db: string, size: string): Promise<Side> {
  const sizes = async () => (await ask(db, size)).map((row) => row.size as Size);
  return { name, db, sizes, empty: await sizes() };
}

async function ask(connectionString: string, text: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function shown(times: number[] | undefined): string {
  const { p10, median, p90 } = spread(times ?? []);
  return `${median.toFixed(0)} (${p10.toFixed(0)} … ${p90.toFixed(0)})`;
}
