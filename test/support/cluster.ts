import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { query } from './postgres.ts';

/** What PostgreSQL's own programs are run with: `scripts/postgres.sh run DIR`, or `env PATH=…`. */
const RUN = (process.env.PRECEDENT_TEST_POSTGRES_RUN ?? '').split(' ').filter(Boolean);
export const HOW_TO_RUN =
  'PostgreSQL’s own programs cannot be run: "eval $(scripts/postgres.sh start /tmp/postgres)" says how, as root on Debian';
export const canRun = RUN.length > 0;

/** Runs one of PostgreSQL's programs. @returns what it printed */
async function run(...command: string[]): Promise<string> {
  const [program = '', ...rest] = [...RUN, ...command];
  return (await promisify(execFile)(program, rest)).stdout;
}

/** A port that nothing listens on. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
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
  while (!(await isSynchronous())) await new Promise((resolve) => setTimeout(resolve, 50));
  return { primary, standby };
}

async function start(data: string): Promise<Server> {
  const port = await freePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=/tmp -c fsync=off -c jit=off`;
  await run('pg_ctl', '-D', data, '-w', '-l', `${data}.log`, '-o', options, 'start');
  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async kill() {
      // The first line is the number of the process from which all others come.
      await run('sh', '-c', `kill -9 $(head -n 1 ${data}/postmaster.pid)`);
    },
    async promote() {
      await run('pg_ctl', '-D', data, '-w', 'promote');
    },
  };
}
