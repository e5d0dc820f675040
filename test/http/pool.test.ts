import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  HOW_TO_GET_A_SERVER,
  holder,
  inside,
  isWaitedFor,
  newDatabaseWithTables,
  query,
  SERVER,
} from '../support/postgres.ts';
import { workbench } from '../support/program.ts';
import { until } from '../support/until.ts';

const MOST = 4;

describe('[OP-3] a server on PostgreSQL', { skip: SERVER === '' && HOW_TO_GET_A_SERVER }, () => {
  it('refuses nobody for want of a connection, and lets a workspace that waits for a lock keep none from the others', async (test) => {
    const bench = workbench(test);
    const { name, db } = await newDatabaseWithTables();
    const env = { PRECEDENT_DB: db, PRECEDENT_WORKSPACE: undefined };
    const file = join(bench.folder, 'tokens.jsonl');
    const tokens: string[] = [];
    for (const token of ['one', 'two', 'three']) {
      const added = await bench.succeed(['token', 'add', token, '--tokens', file, '--json'], { env });
      tokens.push(JSON.parse(added).token);
    }
    const place = ['--port', '0', '--tokens', file, '--connections', String(MOST)];
    const { child } = bench.start(['serve', ...place], { env });
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
    });
    await until(() => said.includes('Stop with'));
    const [, url] = /listens at (\S+)/.exec(said) ?? [];
    const ask = (path: string, input?: object, token = tokens[0]) =>
      fetch(`${url}/${path}`, {
        ...(input && { method: 'POST', body: JSON.stringify(input) }),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      });
    const save = (workspace: string, token?: string) =>
      ask(
        `api/v1/${workspace}/mama_save`,
        { type: 'decision', topic: 'a:b', decision: 'd', reasoning: 'r' },
        token,
      );

    let most = 0;
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        const [seen] = await query(
          `select count(*)::int as many from pg_stat_activity where datname = $1 and application_name = 'precedent'`,
          [name],
        );
        most = Math.max(most, seen?.many);
      }
    })();
    const workspaces = Array.from({ length: 12 }, (_, each) => `w${each}`);
    const calls = workspaces.flatMap((workspace) => [
      save(workspace),
      ask(`api/v1/${workspace}/mama_search`, { query: 'd' }),
    ]);
    for (const answer of await Promise.all(calls)) assert.equal(answer.status, 200, await answer.text());
    isOver = true;
    await watching;
    assert.ok(most > 0 && most <= MOST, `${most} connections`);

    const locking = await holder(
      db,
      'begin',
      ...inside('w0'),
      `select 1 from meta where key = 'writer' for update`,
    );
    const waiting = tokens.flatMap((token) => [save('w0', token), save('w0', token), save('w0', token)]);
    await until(() => isWaitedFor(locking));
    const others = await Promise.all(workspaces.slice(1).map((workspace) => save(workspace)));
    for (const answer of others) assert.equal(answer.status, 200, await answer.text());
    const counts = await (await ask('metrics')).text();
    assert.match(counts, /^precedent_connections [1-4]$/m);
    assert.match(counts, /^precedent_connections_waiting [1-9]/m);
    await locking.end();
    for (const answer of await Promise.all(waiting)) assert.equal(answer.status, 200, await answer.text());

    const refused = await bench.run(['serve', '--connections', '0'], { env });
    assert.match(refused.stderr, /Expected --connections to be a number from 1 to 1000, found "0"/);
  });
});
