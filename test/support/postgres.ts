import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import pg from 'pg';

/** The PostgreSQL server that tests may make workspaces on, when there is one. */
export const SERVER = process.env.PRECEDENT_TEST_POSTGRES || undefined;
export const HOW_TO_GET_A_SERVER =
  'no PostgreSQL server: on Debian or Ubuntu, as root, "eval $(scripts/postgres.sh start /tmp/postgres)" starts one in that folder';

/** The name of a workspace that is not there yet; what is made under it is removed after the test. */
export function newWorkspace(): string {
  const workspace = `test-${randomBytes(8).toString('hex')}`;
  after(() => query(`drop schema if exists "${workspace}" cascade`));
  return workspace;
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
