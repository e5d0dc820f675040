import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { lastTold } from '../src/cli/agents/hook-sessions.ts';
import { agentsHome } from './support/agents-home.ts';

const POSIX = { skip: process.platform === 'win32' && 'needs the homes of POSIX' };
const QUESTION = 'Where should the login session token of the browser go, and which cache engine?';

/** A project whose memory has two decisions on what {@link QUESTION} asks, and the hook run in it. */
async function project(test: TestContext) {
  const home = agentsHome(test, [], 'here');
  const { json, run, project: cwd, data } = home;
  await json([
    'tool',
    'mama_save',
    'auth:token',
    'The login session token goes into a cookie of the browser',
  ]);
  await json(['tool', 'mama_save', 'cache:engine', 'The cache engine of the login is Valkey']);
  const { location, workspace } = await json(['doctor']);
  let events = 0;
  return {
    ...home,
    db: location as string,
    told: () => lastTold(data, { db: location, workspace }),
    /** Runs the hook. @returns what the agent is told */
    async hook(event: object, agent = 'claude', options = {}): Promise<string> {
      const stdin = JSON.stringify({ session_id: `s${++events}`, cwd, ...event });
      const { code, stdout, stderr } = await run(['hook', agent], { stdin, ...options });
      assert.deepEqual([code, stderr], [0, '']);
      return stdout && JSON.parse(stdout).hookSpecificOutput.additionalContext;
    },
  };
}
const START = { hook_event_name: 'SessionStart', source: 'startup' };
const ASK = { hook_event_name: 'UserPromptSubmit', prompt: QUESTION };

describe('what was told last', POSIX, () => {
  it('[A-1] is kept without a word of prompt or record, and doctor names it', async (test) => {
    const { hook, told, json, run, data } = await project(test);
    assert.equal((await json(['doctor'])).last_shown, undefined);
    assert.doesNotMatch((await run(['doctor'])).stdout, /last shown/);
    const context = await hook(ASK, 'codex');
    const ids = [...context.matchAll(/ \(([\da-f]{8,})\)$/gm)].map(([, id = '']) => id);
    assert.equal(ids.length, 2);
    const kept = told();
    assert.deepEqual(
      [kept?.agent, kept?.event, kept?.ids.map((id) => id.slice(0, 8))],
      ['codex', 'prompt', ids.map((id) => id.slice(0, 8))],
    );
    assert(kept && kept.tokens > 20);
    const sessions = readdirSync(join(data, 'hooks')).filter((name) => name.endsWith('.json'));
    assert.equal(sessions.length, 1);
    for (const name of sessions) {
      assert.equal(statSync(join(data, 'hooks', name)).mode & 0o777, 0o600);
      assert.doesNotMatch(readFileSync(join(data, 'hooks', name), 'utf8'), /login|cookie|auth|cache/);
    }
    const { last_shown } = await json(['doctor']);
    assert.deepEqual(last_shown.records.map(({ topic }: { topic: string }) => topic).sort(), [
      'auth:token',
      'cache:engine',
    ]);
    const { stdout } = await run(['doctor']);
    assert.match(stdout, /last shown: 2 records to codex, (?:today|yesterday) \d\d:\d\d: \S+:\S+, \S+:\S+$/m);
    // The start of another session tells the tools alone: that hides no record that was shown before.
    assert.notEqual(await hook(START), '');
    assert.match((await run(['doctor'])).stdout, /last shown: 2 records to codex, /);
  });

  it('[A-1] is that there is a memory, while no record was shown', async (test) => {
    const { hook, run } = await project(test);
    await hook(START);
    assert.match(
      (await run(['doctor'])).stdout,
      /last shown: no record to claude, (?:today|yesterday) \d\d:\d\d, only that there is/,
    );
  });

  it('[A-1] stays what it was when nothing is told, or where it cannot be kept', async (test) => {
    const { hook, told, data } = await project(test);
    await hook(ASK);
    const before = told();
    assert.equal(await hook({ ...ASK, prompt: 'fix the tests' }), '');
    assert.deepEqual(told(), before);
    rmSync(join(data, 'hooks'), { recursive: true });
    writeFileSync(join(data, 'hooks'), '');
    assert.match(await hook(ASK), /auth:token/);
    rmSync(join(data, 'hooks'));
    mkdirSync(join(data, 'hooks'));
    assert.equal(told(), undefined);
    await hook(ASK);
    for (const damaged of ['', '{', 'null', '{"last":{"at":1,"agent":"claude","ids":[]}}']) {
      for (const name of readdirSync(join(data, 'hooks'))) writeFileSync(join(data, 'hooks', name), damaged);
      assert.equal(told(), undefined, damaged);
    }
  });

  it('[A-1] [T-12] a memory of a newer Precedent is said once a session, to the person and to the model', async (test) => {
    const { db, told, data, project: cwd, run } = await project(test);
    const hook = async (event: object, session_id: string, agent = 'claude') => {
      const stdin = JSON.stringify({ session_id, cwd, ...event });
      const { stdout } = await run(['hook', agent], { stdin });
      return stdout && JSON.parse(stdout);
    };
    const upgrade = (file: string) => {
      const database = new DatabaseSync(file);
      database.exec("insert into kysely_migration values ('9999-future', '2030-01-01T00:00:00.000Z')");
      database.close();
    };
    upgrade(db);
    const { systemMessage, hookSpecificOutput } = await hook(ASK, 'a');
    assert.match(systemMessage, /written by a newer version .*"precedent setup" with the newest version/);
    assert.match(hookSpecificOutput.additionalContext, /do not conclude that nothing was decided/);
    for (const event of [ASK, START, ASK]) assert.equal(await hook(event, 'a'), '');
    assert.equal(told(), undefined);
    assert.match(readFileSync(join(data, 'hooks.log'), 'utf8'), /newer version/);
    assert.match((await hook(START, 'b', 'codex')).systemMessage, /newer version/);
    assert.match((await hook(START, 'c', 'opencode')).context, /Tell the user: .*newer version/);
    // A server says it with each call: nobody else tells its user.
    const { code, stderr } = await run(['tool', 'mama_search', 'token']);
    assert.equal(code, 5);
    assert.match(
      stderr,
      /left as it is\. Update Precedent; for agents, "precedent setup" with the newest version does/,
    );
  });

  it('[A-1] what an agent does not take with an event was not said, and is said with the next', async (test) => {
    const { db, run, project: cwd, told } = await project(test);
    const cursor = async (hook_event_name: string, session_id: string) => {
      const stdin = JSON.stringify({ hook_event_name, session_id, cwd, prompt: QUESTION });
      return (await run(['hook', 'cursor'], { stdin })).stdout;
    };
    assert.equal(await cursor('beforeSubmitPrompt', 'a'), '');
    assert.equal(told(), undefined);
    const database = new DatabaseSync(db);
    database.exec("insert into kysely_migration values ('9999-future', '2030-01-01T00:00:00.000Z')");
    database.close();
    assert.equal(await cursor('beforeSubmitPrompt', 'b'), '');
    assert.match(await cursor('sessionStart', 'b'), /newer version/);
    assert.equal(await cursor('sessionStart', 'b'), '');
  });
});
