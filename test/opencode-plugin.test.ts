import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { opencodePlugin } from '../src/agents/hosts/opencode.ts';
import { agentsHome } from './support/agents-home.ts';

/** The part of @opencode-ai/plugin 1.18.33 that the plugin uses. */
interface Hooks {
  event(input: { event: { type: string; properties: object } }): Promise<void>;
  'experimental.chat.system.transform'(
    input: { sessionID?: string },
    output: { system: string[] },
  ): Promise<void>;
  'tool.execute.after'(
    input: { tool: string; sessionID: string; args: object },
    output: { output: string },
  ): Promise<void>;
  'chat.message'(
    input: { sessionID: string },
    output: { message: { id: string }; parts: Part[] },
  ): Promise<void>;
}
interface Part {
  id: string;
  type: string;
  text?: string;
  synthetic?: boolean;
}

/** Answers an event with what it was, and notes it; "nothing", "no JSON" and "fail" in a prompt are done as told. */
const PROGRAM = `
const { appendFileSync, readFileSync } = require('node:fs');
const text = readFileSync(0, 'utf8');
appendFileSync(process.argv[2], text + '\\n');
const { prompt = '', source = '', session_id } = JSON.parse(text);
if (session_id === 'noted') process.on('exit', () => appendFileSync(process.argv[2], '{"answered":"' + source + '"}\\n'));
if (prompt.includes('fail')) process.exit(1);
if (prompt.includes('no JSON')) process.stdout.write('{"context"');
else if (!prompt.includes('nothing')) process.stdout.write(JSON.stringify({ context: ('알려진 ' + source + prompt) }));
`;

/** The plugin as setup writes it, in a process of OpenCode, which is this one. */
async function loaded(test: TestContext, command?: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-plugin-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  const [program, log, file] = ['a program.cjs', 'asked', 'precedent.mjs'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(program, PROGRAM);
  writeFileSync(file, opencodePlugin(command ?? [process.execPath, program, log]));
  const module = await import(pathToFileURL(file).href);
  assert.deepEqual(Object.keys(module), ['Precedent'], 'OpenCode calls all that a plugin exports');
  const hooks: Hooks = await module.Precedent({ directory: folder });
  const asked = () =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  return {
    folder,
    hooks,
    asked,
    /** What a request has as its system messages. */
    async system(sessionID?: string) {
      const output = { system: ['You are OpenCode.'] };
      await hooks['experimental.chat.system.transform']({ ...(sessionID && { sessionID }) }, output);
      return output.system;
    },
    /** What was added to a message. */
    async added(sessionID: string, ...parts: Part[]) {
      const output = { message: { id: 'msg_1' }, parts: [...parts] };
      await hooks['chat.message']({ sessionID }, output);
      assert.deepEqual(output.parts.slice(0, parts.length), parts);
      return output.parts.slice(parts.length);
    },
  };
}

const said = (text: string): Part => ({ id: 'prt_01', type: 'text', text });

describe('the plugin for OpenCode', () => {
  it('[A-2] gives the start of a session to every request in the one system message, asked for once', async (test) => {
    const { system, asked, folder, hooks } = await loaded(test);
    for (const _ of [1, 2]) assert.deepEqual(await system('ses_1'), ['You are OpenCode.\n\n알려진 startup']);
    const start = { hook_event_name: 'SessionStart', session_id: 'ses_1', source: 'startup', cwd: folder };
    assert.deepEqual(asked(), [start]);
    assert.deepEqual(await system(), ['You are OpenCode.'], 'a request outside of sessions');
    await hooks.event({ event: { type: 'session.compacted', properties: { sessionID: 'ses_1' } } });
    assert.deepEqual(await system('ses_1'), ['You are OpenCode.\n\n알려진 compact']);
    assert.equal(asked().length, 2);
  });

  it('[A-2] adds to a message what is known about it, in a part that stays with it and is not shown', async (test) => {
    const { added, asked } = await loaded(test);
    const own = { id: 'prt_02', type: 'text', text: 'a file that was read', synthetic: true };
    assert.deepEqual(await added('ses_1', said('어디에 저장하지?'), own), [
      {
        id: 'prt_020',
        sessionID: 'ses_1',
        messageID: 'msg_1',
        type: 'text',
        text: '알려진 어디에 저장하지?',
        synthetic: true,
      },
    ]);
    const prompts = asked().filter(({ prompt }) => prompt);
    assert.deepEqual(
      prompts.map(({ prompt, session_id, hook_event_name }) => [prompt, session_id, hook_event_name]),
      [['어디에 저장하지?', 'ses_1', 'UserPromptSubmit']],
    );
    assert.deepEqual(await added('ses_1', own), [], 'OpenCode goes on by itself');
    assert.equal(asked().filter(({ prompt }) => prompt).length, 1);
  });

  it('[A-2] asks about a prompt when the start was answered, which may make what was told unsaid', async (test) => {
    const { added, asked, hooks } = await loaded(test);
    await hooks.event({ event: { type: 'session.compacted', properties: { sessionID: 'noted' } } });
    await added('noted', said('어디에?'));
    const order = asked().map(({ prompt, source, answered }) => prompt ?? source ?? `answered ${answered}`);
    assert.deepEqual(order.slice(0, 3), ['compact', 'answered compact', '어디에?']);
  });

  it('[T-12] a subagent has in each request what it is told at its start, once asked for with its task', async (test) => {
    const { added, system, asked, hooks, folder } = await loaded(test);
    const created = { type: 'session.created', properties: { info: { id: 'ses_2', parentID: 'ses_1' } } };
    await hooks.event({ event: created });
    for (const prompt of ['look for it', 'and for more'])
      assert.deepEqual(await added('ses_2', said(prompt)), [], 'no prompt of a person');
    await hooks.event({ event: { type: 'session.compacted', properties: { sessionID: 'ses_2' } } });
    for (const _ of [1, 2])
      assert.deepEqual(await system('ses_2'), ['You are OpenCode.\n\n알려진 look for it']);
    const start = { hook_event_name: 'SubagentStart', session_id: 'ses_2', agent_id: 'ses_2' };
    assert.deepEqual(asked(), [{ ...start, prompt: 'look for it', cwd: folder }]);
    const read = { output: 'text' };
    await hooks['tool.execute.after']({ tool: 'read', sessionID: 'ses_2', args: { filePath: 'a.ts' } }, read);
    assert.equal(read.output, 'text\n알려진 ', 'what binds its files, too');
    assert.deepEqual(asked().map(({ hook_event_name, session_id }) => [hook_event_name, session_id])[1], [
      'PostToolUse',
      'ses_2',
    ]);
  });

  it('[A-2] is silent where nothing is known or something fails', async (test) => {
    const { added, hooks } = await loaded(test);
    for (const prompt of ['nothing', 'no JSON', 'fail'])
      assert.deepEqual(await added('ses_1', said(prompt)), []);
    await hooks.event({ event: { type: 'session.created', properties: {} } });
  });

  it('[A-2] OpenCode goes on where the program or the folder is gone', async (test) => {
    const { added, system } = await loaded(test, ['/gone/node', '/gone/precedent.cjs']);
    assert.deepEqual(await added('ses_1', said('어디에?')), []);
    assert.deepEqual(await system('ses_1'), ['You are OpenCode.']);
  });

  it('[A-2] [D-18] what setup writes tells OpenCode what binds and what is known', async (test) => {
    const { json: answer, home, project, run, put } = agentsHome(test, [], 'here');
    await answer(['setup', 'opencode']);
    await answer([
      'tool',
      'mama_save',
      '시간:축',
      '시각은 UTC로 저장한다',
      '--scope',
      'global',
      '--strength',
      'axis',
    ]);
    await answer(['tool', 'mama_save', 'auth:token', 'The login session token lives in an httpOnly cookie']);
    // The name of the file decides its kind for Node; Bun reads it either way.
    put('.config/opencode/package.json', '{"type":"module"}');
    const asking = put(
      'ask.mjs',
      `import { Precedent } from './.config/opencode/plugins/precedent.js';
       const hooks = await Precedent({ directory: ${JSON.stringify(project)} });
       const [system, parts] = [[], [{ id: 'prt_1', type: 'text', text: 'Where should the login session token go?' }]];
       await hooks['experimental.chat.system.transform']({ sessionID: 's' }, { system });
       await hooks['chat.message']({ sessionID: 's' }, { message: { id: 'm' }, parts });
       console.log(JSON.stringify({ system, parts }));`,
    );
    const { stdout } = await run([], { program: asking });
    const { system, parts } = JSON.parse(stdout);
    assert.match(system.join(), /시각은 UTC로 저장한다/);
    assert.match(parts[1].text, /auth:token: “The login session token lives in an httpOnly cookie”/);
    await answer(['unsetup']);
    assert(!existsSync(join(home, '.config/opencode/plugins')));
  });
});
