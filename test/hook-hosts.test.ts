import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { AGENTS, eventKind } from '../src/agents/agents.ts';
import { openMemory } from '../src/index.ts';
import { ROOT, workbench } from './support/program.ts';

/**
 * What each agent sends its hooks is a file in `fixtures/hooks/<agent>/`, as `npm run agents -- --record` saw it or, for what
 * nobody starts there, as its own pages say; what it must get stands in `expected/` beside it: null for no answer. With
 * PRECEDENT_RECORD set, a missing answer is written, to be read by a person before it is kept.
 */
const FIXTURES = join(ROOT, 'test/fixtures/hooks');
const payloads = globSync('*/*.json', { cwd: FIXTURES }).sort();

/** What the agents put into the environment of what they start. */
const ENVIRONMENT: Record<string, Record<string, string>> = {
  claude: { CLAUDECODE: '1', CLAUDE_PROJECT_DIR: '/home/kim/shop' },
  gemini: {
    GEMINI_SESSION_ID: 'b1e6d0a4',
    GEMINI_PROJECT_DIR: '/home/kim/shop',
    CLAUDE_PROJECT_DIR: '/home/kim/shop',
  },
  copilot: { COPILOT_CLI: '1', CLAUDE_PROJECT_DIR: '/home/kim/shop' },
  opencode: { OPENCODE: '1' },
  cursor: { CURSOR_VERSION: '3.20.17', CLAUDE_PROJECT_DIR: '/home/kim/shop' },
};

describe('the hosts of hooks', () => {
  it('[A-2] of each agent that has hooks it is known what it sends when a session starts, with a prompt, and before a call where it can ask', () => {
    for (const { name, hook } of AGENTS) {
      const sent = payloads
        .filter((file) => dirname(file) === name)
        .map((file) => JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')))
        .map((payload) => eventKind(payload.hook_event_name ?? payload.hookEventName ?? ''));
      for (const kind of ['start', 'prompt', ...(hook.ask ? (['call'] as const) : [])] as const)
        if (Object.values(hook.events).includes(kind))
          assert(sent.includes(kind), `fixtures/hooks/${name}/ has no ${kind}`);
    }
  });

  it('[CO-1] no two agents send one session, since what a session was told is not told again', () => {
    const agents = new Map<string, string>();
    for (const file of payloads) {
      const sent = JSON.parse(readFileSync(join(FIXTURES, file), 'utf8'));
      const session = String(sent.session_id ?? sent.sessionId ?? sent.conversation_id);
      const other = agents.get(session) ?? dirname(file);
      assert.equal(dirname(file), other, `${file} has a session of ${other}; give it one of its own`);
      agents.set(session, other);
    }
  });

  it('[A-2] each gets the answer that it reads, for what it sends', async (test) => {
    const bench = workbench(test, 'here');
    await fill(bench.db);
    const data = join(bench.folder, 'precedent');
    mkdirSync(data);
    const told = new Set<string>();
    for (const file of payloads) {
      const agent = dirname(file);
      const ran = await bench.run(['hook', agent], {
        stdin: readFileSync(join(FIXTURES, file)),
        env: { ...ENVIRONMENT[agent], XDG_DATA_HOME: bench.folder },
      });
      assert.deepEqual([ran.code, ran.stderr], [0, ''], file);
      const answer = ran.stdout === '' ? null : JSON.parse(plain(ran.stdout));
      const expected = join(FIXTURES, agent, 'expected', basename(file));
      if (!existsSync(expected) && process.env.PRECEDENT_RECORD) {
        mkdirSync(dirname(expected), { recursive: true });
        writeFileSync(expected, `${JSON.stringify(answer, null, 2)}\n`);
      }
      assert.deepEqual(answer, JSON.parse(readFileSync(expected, 'utf8')), file);
      if (JSON.stringify(answer).includes('All times are stored in UTC')) told.add(agent);
    }
    const hooked = AGENTS.filter(({ hook }) => Object.keys(hook.events).length > 0);
    assert.deepEqual(
      hooked.map(({ name }) => name).filter((name) => !told.has(name)),
      [],
      'these are told nothing of the axis: read what was recorded in expected/',
    );
    assert(!existsSync(join(data, 'hooks.log')), 'nothing failed');
  });
});

async function fill(db: string): Promise<void> {
  const memory = await openMemory({ db });
  const save = (topic: string, decision: string, more: object = {}) =>
    memory.mama.save({ topic, decision, ...more });
  await save('all:time', 'All times are stored in UTC', { scope: 'global', strength: 'axis' });
  const { id } = await save('auth:token', 'The session token of a login is stored in localStorage');
  await memory.mama.update({ id, outcome: 'failed', reason: 'A script of an advertisement read it' });
  await save('auth:token', 'The session token of a login is stored in a cookie that no script reads');
  await save('api:pagination', 'Listings use cursor pagination');
  await save('shop:money', 'Money of orders is kept in whole cents');
  await memory.mama.save({
    type: 'checkpoint',
    summary: 'The login works',
    next_steps: 'Let it end after a day',
  });
  await memory.close();
}

/** Days and ids are others each time. */
function plain(answer: string): string {
  return answer.replace(/\b\d{4}-\d\d-\d\d\b/g, 'DAY').replace(/\([0-9a-f]{8,}\)/g, '(ID)');
}
