import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openMemory } from '../../src/index.ts';
import { HOW_TO_GET_A_SERVER, newWorkspace, query, SERVER } from '../support/postgres.ts';
import { workbench } from '../support/program.ts';
import { until } from '../support/until.ts';

describe('[OP-1] an upgrade of the tables, with a server whose role does not own them', {
  skip: SERVER === '' && HOW_TO_GET_A_SERVER,
}, () => {
  it('is due where the server is not ready, lets calls wait, and ends an older server’s being ready', async (test) => {
    const bench = workbench(test);
    const id = newWorkspace().slice(-8);
    const [owner, team, name] = [`owner-${id}`, `team-${id}`, `db-${id}`];
    for (const role of [owner, team]) await query(`create role "${role}" login`);
    await query(`create database "${name}" owner "${owner}"`);
    test.after(async () => {
      await query(`drop database "${name}" with (force)`);
      for (const role of [owner, team]) await query(`drop role "${role}"`);
    });
    const as = (role: string) =>
      Object.assign(new URL(SERVER), { username: role, pathname: `/${name}` }).href;
    const asOwner = (text: string) => query(text, [], as(owner));
    const made = await bench.succeed(['upgrade', '--json'], {
      env: { PRECEDENT_DB: as(owner), PRECEDENT_WORKSPACE: undefined },
    });
    assert.equal(JSON.parse(made).from, 'none');
    assert.equal((await asOwner("select from pg_tables where schemaname = 'precedent'")).length > 20, true);
    await (await openMemory({ db: as(owner), workspace: 'shop' })).close();
    await asOwner(`grant usage on schema precedent to "${team}"`);
    await asOwner(`grant select, insert, update, delete on all tables in schema precedent to "${team}"`);
    // As the version before made it.
    for (const index of ['date', 'record', 'change']) await asOwner(`drop index precedent.saves_${index}`);
    const [last] = await asOwner(
      `delete from precedent.kysely_migration
        where name = (select max(name) from precedent.kysely_migration) returning name, timestamp`,
    );

    const env = { PRECEDENT_DB: as(team), PRECEDENT_WORKSPACE: undefined };
    const tokens = join(bench.folder, 'tokens.jsonl');
    const added = await bench.succeed(['token', 'add', 'ops', '--tokens', tokens, '--json'], { env });
    const { child } = bench.start(['serve', '--port', '0', '--tokens', tokens], { env });
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
    });
    let problem = '';
    child.stderr.on('data', (text) => {
      problem += text;
    });
    await until(() => said.includes('Stop with'));
    const [, url] = /listens at (\S+)/.exec(said) ?? [];
    const ready = async () => (await fetch(`${url}/readyz`)).status;
    const search = async () => {
      const response = await fetch(`${url}/api/v1/shop/mama_search`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${JSON.parse(added).token}`,
          'content-type': 'application/json',
        },
        body: '{"query":"cookies"}',
      });
      return { status: response.status, body: await response.text() };
    };

    assert.equal(await ready(), 503);
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    const refused = await bench.run(['upgrade', '--json'], { env });
    assert.equal(refused.code, 5);
    assert.match(refused.stderr, new RegExp(`connected as the role .*${owner}.*precedent upgrade`));
    const waiting = search();
    const done = await bench.succeed(['upgrade', '--json'], { env: { ...env, PRECEDENT_DB: as(owner) } });
    const { to, workspaces } = JSON.parse(done) as { to: string; workspaces: number };
    assert.deepEqual([to, workspaces], [last?.name, 1]);
    assert.equal((await waiting).status, 200, (await waiting).body);
    await until(async () => (await ready()) === 200);
    await asOwner(`revoke insert on all tables in schema precedent from "${team}"`);
    await until(async () => (await ready()) === 503);
    await until(() => problem.includes('Calls fail (no_access)'));
    assert.equal((await search()).status, 200);
    await asOwner(`grant insert on all tables in schema precedent to "${team}"`);
    await until(async () => (await ready()) === 200);
    const again = await bench.succeed(['upgrade', '--json'], { env: { ...env, PRECEDENT_DB: as(owner) } });
    assert.equal(JSON.parse(again).to, undefined);

    await asOwner(`insert into precedent.kysely_migration values ('9999-future', now())`);
    await until(async () => (await ready()) === 503);
    const { status, body } = await search();
    assert.deepEqual([status, JSON.parse(body).error.reason], [503, 'newer']);
  });
});
