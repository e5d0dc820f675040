import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { AGENTS } from '../src/agents/agents.ts';
import { openForServer } from '../src/cli/open-for-server.ts';
import { openMemory } from '../src/index.ts';
import {
  type HookEvent,
  hookUntil,
  machineOfHooks,
  newSession,
  saveWhatIsTold,
  TOKEN,
} from './support/hooking.ts';
import { workbench } from './support/program.ts';
import { GRANT, nobody, type Serving, serving } from './support/serving.ts';

/** The served memory lies beside the data folder. */
const { home: HOME, hook, remove } = machineOfHooks();
const SERVED = join(HOME, 'served');
const DB = join(SERVED, 'shop.db');

let server: Serving;

/** @param token shown to the server */
type Event = HookEvent & { token?: string | undefined };

const here = (event: Event) => hook({ db: DB }, event);
const there = (given: Event, workspace: string | null = 'shop') => {
  const { token, ...event } = { token: server.tokens.all, ...given };
  const environment = token === undefined ? {} : { PRECEDENT_TOKEN: token };
  return hook({ url: server.url, ...(workspace !== null && { workspace }) }, { ...event, environment });
};
const prompted = (prompt: string, event: Event = {}): Event => ({
  name: 'UserPromptSubmit',
  prompt,
  ...event,
});

before(async () => {
  mkdirSync(SERVED);
  const memory = await openMemory({ db: DB, writer: { author: GRANT.author } });
  await saveWhatIsTold(memory, 'The import stands.');
  await memory.close();
  const grants = {
    shop: { workspaces: ['shop'] },
    reader: { access: 'read' },
    other: { author: 'Lee <lee@example.com>' },
  } as const;
  // As `precedent serve` opens them: reading makes none.
  const open = (workspace: string) => openForServer({ db: join(SERVED, `${workspace}.db`) }, new Set());
  server = await serving(SERVED, grants, { source: { open } });
});
after(async () => {
  await server.close();
  remove();
});

describe('hooks that ask a server', () => {
  it('[A-2] [H-1] say the same as over the memory itself, to the byte, for each agent', async () => {
    const { telling, generic } = JSON.parse(readFileSync('bench/data/prompts/tune.json', 'utf8'));
    let told = 0;
    for (const { name: agent } of AGENTS.filter(({ hook }) => Object.values(hook.events).includes('start'))) {
      const start = { agent, source: 'startup' };
      const said = await here(start);
      assert.match(said, /mama_save/);
      assert.equal(await there(start), said, agent);
    }
    const [one, other] = [newSession(), newSession()];
    const prompts = [
      TOKEN,
      `${TOKEN} Again, please.`,
      ...telling.slice(0, 30).map(({ prompt }: { prompt: string }) => prompt),
      ...generic.slice(0, 5),
      '이거 메모해줘',
      'Tell me more',
      'auth:token@1 and #2',
    ];
    for (const prompt of prompts) {
      const said = await here(prompted(prompt, { session_id: one }));
      assert.equal(await there(prompted(prompt, { session_id: other })), said, prompt);
      if (said !== '') told++;
    }
    assert(told > 5, String(told));
    const edited = {
      name: 'PostToolUse',
      tool_name: 'Write',
      tool_input: { file_path: join(HOME, 'a.ts'), content: '// @decision all:axis' },
    };
    const said = await here(edited);
    assert.match(said, /all:axis/);
    assert.equal(await there(edited), said);
    for (const source of ['resume', 'compact']) {
      const again = { source, session_id: one };
      assert.equal(await there({ source, session_id: other }), await here(again), source);
    }
  });

  it('[H-2] ask the only memory of the token where none is named, with a token that stands in no log', async () => {
    const said = await there({ source: 'startup', token: server.tokens.shop }, null);
    assert.equal(said, await here({ source: 'startup' }));
    await assert.rejects(
      there({ source: 'startup', token: server.tokens.shop }, 'bank'),
      /gives no access to the memory at/,
    );
    await assert.rejects(
      there({ source: 'startup', token: 'prec_none' }),
      /does not accept the token in PRECEDENT_TOKEN/,
    );
    await assert.rejects(
      there({ source: 'startup', token: undefined }),
      /asks for a token, and PRECEDENT_TOKEN is not set/,
    );
    assert.equal(server.audited.at(-1)?.code, 'unauthorized');
    const kept = JSON.stringify([server.audited, server.logged]);
    for (const token of [...Object.values(server.tokens), 'prec_none']) assert(!kept.includes(token));
  });

  it('[M-11] the words of a prompt are recorded as here, in the conversation of the session; with a token that reads, none', async () => {
    const [one, other] = [newSession(), newSession()];
    const keywords = () => rowsOf('select name from keywords').map(({ name }) => name);
    await there(prompted('zebra okapi pagination', { session_id: one }));
    assert(keywords().includes('pagination'), 'a topic holds it');
    assert(!keywords().includes('zebra'));
    await there(prompted('the zebra again', { session_id: one }));
    assert(keywords().includes('zebra') && !keywords().includes('okapi'));
    assert(rowsOf('select session_id from conversations').some((row) => row.session_id === one));
    const token = server.tokens.reader;
    const read = prompted(`giraffe pagination\n${TOKEN}`, { session_id: other, token });
    for (const times of [1, 2])
      assert.equal(
        /auth:token/.test(await there({ ...read, prompt: `${read.prompt} ${times}` })),
        times === 1,
      );
    assert(
      server.audited.some(
        ({ operation, code }) => operation === 'briefing_record' && code === 'unauthorized',
      ),
    );
    assert(!keywords().includes('giraffe'));
    // The text of a prompt goes to no server.
    assert(!JSON.stringify([server.audited, server.logged]).includes('giraffe'));
  });

  it('[K-2] a memory that is not there is not made', async () => {
    assert.match(await there({ source: 'startup' }, 'nowhere'), /mama_save/);
    assert.equal(await there(prompted('zebra okapi pagination'), 'nowhere'), '');
    assert(!existsSync(join(SERVED, 'nowhere.db')));
  });
});

function rowsOf(sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(DB, { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

describe('precedent hook --url', () => {
  const SECRET = 'prec_sehr-geheim';
  const START = JSON.stringify({ hook_event_name: 'SessionStart', session_id: 'a', source: 'startup' });
  const OUT_OF_REACH =
    /"systemMessage":"Precedent is out of reach: .*do not conclude that nothing was decided/;

  it('[A-2] [H-1] the program as setup enters it', async (test) => {
    const bench = workbench(test);
    const env = { PRECEDENT_TOKEN: server.tokens.all };
    const args = ['--url', server.url, '--workspace', 'shop', 'hook', 'claude'];
    const { code, stdout, stderr } = await bench.run(args, { stdin: START, env });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.equal(stdout, await here({ source: 'startup' }));
  });

  it('[A-2] [T-12] whatever a server does: exit code 0, that it is out of reach, the deadline, and a log without the token', async (test) => {
    const seen: string[] = [];
    const servers: Record<
      string,
      (answer: (status: number, body: string, headers?: object) => void) => void
    > = {
      'no JSON': (answer) => answer(200, '<html>'),
      'another shape': (answer) => answer(200, '{}'),
      'an endless answer': (answer) => answer(200, `"${'x'.repeat(2_000_000)}`),
      'it is busy': (answer) => answer(503, '{}', { 'retry-after': '1' }),
      'it leads elsewhere': (answer) => answer(307, '', { location: `http://127.0.0.1:${elsewhere}/` }),
      'it never answers': () => {},
    };
    const stranger = createHttpServer(({ headers }, response) => {
      seen.push(String(headers.authorization));
      response.end('{}');
    }).listen(0, '127.0.0.1');
    test.after(() => stranger.close());
    await new Promise((resolve) => stranger.once('listening', resolve));
    const { port: elsewhere } = stranger.address() as { port: number };
    for (const [what, does] of Object.entries(servers)) {
      const bench = workbench(test, 'here');
      let isAsked = false;
      const data = join(bench.folder, 'precedent');
      mkdirSync(data);
      const odd = createHttpServer((request, response) => {
        request.resume();
        isAsked = true;
        does((status, body, headers = {}) => response.writeHead(status, { ...headers }).end(body));
      }).listen(0, '127.0.0.1');
      test.after(() => {
        odd.closeAllConnections();
        odd.close();
      });
      await new Promise((resolve) => odd.once('listening', resolve));
      const { port } = odd.address() as { port: number };
      const env = { XDG_DATA_HOME: bench.folder, PRECEDENT_TOKEN: SECRET };
      const args = ['hook', 'claude', '--url', `http://127.0.0.1:${port}`];
      const { code, stdout, stderr } =
        what === 'it never answers'
          ? await hookUntil(bench, { args, stdin: START, env }, () => isAsked)
          : await bench.run(args, { stdin: START, env });
      assert.deepEqual([code, stderr], [0, ''], what);
      assert.match(stdout, OUT_OF_REACH, what);
      assert(!stdout.includes(SECRET), what);
      assert.match(readFileSync(join(data, 'hooks.log'), 'utf8'), /claude /, what);
      for (const name of readdirSync(data, { recursive: true, withFileTypes: true }))
        if (name.isFile())
          assert(!readFileSync(join(name.parentPath, name.name), 'utf8').includes(SECRET), what);
    }
    assert.deepEqual(seen, [], 'nobody else is shown the token');
  });

  it('[A-2] [T-12] a server that is not there, and one that never speaks', async (test) => {
    let asked = 0;
    const mute = createServer((socket) => {
      asked++;
      socket.on('error', () => {});
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => mute.once('listening', resolve));
    test.after(() => mute.close());
    const { port } = mute.address() as { port: number };
    const bench = workbench(test, 'here');
    const argsFor = (url: string) => ['--url', url, 'hook', 'codex'];
    for (const url of [await nobody(test), 'no address']) {
      // It is said once a session.
      const { code, stdout } = await bench.run(argsFor(url), { stdin: START.replace('"a"', `"${url}"`) });
      assert.equal(code, 0, url);
      assert.match(stdout, OUT_OF_REACH, url);
    }
    const args = argsFor(`https://127.0.0.1:${port}`);
    const { code, stdout } = await hookUntil(bench, { args, stdin: START }, () => asked > 0);
    assert.equal(code, 0);
    assert.match(stdout, OUT_OF_REACH);
  });
});
