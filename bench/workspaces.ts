import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { type Memory, openMemory } from '../dist/index.js';
import { machine, print, spread } from './measure.ts';

/**
 * What many workspaces of one database cost: making one, opening one, a save, a search and a recall in one that is open, and
 * what a process of the server keeps that serves them all. Of a machine that does other things as well, so in time of the
 * processor: of this program and of all processes of the server, which has to run here, asked by a superuser. Fills a
 * database of its own, named bench_workspaces, and drops it when it has ended.
 *
 *   PRECEDENT_BENCH_POSTGRES=postgres://… node bench/workspaces.ts [workspaces, default 1000]
 *
 * With the coordinator of a Citus in PRECEDENT_BENCH_CITUS both are measured in turns. Its database is filled and left as
 * it is then, so it is one that is there for this alone: eval "$(scripts/citus.sh start DIR)".
 */
const MOST = Number(process.argv[2] ?? 1_000);
const STEPS = [1, 10, 100, 300, 1_000, 2_000, 10_000].filter((step) => step <= MOST);
/** Workspaces that are looked at after each step, in groups: the spread is of groups, since the server counts in 10 ms. */
const [GROUPS, EACH] = [5, 8];
const DATABASE = 'bench_workspaces';
const server = process.env.PRECEDENT_BENCH_POSTGRES ?? '';
if (server === '') {
  print('Name a PostgreSQL in PRECEDENT_BENCH_POSTGRES: scripts/postgres.sh start DIR PORT starts one.');
  process.exit(1);
}
const coordinator = process.env.PRECEDENT_BENCH_CITUS ?? '';

interface Side {
  name: string;
  db: string;
  /** The first process of each of its servers. */
  servers: number[];
  /** What each thing cost, by its name: the milliseconds of client and server, a number for each group. */
  costs: Record<string, { client: number[]; server: number[] }>;
}

const FIRST = "split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer";
const db = Object.assign(new URL(server), { pathname: `/${DATABASE}` }).href;
const name = (n: number) => `w${n}`;
const STEPS_OF_USE: Record<string, (memory: Memory, n: number) => Promise<unknown>> = {
  save: (memory, n) => memory.mem.save({ title: `Note ${n}`, content: `Retry the queue with backoff, ${n}` }),
  search: (memory) => memory.search({ query: 'queue backoff' }),
  recall: (memory) => memory.recall({ task: 'retry the queue' }),
};

const admin = new pg.Client({ connectionString: server });
await admin.connect();
await admin.query(`drop database if exists ${DATABASE} with (force)`);
await admin.query(`create database ${DATABASE} template template0 encoding 'UTF8'`);
try {
  machine();
  const { rows } = await admin.query("select version(), current_setting('fsync') as fsync");
  print(`${rows[0].version.split(' on ')[0]}, fsync ${rows[0].fsync}`);
  const sides: Side[] = [
    {
      name: 'PostgreSQL',
      db,
      servers: (await ask(db, `select ${FIRST} as pid`)).map(({ pid }) => pid),
      costs: {},
    },
  ];
  if (coordinator !== '') {
    const onEach = `select result::integer as pid from run_command_on_all_nodes($$ select ${FIRST} $$)`;
    const servers = (await ask(coordinator, onEach)).map(({ pid }) => pid);
    sides.push({ name: 'Citus', db: coordinator, servers, costs: {} });
    print((await ask(coordinator, 'select citus_version() as version'))[0].version.split(' on ')[0]);
  }
  print('\nMilliseconds of the processor, client + server (server: lowest … highest of five groups)\n');
  print(
    '| workspaces | on | make and open one | open one | save | search | recall | list all | one process keeps, MB |',
  );
  print('|---|---|---|---|---|---|---|---|---|');
  let there = 0;
  for (const step of STEPS) {
    for (const side of sides) side.costs = {};
    const [first, more] = [there, step - there];
    for (let group = 0; group < GROUPS; group++) {
      const end = first + Math.floor((more * (group + 1)) / GROUPS);
      if (end === there) continue;
      // Each is made, and then opened once more: what that takes less is what making it takes (N-1).
      for (const side of sides)
        for (const what of ['make', 'open'])
          await cost(
            side,
            what,
            async () => {
              for (let n = there; n < end; n++)
                await (await openMemory({ db: side.db, workspace: name(n) })).close();
            },
            end - there,
          );
      there = end;
    }
    for (let group = 0; group < GROUPS; group++)
      for (const side of sides) {
        const chosen = Array.from({ length: EACH }, (_, n) => ((group * EACH + n) * 7_919) % there);
        const memories: Memory[] = [];
        for (const n of chosen) memories.push(await openMemory({ db: side.db, workspace: name(n) }));
        for (const [what, use] of Object.entries(STEPS_OF_USE)) {
          // What a connection does for the first time is no part of it.
          for (const [n, memory] of memories.entries()) await use(memory, -n);
          await cost(
            side,
            what,
            async () => {
              for (let time = 0; time < 5; time++)
                for (const memory of memories) await use(memory, group * 100 + time);
            },
            EACH * 5,
          );
        }
        await Promise.all(memories.map((memory) => memory.close()));
      }
    for (const side of sides) {
      const cells = Object.values(side.costs).map(({ client, server }) => {
        const [mine, { p10, median, p90 }] = [spread(client), spread(server)];
        const shown = [mine.median, median, p10, p90].map((ms) => ms.toFixed(1));
        return `${shown[0]} + ${shown[1]} (${shown[2]} … ${shown[3]})`;
      });
      print(`| ${[there, side.name, ...cells, await listed(side), await kept(side)].join(' | ')} |`);
    }
  }
} finally {
  await admin.query(`drop database if exists ${DATABASE} with (force)`);
  await admin.end();
}

/** Notes what some work costs. @param times how often it does what is counted */
async function cost(side: Side, what: string, work: () => Promise<unknown>, times: number): Promise<void> {
  side.costs[what] ??= { client: [], server: [] };
  const theirs = await ofServers(side);
  const own = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(own);
  side.costs[what].client.push((user + system) / 1_000 / times);
  side.costs[what].server.push(((await ofServers(side)) - theirs) / times);
}

/** Milliseconds of the processor that the servers have taken, with those of their processes that have ended. */
async function ofServers({ servers }: Side): Promise<number> {
  // A process that ends meanwhile would be missed, or counted twice.
  await setTimeout(100);
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    let fields: string[];
    try {
      // After the name of the program, which may hold spaces: state, parent, …
      fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
    } catch {
      continue; // It has just ended.
    }
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as [
      number,
      number,
      number,
      number,
    ];
    if (servers.includes(Number(pid))) ticks += user + system + endedUser + endedSystem;
    else if (servers.includes(Number(fields[1]))) ticks += user + system;
  }
  return ticks * 10;
}

/** Milliseconds of one statement, by the clock. */
async function listed({ db }: Side): Promise<string> {
  const client = new pg.Client({ connectionString: db });
  await client.connect();
  const times: number[] = [];
  for (let n = 0; n < 10; n++) {
    const begun = performance.now();
    await client.query('select name, names from precedent.workspaces order by name');
    times.push(performance.now() - begun);
  }
  await client.end();
  return spread(times).median.toFixed(1);
}

/** What a process of the server has for itself when it has searched in each workspace, one after the other. */
async function kept({ db }: Side): Promise<string> {
  const client = new pg.Client({ connectionString: db });
  await client.connect();
  const { rows } = await client.query('select id, pg_backend_pid() as pid from precedent.workspaces');
  for (const { id } of rows)
    for (const text of [
      'begin',
      'set local search_path to precedent',
      `set local precedent.workspace to ${id}`,
      "select r.* from search_postings as p join records as r on r.seq = p.seq where p.term = 'queue'",
      'select * from observations order by id desc limit 5',
      'rollback',
    ])
      await client.query(text);
  const memory = readFileSync(`/proc/${rows[0].pid}/smaps_rollup`, 'utf8');
  await client.end();
  return (Number(/^Private_Dirty:\s+(\d+)/m.exec(memory)?.[1]) / 1_024).toFixed(1);
}

async function ask(connectionString: string, text: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}
