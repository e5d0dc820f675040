import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { parseArgs } from 'node:util';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { runningAgent } from '../../src/agents/agents.ts';
import { OUT_OF_REACH } from '../../src/hook/answer.ts';
import { LIMITS } from '../../src/hook/page.ts';
import { until } from '../support/until.ts';
import type { Agent } from './agent.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { type Asked, fakeModel, type Scripted } from './fake-model.ts';
import { gemini } from './gemini.ts';
import { install } from './install.ts';
import {
  BINDS,
  CAUSE,
  ERROR,
  FAILED,
  FILE,
  FORBIDS,
  fillMemory,
  INSTALL,
  LOCKS,
  STOOD,
  TELLING,
} from './memory.ts';
import { opencode } from './opencode.ts';
import { startRecording, writeRecorded } from './record.ts';
import { type Rig, rigOf } from './rig.ts';
import { serveTeam } from './team.ts';
import { toldIn } from './told.ts';

/** What the model says at first, and when it is asked to sum a session up. */
const FIRST = 'It is stored in a cookie.';
const SUMMARY = 'It was asked where a token is stored.';
const SUMMED_UP = `<analysis>One question.</analysis>\n<summary>${SUMMARY}</summary>`;
/**
 * The real agents against a model that follows a script, on this machine alone:
 *
 *   npm run agents [-- claude codex …] [--record FOLDER]
 *
 * `--record` writes what the agents send to their hooks.
 */
const AGENTS = [claude, codex, gemini, opencode, copilot];
const { values, positionals } = parseArgs({
  options: { record: { type: 'string' } },
  allowPositionals: true,
});
const chosen = AGENTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
assert(chosen.length > 0, `Expected agents of ${AGENTS.map(({ name }) => name).join(', ')}.`);

for (const agent of chosen) {
  const installed = install(agent);
  const skip = 'missing' in installed && installed.missing;
  describe(`${agent.package} ${agent.version}`, { skip }, () => {
    if ('program' in installed) prove(agent, installed.program);
  });
}

function prove(agent: Agent, program: string): void {
  const [usual = ''] = agent.models;
  const clean: (() => Promise<void>)[] = [];
  let model: Awaited<ReturnType<typeof fakeModel>>;
  let rig: Rig;
  let sizes: number[];
  let filesBefore: Record<string, string | undefined>;
  let homes: Record<'before' | 'after', Record<string, string>>;

  before(async () => {
    model = await fakeModel();
    rig = await rigOf({ after: (work) => clean.push(work) }, agent, program, model);
    await fillMemory(rig);
    const files = await rig.filesOf('setup', '--dry-run', agent.name);
    filesBefore = rig.bytesOf(files);
    const before = rig.everything();
    await rig.precedent('setup', agent.name);
    await rig.precedent('unsetup', agent.name);
    homes = { before, after: rig.everything() };
    await rig.precedent('setup', agent.name);
    if (values.record !== undefined) startRecording(rig);
  });
  after(async () => {
    if (values.record !== undefined) writeRecorded(rig, join(values.record, agent.name));
    model.close();
    // Why a test missed a text of ours; those that take the memory or its server away leave lines, too.
    process.stderr.write(rig.failures());
    for (const work of clean) await work();
  });

  /** A new session with one prompt. @returns what the model was asked */
  async function ask(prompt: string, steps: Scripted[] = [], name = usual): Promise<Asked[]> {
    const asked = model.play(steps);
    const { code, stdout, stderr } = await rig.run(agent.prompt(prompt, name));
    assert.equal(code, 0, stderr + stdout);
    assert(asked.length > steps.length, `the model was asked ${asked.length} times: ${stderr}`);
    const [first] = asked;
    assert(
      first?.messages.some(({ role, text }) => role === 'user' && text.includes(prompt)),
      'the prompt is missing',
    );
    return [...asked];
  }
  const contextsIn = (asked: Asked[]) => toldIn(asked.at(-1)?.messages ?? []);
  /** Tokens of the first request, and of the tools in it. */
  const sizesOf = ([first]: Asked[]) =>
    [first?.body, first?.body.tools].map((part) => countTokens(JSON.stringify(part ?? '')));
  /** How often a request says that the memory cannot be asked (T-12). */
  const saidOutOfReach = (asked: Asked[]) =>
    `${asked.at(-1)?.messages.map(({ text }) => text)}`.split(OUT_OF_REACH).length - 1;

  it('[A-1] setup and unsetup leave the home as it was', () => {
    assert.deepEqual(homes.after, homes.before);
  });

  if (agent.trust)
    it('[A-6] is told nothing by hooks that nobody trusted, and goes on', async () => {
      const isTrusted = async () =>
        (await rig.precedent('doctor')).agents.find((each: { agent: string }) => each.agent === agent.name)
          ?.trusted;
      assert.deepEqual(contextsIn(await ask(TELLING)), { start: [], prompt: [] });
      assert.equal(await isTrusted(), false, 'doctor');
      await agent.trust?.(rig);
      assert.equal(await isTrusted(), true, 'doctor');
    });

  for (const name of agent.models) {
    it(`[A-6] ${name}: the first request says what binds, what failed, and what is known about the prompt`, async (test) => {
      const { start, prompt } = contextsIn(await ask(TELLING, [], name));
      assert.deepEqual([start.length, prompt.length], [1, 1]);
      for (const known of [BINDS, FAILED, STOOD]) assert(start[0]?.text.includes(known), known);
      assert.match(prompt[0]?.text ?? '', /auth:session.*httpOnly cookie.*FAILED before.*any script/);
      assert.deepEqual({ start: start[0]?.role, prompt: prompt[0]?.role }, agent.roles);
      const tokens = { start: start[0]?.tokens ?? 0, prompt: prompt[0]?.tokens ?? 0 };
      assert(tokens.start <= LIMITS.start && tokens.prompt <= LIMITS.prompt, JSON.stringify(tokens));
      test.diagnostic(
        `${tokens.start} tokens at the start (${agent.roles.start}), ${tokens.prompt} with the prompt`,
      );
    });

    it(`[A-6] ${name}: what it saves by a tool, the next session is told by the hook`, async () => {
      const topic = `charts:${name.replace(/\W/g, '-')}`;
      const decision = `The dashboard charts of ${name} use a palette for colour-blind readers`;
      const save = agent.call('mama_save', { topic, decision, reasoning: 'One in twelve men' }, name);
      const asked = await ask('fix the tests', [save], name);
      const result = asked.at(-1)?.messages.findLast(({ role }) => role === 'tool')?.text;
      assert.match(result ?? '', /version/, JSON.stringify(asked.at(-1)?.messages.at(-1)));
      const { decision: saved } = await rig.precedent('tool', 'decision_get', topic);
      const clients = runningAgent(agent.name, {}, {})?.hook.clients ?? [];
      assert(
        clients.some((client) => saved.client.startsWith(client)),
        saved.client,
      );
      const { prompt } = contextsIn(await ask('Which palette do the dashboard charts use?', [], name));
      assert.match(prompt[0]?.text ?? '', new RegExp(topic));
    });

    it(`[A-6] [RE-3] ${name}: with a file that it reads or changes it is told what binds it, each whole once, and asked after a save`, async (test) => {
      const file = join(rig.project, FILE);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, 'one\n');
      const save = {
        topic: `numbers:${name.replace(/\W/g, '-')}`,
        decision: 'Two numbers',
        reasoning: 'One is few',
      };
      const steps = [...agent.edit(file, name), agent.call('mama_save', save, name)];
      const asked = await ask('fix the tests', steps, name);
      assert.equal(readFileSync(file, 'utf8'), 'two\n', JSON.stringify(asked.at(-1)?.messages.slice(-2)));
      const told = asked.map((request) => contextsIn([request]).prompt);
      const [first] = told[1] ?? [];
      for (const lock of Object.values(LOCKS)) assert(first?.text.includes(lock), first?.text);
      const last = told.at(-1) ?? [];
      for (const lock of Object.values(LOCKS))
        assert.equal(last.filter(({ text }) => text.includes(lock)).length, 1, lock);
      for (const { tokens } of last) assert(tokens <= LIMITS.file, `${tokens} tokens`);
      const offers = asked.at(-1)?.messages.filter(({ text }) => text.includes('binds files changed here'));
      assert.deepEqual([offers?.length, offers?.[0]?.text.includes(FILE)], [1, true], 'after the save');
      test.diagnostic(last.map(({ role, tokens }) => `${tokens} tokens (${role})`).join(', then '));
    });
  }

  for (const name of agent.models)
    it(`[RE-4] ${name}: with a command that fails it is told the known cause, once`, async (test) => {
      const fail = agent.shell(`printf 'Error: %s\\n' '${ERROR}' >&2; exit 1`, name);
      const asked = await ask('fix the tests', [fail, fail], name);
      const [before, after, again] = asked.map((request) => contextsIn([request]).prompt);
      assert.deepEqual(
        [before?.length, after?.length, again?.length],
        [0, 1, 1],
        JSON.stringify(asked.at(-1)?.messages.slice(-4)),
      );
      const [{ text, tokens, role } = { text: '', tokens: 0, role: '' }] = after ?? [];
      assert(text.includes(CAUSE), text);
      assert(tokens <= LIMITS.error, `${tokens} tokens`);
      test.diagnostic(`${tokens} tokens (${role})`);
    });

  it('[RE-5] with a command that installs what a rule forbids it is told that rule', async (test) => {
    const asked = await ask('fix the tests', [agent.shell(`true || ${INSTALL}`, usual)]);
    const [before, after] = asked.map((request) => contextsIn([request]).prompt);
    assert.deepEqual(
      [before?.length, after?.length],
      [0, 1],
      JSON.stringify(asked.at(-1)?.messages.slice(-3)),
    );
    const [{ text, tokens, role } = { text: '', tokens: 0, role: '' }] = after ?? [];
    assert(text.includes(FORBIDS), text);
    assert(tokens <= LIMITS.file, `${tokens} tokens`);
    test.diagnostic(`${tokens} tokens (${role})`);
  });

  it('[RE-11] where its person lays something down it is asked to save that', async () => {
    const asked = await ask('From now on every invoice is printed on A5.');
    assert.match(`${asked.at(-1)?.messages.map(({ text }) => text)}`, /This may settle how work is done/);
  });

  it('[A-6] with a generic prompt nothing is said', async (test) => {
    rig.spent();
    const asked = await ask('fix the tests');
    assert.deepEqual(contextsIn(asked).prompt, []);
    sizes = sizesOf(asked);
    test.diagnostic(`milliseconds of the processor: ${rig.spent()}`);
  });

  it('[V-6] where hooks are off it is told nothing, until they are on again', async () => {
    await rig.precedent('off', 'hooks');
    assert.deepEqual(contextsIn(await ask(TELLING)), { start: [], prompt: [] });
    await rig.precedent('on');
    assert.equal(contextsIn(await ask(TELLING)).prompt.length, 1);
  });

  it('[T-10] an error is recognised as it is pasted, with its frames', async () => {
    const pasted = `why?\n\nError: ${ERROR}\n    at run (/srv/app/zebra.js:10:3)\n    at next (/srv/app/zebra.js:1:1)`;
    const asked = model.play([]);
    await rig.run(agent.prompt(pasted, usual));
    const { prompt } = contextsIn(asked);
    assert.match(prompt[0]?.text ?? '', new RegExp(CAUSE));
  });

  const { subagent } = agent;
  if (subagent)
    it('[T-12] a subagent is told what binds, and what its own task is about', async (test) => {
      const asked: Asked[] = model.play([
        subagent.start(`${TELLING} Look at the code.`),
        // One that runs aside may ask later than the session that started it, which ends everything.
        { text: FIRST, ...(subagent.isAside && { first: () => until(() => asked.length > 2) }) },
      ]);
      const { code, stderr } = await rig.run(agent.prompt('fix the tests', subagent.model ?? usual));
      assert.equal(code, 0, stderr);
      const all = asked.flatMap(({ messages }) => toldIn(messages).start);
      const own = all.filter(({ text }) => /recall before deciding/.test(text));
      assert.equal(own.length, 1, JSON.stringify(all));
      const [{ text, tokens, role } = { text: '', tokens: 0, role: '' }] = own;
      assert(text.includes(BINDS), text);
      assert.equal(/auth:session/.test(text), !subagent.isAside, text);
      assert(tokens <= LIMITS.subagent, text);
      test.diagnostic(`${tokens} tokens (${role})`);
    });

  const { compact } = agent;
  if (compact)
    it('[A-6] after compaction it is told again', async () => {
      const asked = model.play([FIRST, SUMMED_UP, 'Still there.'].map((text) => ({ text })));
      await compact(rig, TELLING, `${TELLING} Say it again.`);
      assert.equal(asked.length, 3);
      const [first, , last] = asked;
      const has = (said: string) => last?.messages.some(({ text }) => text.includes(said));
      assert(has(SUMMARY) && !has(FIRST), 'the summary stands in the place of what was said');
      for (const request of [first, last]) {
        const { start, prompt } = toldIn(request?.messages ?? []);
        assert.deepEqual([start.length, prompt.length], [1, 1]);
        assert(start[0]?.text.includes(BINDS) && prompt[0]?.text.includes(FAILED));
      }
    });

  it('[A-6] [T-12] the prompt goes through while the memory is locked, and that is said once', async () => {
    const { location } = await rig.precedent('doctor');
    const lock = new DatabaseSync(location);
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
    const waitAgain = rig.hurry();
    try {
      const asked = await ask(TELLING);
      assert.deepEqual(contextsIn(asked), { start: [], prompt: [] });
      assert.equal(saidOutOfReach(asked), 1);
    } finally {
      waitAgain();
      lock.close();
    }
  });

  it('[A-6] the turn goes on when the server is killed', async () => {
    const search = agent.call('mama_search', { query: 'session' }, usual);
    const asked = await ask(TELLING, [{ ...search, first: async () => rig.killServers() }]);
    assert.equal(contextsIn(asked).prompt.length, 1);
  });

  it('[A-6] the prompt goes through when the program is gone', async () => {
    const putBack = rig.uninstall();
    try {
      assert.deepEqual(contextsIn(await ask(TELLING)), { start: [], prompt: [] });
    } finally {
      putBack();
    }
  });

  it('[A-6] [H-1] with a server of a team: its hooks ask it, its tools are there, and no file holds the token', async () => {
    const { workspace } = await rig.precedent('doctor');
    const team = await serveTeam(rig);
    try {
      await rig.precedent('setup', agent.name, '--url', team.url, '--workspace', workspace);
      await agent.trust?.(rig);
      const search = agent.call('mama_search', { query: 'session' }, usual);
      const asked = await ask(`${TELLING} In a team.`, [search]);
      const { start, prompt } = contextsIn(asked);
      assert.deepEqual([start.length, prompt.length], [1, 1]);
      assert(start[0]?.text.includes(BINDS) && prompt[0]?.text.includes(FAILED));
      for (const call of ['api briefing_get ok', 'mcp mama_search ok'])
        assert(team.called().includes(call), `${call} is not in ${team.called()}`);
      const files = rig.bytesOf(await rig.filesOf('unsetup', '--dry-run', agent.name));
      for (const [file, content] of Object.entries(files)) assert(!content?.includes(team.token), file);
    } finally {
      await team.end();
    }
    // Its server is gone, and its user goes on.
    const alone = await ask(TELLING);
    assert.deepEqual(contextsIn(alone), { start: [], prompt: [] });
    assert.equal(saidOutOfReach(alone), 1);
  });

  it('[A-6] unsetup leaves every file as it was before, to the byte', async (test) => {
    await rig.precedent('unsetup', agent.name);
    const left = rig.bytesOf(Object.keys(filesBefore));
    for (const file of agent.rewrites ?? []) {
      assert.doesNotMatch(left[file] ?? '', /"precedent"|precedent\.cjs/);
      delete left[file];
      delete filesBefore[file];
    }
    assert.deepEqual(left, filesBefore);
    const { start, prompt } = contextsIn(await ask(TELLING));
    assert.deepEqual({ start, prompt }, { start: [], prompt: [] });
    const [all = 0, tools = 0] = sizesOf(await ask('fix the tests')).map(
      (size, at) => (sizes[at] ?? 0) - size,
    );
    test.diagnostic(`${all} tokens of a first request were of Precedent, ${tools} of them of its tools`);
  });
}
