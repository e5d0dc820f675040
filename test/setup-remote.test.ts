import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { AGENTS } from '../src/agents/agents.ts';
import { valueAt } from '../src/agents/edit/value.ts';
import { failureOf } from '../src/agents/remote.ts';
import { formatOf, HOOKED, KNOWN, REAL } from './support/agents.ts';
import { agentsHome } from './support/agents-home.ts';
import { git } from './support/machine.ts';
import { serving } from './support/serving.ts';

/** Where nothing is asked: `fetch` sends no request to port 1. */
const URL = 'https://127.0.0.1:1';
const AT = `${URL}/mcp/shop`;
const REMOTE = ['--workspace', 'shop'];
const NAMES = AGENTS.map(({ name }) => name);
const POSIX = { skip: process.platform === 'win32' && 'needs the homes of POSIX' };
const flat = (text: string) => text.replace(/\s+/g, ' ');
/** In the environment of each run: it must come out nowhere. */
const SECRET = 'prec_sehr-geheim';
const env = { PRECEDENT_TOKEN: SECRET };

describe('precedent setup --url', POSIX, () => {
  it('[A-1] [H-1] all agents: the server by its address, its token by a variable; twice is once, unsetup leaves what was there', async (test) => {
    const { read, json: answer, snapshot, everything } = agentsHome(test, [], 'here');
    const before = snapshot();
    await answer([...REMOTE, 'setup', '--url', `${URL}/`, ...NAMES], { env });
    for (const [name, { file, path, remote }] of Object.entries(KNOWN))
      assert.deepEqual(valueAt(formatOf(file).read(read(file)), path), remote(AT), name);
    for (const [, { file }] of HOOKED)
      assert.match(
        read(file).replace(/"?,\s*"?/g, ' '),
        /--url https:\/\/127\.0\.0\.1:1 --workspace shop hook/,
        file,
      );
    const after = everything();
    for (const content of Object.values(after))
      assert(!Buffer.from(content.split(' ')[1] ?? '', 'base64').includes(SECRET), 'the token is in no file');
    const { agents } = await answer([...REMOTE, 'setup', '--url', URL, ...NAMES], { env });
    for (const { files } of agents) for (const { done } of files) assert.equal(done, 'unchanged');
    assert.deepEqual(everything(), after);
    await answer(['unsetup']);
    assert.deepEqual(snapshot(), before);
  });

  it('[A-1] real settings come back to the byte, also after a server was started before', async (test) => {
    for (const [what, contentOf] of Object.entries(REAL)) {
      const { json: answer, put, snapshot } = agentsHome(test, [], 'here');
      for (const { file, path } of Object.values(KNOWN)) {
        const content = contentOf(file, path);
        if (content !== undefined) put(file, content);
      }
      const before = snapshot();
      await answer(['setup', ...NAMES]);
      const { agents } = await answer([...REMOTE, 'setup', '--url', URL, ...NAMES]);
      for (const { notes } of agents) assert.deepEqual(notes, [], what);
      const local = await answer(['setup', ...NAMES]);
      for (const { notes } of local.agents)
        assert.deepEqual(
          notes,
          [`no longer pinned to --url ${URL}`, 'no longer pinned to --workspace shop'],
          what,
        );
      await answer(['unsetup']);
      assert.deepEqual(snapshot(), before, what);
    }
  });

  it('[A-1] --project: the memory of this repository, in files that name no token', async (test) => {
    const { run, json: answer, read, snapshot, project } = agentsHome(test, [], 'here');
    rmSync(join(project, '.git'), { recursive: true });
    git(project, 'init', '--quiet');
    const bare = await run(['setup', '--project', '--url', URL, 'claude']);
    assert.match(bare.stderr, /no remote that names it for everybody. Name one with --workspace/);
    git(project, 'remote', 'add', 'origin', 'git@github.example:team/shop.git');
    const before = snapshot();
    // Git is asked for the remote.
    const options = { env: { ...env, PATH: process.env.PATH } };
    const { stdout } = await run(['setup', '--project', '--url', URL, ...NAMES], options);
    assert.match(flat(stdout), /read it from PRECEDENT_TOKEN.*Commit these files/);
    const { url } = JSON.parse(read('project/.mcp.json')).mcpServers.precedent;
    assert.equal(url, `${URL}/mcp/github.example~team~shop`);
    const { precedent } = JSON.parse(read('project/.gemini/settings.json')).mcpServers;
    assert.equal(precedent.trust, true);
    assert(precedent.includeTools.includes('mama_save'));
    assert.doesNotMatch(JSON.stringify(snapshot()), new RegExp(SECRET));
    await answer(['unsetup', '--project'], options);
    assert.deepEqual(snapshot(), before);
  });

  it('[A-1] --dry-run shows it; an address that is none, and one beside --db, are refused; a token in the open is warned of', async (test) => {
    const { run, everything } = agentsHome(test, [], 'here');
    await run(['--version']);
    const before = everything();
    const dry = await run([...REMOTE, 'setup', 'codex', '--url', URL, '--dry-run'], { env });
    assert.match(
      flat(dry.stdout),
      /\+ mcp_servers\.precedent: \{"url":"https:\/\/127\.0\.0\.1:1\/mcp\/shop","bearer_token_env_var":"PRECEDENT_TOKEN"\}/,
    );
    for (const url of [
      'memory.example',
      'https://a.example/mcp',
      'https://u:p@a.example',
      'ftp://a.example',
    ]) {
      const { code, stderr } = await run(['setup', 'codex', '--url', url]);
      assert.equal(code, 2, url);
      assert.match(stderr, /Expected --url to be an address such as/);
    }
    const both = await run(['--db', 'a.db', 'setup', 'codex', '--url', URL]);
    assert.match(both.stderr, /Expected --url or --db, found both/);
    const named = await run(['--workspace', '../x', 'setup', 'codex', '--url', URL]);
    assert.match(named.stderr, /Expected a workspace name/);
    assert.deepEqual(everything(), before);
    const open = await run(['setup', 'codex', '--url', 'http://0.0.0.0:1', '--dry-run']);
    assert.match(flat(open.stdout), /is not encrypted: .* All projects share one memory, that of the token/);
    const near = await run(['setup', 'codex', '--url', 'http://127.0.0.1:1', '--dry-run']);
    assert.doesNotMatch(near.stdout, /encrypted/);
  });
});

describe('why a request failed', () => {
  it('[T-12] is said by the name of the cause, never by the number that a time which is over has', () => {
    const of = (error: unknown) => failureOf('http://a', error).match(/\((.*)\)/)?.[1];
    assert.equal(of(new DOMException('too late', 'TimeoutError')), 'TimeoutError');
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    assert.equal(of(new TypeError('fetch failed', { cause: refused })), 'ECONNREFUSED');
    assert.equal(of(refused), 'ECONNREFUSED');
    // A port that no request is sent to has no code.
    assert.equal(of(new TypeError('fetch failed', { cause: new Error('bad port') })), 'bad port');
  });
});

describe('precedent doctor, of agents that reach a server', POSIX, () => {
  async function connected(test: TestContext, ...workspace: string[]) {
    const home = agentsHome(test, ['claude', 'codex'], 'here');
    const server = await serving(home.bench.folder, { shop: { workspaces: ['shop'] } });
    let isOpen = true;
    const close = async () => {
      if (isOpen) await server.close();
      isOpen = false;
    };
    test.after(close);
    await home.json([...workspace, 'setup', '--url', server.url]);
    const doctor = async (token?: string) => {
      const { stdout } = await home.run(['doctor'], { env: { PRECEDENT_TOKEN: token } });
      return flat(stdout);
    };
    return { ...home, server, doctor, close };
  }

  it('[A-1] [H-1] shows the address, and that the server answers with this token', async (test) => {
    const { server, doctor, json: answer } = await connected(test, '--workspace', 'shop');
    await server.api('shop/mama_save', { topic: 'a:b', decision: 'c' });
    const said = await doctor(server.tokens.shop);
    for (const title of ['Claude Code', 'Codex'])
      assert.match(
        said,
        new RegExp(`${title}\\s+connected, with [^│]*? · ${server.url}/mcp/shop · [│ ]*answers `),
      );
    assert.doesNotMatch(said.replace(/! Codex: it skips the hooks until/, ''), /!/);
    const { agents } = await answer(['doctor'], { env: { PRECEDENT_TOKEN: server.tokens.shop } });
    const [{ url, answers }] = agents;
    assert.deepEqual([url, answers], [`${server.url}/mcp/shop`, true]);
    // Two agents reach it, and it was asked once each time.
    assert.equal(server.audited.filter(({ operation }) => operation === 'briefing_get').length, 2);
  });

  it('[A-1] says what keeps it from answering: no token, one that does not hold, another memory, no server', async (test) => {
    const { server, doctor, close } = await connected(test, '--workspace', 'bank');
    assert.match(
      await doctor(),
      /· answers .*! Claude Code: PRECEDENT_TOKEN is not set in this shell: set it where the agent starts/,
    );
    assert.match(
      await doctor('prec_unknown'),
      /does not answer .*! Claude Code: \S+ does not accept the token in PRECEDENT_TOKEN/,
    );
    assert.match(
      await doctor(server.tokens.shop),
      /! Claude Code: the token in PRECEDENT_TOKEN gives no access to the memory at \S+\/mcp\/bank/,
    );
    assert.match(await doctor(server.tokens.all), /· answers/);
    await close();
    assert.match(await doctor(server.tokens.all), /! Claude Code: no server answers at \S+ \(ECONNREFUSED\)/);
  });

  it('[T-12] setup asks the server, and says what it answers', async (test) => {
    const { server, run, close } = await connected(test, '--workspace', 'shop');
    await server.api('shop/mama_save', { topic: 'a:b', decision: 'c' });
    const setup = async (token?: string, url = server.url) => {
      const words = ['--workspace', 'shop', 'setup', 'codex', '--url', url, '--dry-run'];
      return flat((await run(words, { env: { PRECEDENT_TOKEN: token } })).stdout);
    };
    assert.match(await setup(server.tokens.shop), /\S+ answers, from the memory shop\./);
    assert.match(await setup('prec_none'), /! \S+ does not accept the token in PRECEDENT_TOKEN\./);
    assert.match(await setup(), /Your token was not checked: PRECEDENT_TOKEN is not set here/);
    await close();
    assert.match(await setup(server.tokens.shop), /! no server answers at \S+ \(ECONNREFUSED\)/);
  });

  it('[H-2] a server that was entered by hand with a header of its own is not shown our token', async (test) => {
    const { run, put, bench } = agentsHome(test, ['claude'], 'here');
    const server = await serving(bench.folder);
    test.after(server.close);
    put(
      '.claude.json',
      JSON.stringify({
        mcpServers: {
          precedent: { type: 'http', url: `${server.url}/mcp`, headers: { Authorization: 'Bearer x' } },
        },
      }),
    );
    const { stdout } = await run(['doctor'], { env: { PRECEDENT_TOKEN: server.tokens.all } });
    assert.match(flat(stdout), /Claude Code\s+connected by hand[^│]* · answers/);
    assert.deepEqual(server.audited, []);
  });
});
