import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { PROGRAM, workbench } from '../support/program.ts';
import { provider } from '../support/provider.ts';
import { until } from '../support/until.ts';

/** What a server says when it starts. */
const SAID = /listens at (\S+)[\s\S]*Stop with/;
const HOME = { PRECEDENT_DB: undefined, PRECEDENT_WORKSPACE: undefined };

describe('[H-1] precedent serve', () => {
  const serve = async (bench: ReturnType<typeof workbench>, args: string[] = [], env = {}) => {
    const { child, exited } = bench.start(
      ['serve', ...(args.includes('--socket') ? [] : ['--port', '0']), ...args],
      { env: { ...HOME, ...env } },
    );
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    let problem = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      problem += text;
    });
    await Promise.race([until(() => SAID.test(said)), exited.then(() => assert.fail(problem))]);
    const url = SAID.exec(said)?.[1] ?? '';
    const token = /prec_\S+/.exec(said)?.[0];
    const api = async (path: string, input: unknown, given = token) => {
      const response = await fetch(`${url}/api/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(given && { authorization: `Bearer ${given}` }) },
        body: JSON.stringify(input),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    return { child, exited, url, token, api, said: () => said, problem: () => problem };
  };
  const save = (n: number) => ({ type: 'decision', topic: `load:t${n}`, decision: 'd', reasoning: 'r' });

  it('shares its memories with the command line, and lets in whoever has the token that it shows', async (test) => {
    const bench = workbench(test, 'here');
    const { api, exited, child, token, said } = await serve(bench);
    assert.ok(token && said().includes('127.0.0.1'));
    const first = await api('shop/mama_save', save(1));
    assert.equal(first.status, 200);
    assert.match(JSON.stringify(first.body), /New workspace \\"shop\\"/);
    assert.doesNotMatch(JSON.stringify((await api('shop/mama_save', save(3))).body), /New workspace/);
    const list = await bench.succeed(['--workspace', 'shop', 'list', '--json'], { env: HOME });
    assert.match(list, /load:t1/);
    assert.equal((await api('shop/mama_save', save(2), 'prec_other')).status, 401);
    child.kill('SIGINT');
    assert.equal(await exited, 0);
  });

  it('[V-7] precedent open serves the page of this memory, to whoever has its link', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['decide', 'auth:token', 'Cookies']);
    const { child, exited } = bench.start(['open', '--no-open'], {});
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    await until(() => /Stop with/.test(said));
    const [, url = '', token = ''] = /^(\S+?)\/#token=(\S+)/.exec(said) ?? [];
    assert.match(await (await fetch(url)).text(), /<title>Precedent/);
    const asked = (given: string) =>
      fetch(`${url}/api/v1/decision_list`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${given}` },
        body: '{}',
      });
    assert.match(await (await asked(token)).text(), /Cookies/);
    assert.equal((await asked('prec_other')).status, 401);
    child.kill('SIGINT');
    assert.equal(await exited, 0);
  });

  it('[H-5] answers every save that it has begun when it is asked to end, and loses none', async (test) => {
    const bench = workbench(test, 'here');
    const { api, exited, child } = await serve(bench);
    await api('shop/mama_save', save(0));
    let ended = 0;
    const calls = Array.from({ length: 40 }, async (_, n) => {
      const status = await api('shop/mama_save', save(n + 1)).then(
        (answer) => answer.status,
        () => undefined,
      );
      ended++;
      return status;
    });
    await until(() => ended >= 1);
    child.kill('SIGTERM');
    assert.equal(await exited, 0);
    const statuses = await Promise.all(calls);
    // One that was not read yet may be cut off; what was begun has its answer.
    const kept = statuses.filter((status) => status === 200).length;
    assert.ok(
      statuses.every((status) => status === 200 || status === undefined),
      String(statuses),
    );
    const all = JSON.parse(
      await bench.succeed(['--workspace', 'shop', 'list', '--limit', '100', '--json'], { env: HOME }),
    );
    assert.equal(all.decisions.length, kept + 1);
  });

  it('[OP-2] logs no text of a record, and writes its audit anew after SIGHUP', async (test) => {
    const bench = workbench(test, 'here');
    const audit = join(bench.folder, 'audit.jsonl');
    const { api, child, exited, problem } = await serve(bench, ['--audit', audit]);
    const secret = { type: 'decision', topic: 'log:leak', reasoning: 'builds_on: the giraffe' };
    for (const decision of ['Acme pays 40k', 'Acme pays 50k'])
      assert.equal((await api('shop/mama_save', { ...secret, decision })).status, 200);
    await until(() => problem().includes('has a warning'));
    assert.doesNotMatch(problem(), /Acme|giraffe/);
    renameSync(audit, `${audit}.1`);
    child.kill('SIGHUP');
    await until(() => existsSync(audit));
    await api('shop/mama_search', { query: 'acme' });
    assert.match(readFileSync(audit, 'utf8'), /mama_search/);
    assert.doesNotMatch(readFileSync(`${audit}.1`, 'utf8'), /mama_search/);
    child.kill('SIGTERM');
    assert.equal(await exited, 0);
  });

  it('[OP-2] says on standard error why calls fail, once a minute', async (test) => {
    const bench = workbench(test, 'here');
    const env = { PRECEDENT_DB: 'postgres://127.0.0.1:1/nowhere' };
    const { url, problem, child, exited } = await serve(bench, [], env);
    for (let n = 0; n < 3; n++) assert.equal((await fetch(`${url}/readyz`)).status, 503);
    await until(() => problem().includes('Calls fail'));
    assert.equal(problem().match(/Calls fail \(unreachable\)/g)?.length, 1, problem());
    child.kill('SIGINT');
    assert.equal(await exited, 0);
  });

  it('[OP-4] takes a file of tokens that appears, replaces a token, and answers probes under any name', async (test) => {
    const bench = workbench(test, 'here');
    const { api, url, child, exited } = await serve(bench);
    await api('shop/mama_save', save(1));
    const run = async (...args: string[]) =>
      JSON.parse(await bench.succeed(['token', ...args, '--json'], { env: HOME }));
    const { token, warnings } = await run('add', 'minsu', '--workspaces', 'shop,shopp');
    assert.match(warnings[0], /you as its author/);
    assert.match(warnings[1], /No workspace "shopp" .*Did you mean "shop"/);
    const search = async (given: string) => (await api('shop/mama_search', { query: 'd' }, given)).status;
    assert.equal(await search(token), 200);
    const rotated = await run('add', 'minsu', '--again');
    assert.deepEqual([await search(token), await search(rotated.token)], [401, 200]);
    const named = await run('add', 'kim', '--author', 'Kim', '--workspaces', 'shop');
    assert.equal(named.warnings, undefined);
    // It writes nothing.
    assert.equal((await run('add', 'reader', '--read')).warnings, undefined);
    const { hostname, port } = new URL(url);
    const probe = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { host: '10.1.2.3:7723' };
        get({ hostname, port, path, headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).on('error', reject);
      });
    assert.deepEqual(
      [await probe('/healthz'), await probe('/readyz'), await probe('/metrics'), await probe('/api/v1/me')],
      [200, 200, 403, 403],
    );
    child.kill('SIGINT');
    assert.equal(await exited, 0);
  });

  it('[OP-4] [OP-6] with an identity provider takes a file of tokens that appears, and offers its login', async (test) => {
    const bench = workbench(test, 'here');
    const { issuer } = await provider(test, 'https://memory.example/mcp');
    const at = ['--public-url', 'https://memory.example', '--oauth-issuer', issuer, '--oauth-login', 'page'];
    const { api, url } = await serve(bench, at);
    const added = await bench.succeed(['token', 'add', 'minsu', '--json'], { env: HOME });
    assert.equal((await api('shop/mama_save', save(1), JSON.parse(added).token)).status, 200);
    assert.match(await (await fetch(url)).text(), /<body data-login>/);
    const resource = await fetch(`${url}/.well-known/oauth-protected-resource/mcp`);
    // An agent asks for all of them, and a provider refuses one that it does not know.
    assert.deepEqual(((await resource.json()) as { scopes_supported: string[] }).scopes_supported, [
      'memory:read',
      'memory:write',
    ]);
    const to = (await fetch(`${url}/login`, { redirect: 'manual' })).headers.get('location') ?? '';
    const { origin, searchParams } = new URL(to);
    assert.deepEqual(
      [origin, searchParams.get('client_id'), searchParams.get('redirect_uri'), searchParams.get('scope')],
      [issuer, 'page', 'https://memory.example/login/done', 'memory:read memory:write'],
    );
  });

  it('[H-2] takes the tokens of its file, made and ended while it runs', async (test) => {
    const bench = workbench(test, 'here');
    const add = async (...args: string[]) =>
      (
        JSON.parse(await bench.succeed(['token', 'add', ...args, '--json'], { env: HOME })) as {
          token: string;
        }
      ).token;
    const reader = await add('minsu', '--read', '--workspaces', 'shop');
    const { api, said, problem } = await serve(bench, ['--audit', join(bench.folder, 'audit.jsonl')]);
    assert.doesNotMatch(said(), /prec_/);
    assert.equal((await api('shop/mama_search', { query: 'x' }, reader)).status, 200);
    assert.equal((await api('shop/mama_save', save(1), reader)).status, 403);
    assert.equal((await api('bank/mama_search', { query: 'x' }, reader)).status, 404);
    const writer = await add('ci', '--days', '1');
    assert.equal((await api('shop/mama_save', save(1), writer)).status, 200);
    const list = await bench.succeed(['token', 'list'], { env: HOME });
    assert.match(list, /minsu[\s\S]*ci/);
    assert.doesNotMatch(list, /prec_/);
    await bench.succeed(['token', 'revoke', 'ci'], { env: HOME });
    assert.equal((await api('shop/mama_save', save(2), writer)).status, 401);
    const audit = readFileSync(join(bench.folder, 'audit.jsonl'), 'utf8');
    assert.equal(audit.trim().split('\n').length, 5);
    assert.doesNotMatch(audit + problem(), /prec_|load:t1/);
  });

  it('[TR-8] a new token says what its holder does next', async (test) => {
    const bench = workbench(test, 'here');
    const add = (...args: string[]) => bench.succeed(['token', 'add', ...args], { env: HOME });
    const said: [next: RegExp, ...args: string[]][] = [
      [
        /Next, where its holder’s agents start: .*PRECEDENT_TOKEN.*setup --url\sADDRESS/s,
        'lee',
        '--author',
        'Lee',
      ],
      [/Next, on the machine that syncs: .*sync --init ADDRESS/s, 'laptop', '--sync'],
      [/Next, for its holder: .*in a browser/s, 'kim', '--for-person'],
    ];
    for (const [next, ...args] of said) assert.match(await add(...args), next);
    for (const [next, name = ''] of said) assert.match(await add(name, '--again'), next);
  });

  it('[H-2] of tokens that are added and revoked at once, none is lost', async (test) => {
    const bench = workbench(test, 'here');
    const names = Array.from({ length: 4 }, (_, n) => `t${n}`);
    const tokens = (command: string) =>
      Promise.all(
        names.map((name) => bench.succeed(['token', command, name], { env: HOME, program: PROGRAM })),
      );
    const list = async () => JSON.parse(await bench.succeed(['token', 'list', '--json'], { env: HOME }));
    await tokens('add');
    const kept = (await list()).tokens.map(({ name }: { name: string }) => name);
    assert.deepEqual(kept.sort(), names);
    await tokens('revoke');
    assert.deepEqual((await list()).tokens, []);
  });

  it('[H-5] goes on when the reader of its audit, and of its log, has gone away', async (test) => {
    const bench = workbench(test, 'here');
    const { child, exited, api, problem } = await serve(bench, ['--audit', '-']);
    child.stdout.destroy();
    for (let n = 0; n < 5; n++) assert.equal((await api('shop/mama_save', save(n))).status, 200);
    await until(() => /audit cannot be written \(EPIPE\)/.test(problem()));
    child.stderr.destroy();
    for (let n = 5; n < 10; n++) assert.equal((await api('shop/mama_save', save(n))).status, 200);
    child.kill('SIGTERM');
    assert.equal(await exited, 0);
  });

  it('[H-2] listens for others only with tokens and an address, and says what is missing', async (test) => {
    const bench = workbench(test, 'here');
    const refused = async (args: string[], said: RegExp) => {
      const { code, stderr } = await bench.run(
        ['serve', ...(args.includes('--socket') ? [] : ['--port', '0']), ...args],
        { env: HOME },
      );
      assert.notEqual(code, 0);
      assert.match(stderr, said);
    };
    await refused(['--host', '0.0.0.0'], /precedent token add/);
    await refused(['--host', '0.0.0.0', '--no-auth'], /--no-auth/);
    await refused(['--port', 'x'], /--port/);
    await refused(['--public-url', 'memory.example'], /--public-url/);
    await refused(['--trust-proxy', 'proxy.example'], /--trust-proxy/);
    await bench.succeed(['token', 'add', 'a'], { env: HOME });
    await refused(['--host', '0.0.0.0'], /--public-url/);
    await refused(['--tokens', 'none.jsonl'], /token add/);
    const { child } = await serve(bench, ['--no-auth']);
    child.kill();
  });

  it('[H-2] gives no token a name that no server could read', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['token', 'add', '김민수 (CI)', '--author', ''], { env: HOME });
    const again = await bench.run(['token', 'add', '김민수 (CI)'], { env: HOME });
    assert.match(again.stderr, /precedent token revoke "김민수 \(CI\)"/);
    for (const name of ['', ' ', 'a\nb', '\u001b[31m', 'x'.repeat(201)]) {
      const { code, stderr } = await bench.run(['token', 'add', name], { env: HOME });
      assert.equal(code, 2, JSON.stringify(name));
      assert.match(stderr, /^precedent: Expected a name/);
    }
    const { tokens } = JSON.parse(await bench.succeed(['token', 'list', '--json'], { env: HOME }));
    assert.deepEqual(
      tokens.map(({ name }: { name: string }) => name),
      ['김민수 (CI)'],
    );
    assert.notEqual(tokens[0].author, '');
  });

  it('says so when another program has its port', async (test) => {
    const bench = workbench(test, 'here');
    const { url } = await serve(bench);
    const args = ['serve', '--port', new URL(url).port];
    const { code, stderr } = await bench.run(args, { env: HOME });
    assert.notEqual(code, 0);
    assert.match(stderr, /--port/);
  });

  it('ends at once when it is asked twice', async (test) => {
    const bench = workbench(test, 'here');
    const { child, exited } = await serve(bench);
    child.kill('SIGINT');
    child.kill('SIGINT');
    assert.ok([0, 1].includes((await exited) as number));
  });

  it('listens at a socket that its owner alone may use, and takes away nothing else to get there', async (test) => {
    const bench = workbench(test, 'here');
    const [socket, file] = [join(bench.folder, 's'), join(bench.folder, 'precious.txt')];
    writeFileSync(file, 'kept');
    const refused = async (path: string) => {
      const { code, stderr } = await bench.run(['serve', '--socket', path], { env: HOME });
      assert.notEqual(code, 0);
      assert.match(stderr, /--socket/);
    };
    await refused(file);
    assert.equal(readFileSync(file, 'utf8'), 'kept');
    const { child, exited } = await serve(bench, ['--socket', socket]);
    assert.equal(statSync(socket).mode & 0o777, 0o600);
    await refused(socket);
    child.kill('SIGKILL');
    await exited;
    // What it left behind is replaced.
    const next = await serve(bench, ['--socket', socket]);
    next.child.kill('SIGTERM');
    assert.equal(await next.exited, 0);
  });

  it('answers under the address of this machine that it was given to listen at', async (test) => {
    const { url } = await serve(workbench(test), ['--host', '127.0.0.2']);
    assert.match(url, /127\.0\.0\.2/);
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
  });
});
