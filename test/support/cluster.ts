import { execFile } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { query } from './postgres.ts';
import { until } from './until.ts';

/** What PostgreSQL's own programs are run with: `scripts/postgres.sh run DIR`, or `env PATH=…`. */
const RUN = (process.env.PRECEDENT_TEST_POSTGRES_RUN ?? '').split(' ').filter(Boolean);
export const HOW_TO_RUN =
  'PostgreSQL’s own programs cannot be run: "eval $(scripts/postgres.sh start /tmp/postgres)" says how, as root on Debian';
export const canRun = RUN.length > 0;
/** Seconds that PostgreSQL's programs wait for a server on a busy machine. */
const PATIENCE = '600';

/** Runs one of PostgreSQL's programs. @returns what it printed */
async function run(...command: string[]): Promise<string> {
  const [program = '', ...rest] = [...RUN, ...command];
  return (await promisify(execFile)(program, rest)).stdout;
}

/** One server of its own. */
export interface Server {
  url: string;
  port: number;
  /** As if its machine had lost its power. */
  kill(): Promise<void>;
  promote(): Promise<void>;
}

/** Two new servers: nothing is acknowledged by the first before the second has it too. */
export async function primaryAndStandby(): Promise<{ primary: Server; standby: Server }> {
  const folder = (await run('mktemp', '-d', '/tmp/failover-XXXXXX')).trim();
  const [one, other] = [`${folder}/primary`, `${folder}/standby`];
  after(async () => {
    for (const data of [one, other])
      await run('pg_ctl', '-D', data, '-m', 'immediate', 'stop').catch(() => {});
    await run('rm', '-rf', folder);
  });
  await run('initdb', '-D', one, '-A', 'trust', '-U', 'postgres', '--no-sync', '--locale=C.UTF-8');
  const primary = await start(one);
  const name = `standby_${randomBytes(4).toString('hex')}`;
  const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${name}`;
  await run('pg_basebackup', '-D', other, '-R', '-X', 'stream', '-c', 'fast', '--no-sync', '-d', source);
  const standby = await start(other);
  await query(`alter system set synchronous_standby_names = '${name}'`, [], primary.url);
  await query('select pg_reload_conf()', [], primary.url);
  const isSynchronous = async () =>
    (await query("select 1 from pg_stat_replication where sync_state = 'sync'", [], primary.url)).length > 0;
  await until(isSynchronous);
  return { primary, standby };
}

async function start(data: string): Promise<Server> {
  const port = await startSomewhere(data);
  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async kill() {
      // The first line is the number of the process from which all others come.
      await run('sh', '-c', `kill -9 $(head -n 1 ${data}/postmaster.pid)`);
    },
    async promote() {
      await run('pg_ctl', '-D', data, '-w', '-t', PATIENCE, 'promote');
    },
  };
}

/** Starts a server on a port that is free: another may take it first, so the server itself says whether it got it. */
async function startSomewhere(data: string): Promise<number> {
  for (;;) {
    // Not among those that the system gives to connections (from 32,768 on).
    const port = randomInt(20_000, 32_000);
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=/tmp -c fsync=off -c jit=off`;
    const log = `${data}.${port}.log`;
    try {
      await run('pg_ctl', '-D', data, '-w', '-t', PATIENCE, '-l', log, '-o', options, 'start');
      return port;
    } catch (error) {
      if (!(await run('cat', log)).includes('Address already in use')) throw error;
    }
  }
}
