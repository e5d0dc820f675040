import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import pkg from '../package.json' with { type: 'json' };
import { AGENTS } from '../src/agents/agents.ts';
import { agentsHome } from './support/agents-home.ts';

const POSIX = { skip: process.platform === 'win32' && 'needs the homes of POSIX' };
const flat = (text: string) => text.replace(/\s+/g, ' ');

/** A home in which a memory is there, and what doctor says in it. */
async function home(test: TestContext, agents: string[]) {
  const all = agentsHome(test, agents, 'here');
  await all.json(['tool', 'mama_save', 'a:b', 'c']);
  return {
    ...all,
    doctor: async (args: string[] = [], env = {}) =>
      flat((await all.run([...args, 'doctor'], { env })).stdout),
    async agent(args: string[] = [], env = {}) {
      return JSON.parse((await all.run([...args, 'doctor', '--json'], { env })).stdout).agents[0];
    },
  };
}

describe('precedent doctor, of agents', POSIX, () => {
  it('[A-1] has one line for an agent with which all is well', async (test) => {
    const { json, doctor, agent } = await home(test, ['claude', 'codex', 'gemini']);
    await json(['setup']);
    const said = await doctor();
    for (const title of ['Claude Code', 'Codex', 'Gemini CLI'])
      assert.match(said, new RegExp(`${title}\\s+connected, with [^│]*skill.*?· ${pkg.version} `));
    assert.doesNotMatch(said.replace(/! Codex: it skips the hooks until/, ''), /!/);
    const { server, skill, hooks, version } = await agent();
    assert.deepEqual([server, skill, hooks, version], ['setup', true, true, pkg.version]);
  });

  it('[A-1] shows which memory is named for all projects, without a password', async (test) => {
    const { json, put, agent, doctor, project } = await home(test, ['gemini']);
    const db = join(project, 'a.db');
    await json(['--db', db, '--workspace', 'team', 'setup']);
    assert.equal((await agent()).options, `--db ${db} --workspace team`);
    const args = ['--db=postgres://me:secret@host/why', 'mcp'];
    put(
      '.gemini/settings.json',
      JSON.stringify({ mcpServers: { precedent: { command: 'precedent', args } } }),
    );
    assert.match(await doctor(), / · --db postgres:\/\/host\/why /);
    assert.doesNotMatch(await doctor(), /secret/);
  });

  it('[A-1] reads the version of what was entered by hand by its package', async (test) => {
    const { put, doctor, agent, bench } = await home(test, ['gemini']);
    const old = join(bench.folder, '옛', 'precedent-memory');
    mkdirSync(join(old, 'dist'), { recursive: true });
    cpSync('dist/precedent.cjs', join(old, 'dist', 'precedent.cjs'));
    writeFileSync(join(old, 'package.json'), '{"version":"0.0.9"}');
    const enter = (server: object) =>
      put('.gemini/settings.json', JSON.stringify({ mcpServers: { precedent: server } }));
    enter({ command: 'node', args: [join(old, 'dist/precedent.cjs'), 'mcp'] });
    const { server, version } = await agent();
    assert.deepEqual([server, version], ['by hand', '0.0.9']);
    assert.match(
      await doctor(),
      /it starts version 0\.0\.9, and this is \S+: remove it, then "precedent setup gemini" enters this one/,
    );
    enter({ command: 'npx', args: ['-y', 'precedent-memory', 'mcp'] });
    assert.equal('version' in (await agent()), false);
  });

  it('[A-1] says whether the hooks are there, and trusted by their place', async (test) => {
    const { json, doctor, agent, read, put, home: folder } = await home(test, ['codex']);
    await json(['setup']);
    assert.deepEqual([(await agent()).hooks, (await agent()).trusted], [true, false]);
    const said = await doctor();
    assert.match(said, /connected, with hooks \(not trusted\) and skill/);
    assert.match(said, /! Codex: it skips the hooks until they are trusted: type \/hooks in Codex/);
    const trust = ['session_start', 'user_prompt_submit', 'subagent_start', 'post_tool_use'].map(
      (event) => `[hooks.state."${folder}/.codex/hooks.json:${event}:0:0"]\ntrusted_hash = "sha256:0"\n`,
    );
    put('.codex/config.toml', `${read('.codex/config.toml')}\n${trust.join('')}`);
    assert.equal((await agent()).trusted, true);
    const { hooks } = JSON.parse(read('.codex/hooks.json'));
    hooks.SessionStart.unshift({ hooks: [{ type: 'command', command: 'other' }] });
    put('.codex/hooks.json', JSON.stringify({ hooks }));
    assert.equal((await agent()).trusted, false);
  });

  it('[A-1] gives advice that works where hooks are missing or start nothing', async (test) => {
    const { json, doctor, agent, put, read } = await home(test, ['claude']);
    await json(['setup']);
    const mend = async () => {
      assert.match(await doctor(), /"precedent unsetup claude" and "precedent setup claude" enter it again/);
      for (const command of ['unsetup', 'setup']) await json([command, 'claude']);
      assert.doesNotMatch(await doctor(), /!/);
      assert.equal((await agent()).hooks, true);
    };
    const settings = JSON.parse(read('.claude/settings.json'));
    delete settings.hooks.SessionStart;
    put('.claude/settings.json', JSON.stringify(settings));
    assert.match(await doctor(), /! Claude Code: some of its hooks are missing/);
    await mend();
    put('.claude/settings.json', read('.claude/settings.json').replace('app/current', 'app/gone'));
    assert.match(await doctor(), /! Claude Code: its hooks start \S+precedent\.cjs, which does not exist/);
    await mend();
    await json(['setup', 'claude', '--no-hooks']);
    assert.match(await doctor(), /with skill · no hooks/);
    assert.doesNotMatch(await doctor(), /!/);
  });

  it('[A-1] names a Node that is gone, and setup enters the one that runs it', async (test) => {
    const agents = AGENTS.filter(({ isPerProject }) => !isPerProject);
    const programs = agents.flatMap((agent) => agent.programs);
    const { json, doctor, everything, put, read, home: folder } = await home(test, programs);
    await json(['setup']);
    const before = everything();
    const files = Object.keys(before).filter((file) => before[file] !== 'folder');
    for (const file of files.map((each) => each.slice(folder.length + 1)))
      if (!/\/app\/|\.db/.test(file) && read(file).includes(process.execPath))
        put(file, read(file).replaceAll(process.execPath, '/nvm/v1/bin/node'));
    const said = await doctor();
    for (const { title } of agents)
      assert.match(said, new RegExp(`! ${title}: it starts /nvm/v1/bin/node, which does not exist: `));
    await json(['setup']);
    assert.doesNotMatch(await doctor(), /nvm/);
    for (const file of Object.keys(before).filter((each) => /\.(?:json|toml|js|md)$/.test(each)))
      if (!file.endsWith('setup.json')) assert.equal(everything()[file], before[file], file);
  });

  it('[A-1] says that hooks are off or only show here, and what turns them on', async (test) => {
    const { json, doctor, bench, project, home: folder } = await home(test, ['gemini']);
    const turn = (...args: string[]) => bench.succeed(args, { cwd: project, env: { HOME: folder } });
    await turn('off', 'hooks');
    assert.doesNotMatch(await doctor(), /hooks are off/, 'it has none');
    await json(['setup']);
    assert.match(await doctor(), /! hooks are off here; "precedent on" turns that on/);
    await turn('off', 'recording', '--everywhere');
    assert.match(await doctor(), /! hooks record nothing here; "precedent on --everywhere" turns that on/);
    assert.deepEqual((await json(['doctor'])).hooks_off, ['hooks', 'recording']);
    await turn('on');
    assert.deepEqual((await json(['doctor'])).hooks_off, ['recording']);
    await turn('on', '--everywhere');
    assert.equal((await json(['doctor'])).hooks_off, undefined);
  });

  it('[A-1] shows an agent that was set up, and names a program only where it is', async (test) => {
    const { json, doctor, run } = await home(test, []);
    const { stdout } = await run(['setup', 'codex', 'cursor']);
    assert.match(flat(stdout), /does not trust: type \/hooks in Codex\. /);
    const said = await doctor();
    assert.match(said, /Cursor\s+connected, with hooks/);
    assert.match(said, /until they are trusted: type \/hooks in Codex/);
    await json(['unsetup']);
    assert.doesNotMatch(await doctor(), /Cursor|Codex/);
  });

  it('[A-1] settings of one agent that cannot be read hide no other', async (test) => {
    const { json, put, agent, doctor } = await home(test, ['claude', 'gemini']);
    await json(['setup', 'gemini']);
    put('.claude.json/a', 'a folder where a file should be');
    assert.equal((await agent()).server, 'unreadable');
    assert.match(await doctor(), /! Claude Code: .*found a folder at.*/);
    assert.match(await doctor(), /Gemini CLI\s+connected/);
  });
});
