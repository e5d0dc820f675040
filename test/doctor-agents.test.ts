import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import pkg from '../package.json' with { type: 'json' };
import { AGENTS, agentsNamed } from '../src/agents/agents.ts';
import { install } from '../src/agents/app/install.ts';
import { agentsHome } from './support/agents-home.ts';

const POSIX = { skip: process.platform === 'win32' && 'needs the homes of POSIX' };
const flat = (text: string) => text.replace(/\s+/g, ' ');

/** A home in which a memory is there, and what doctor says in it. */
async function home(test: TestContext, agents: string[]) {
  const all = agentsHome(test, agents, 'copied');
  await all.json(['tool', 'mama_save', 'a:b', 'c']);
  return {
    ...all,
    doctor: async (args: string[] = [], env = {}) =>
      flat((await all.run([...args, 'doctor'], { env })).stdout),
    async agent(args: string[] = [], env = {}) {
      return JSON.parse((await all.run([...args, 'doctor', '--json'], { env })).stdout).agents[0];
    },
    /** Enters the hooks that setup would, whether it does or not. @returns the keys and hashes by which Codex trusts */
    hooks(agent: string) {
      const machine = {
        home: all.home,
        environment: {},
        platform: process.platform,
        project: all.project,
        hasProgram: () => true,
      };
      const launch = { node: process.execPath, program: all.entered, pins: [] };
      const [known] = agentsNamed([agent]);
      const entries = known?.entries(machine, { launch, tools: [], skill: '', hooks: true }) ?? [];
      const hooks = entries.filter(({ part }) => part === 'hooks');
      const [{ file } = { file: '' }] = hooks;
      const settings = { hooks: Object.fromEntries(hooks.map(({ path, value }) => [path[1], [value]])) };
      writeFileSync(file, JSON.stringify(settings));
      return file;
    },
  };
}

describe('precedent doctor, of agents', POSIX, () => {
  it('[A-1] has one line for an agent with which all is well', async (test) => {
    const { json, doctor, agent } = await home(test, ['claude', 'codex', 'gemini']);
    await json(['setup']);
    const said = await doctor();
    for (const title of ['Claude Code', 'Codex', 'Gemini CLI'])
      assert.match(
        said,
        new RegExp(`${title}\\s+connected, with [^│]*skill.*?· this memory · ${pkg.version} `),
      );
    assert.doesNotMatch(said.replace(/! Codex: it skips the hooks until/, ''), /!/);
    const { server, skill, same_memory, version } = await agent();
    assert.deepEqual([server, skill, same_memory, version], ['setup', true, true, pkg.version]);
  });

  it('[A-1] says when its server has another memory, and the command that mends it', async (test) => {
    const { json, doctor, agent, project } = await home(test, ['gemini']);
    const db = join(project, 'a.db');
    await json(['--db', db, 'setup']);
    assert.equal((await agent()).same_memory, false);
    assert.match(
      await doctor(),
      new RegExp(`! Gemini CLI: it uses another memory: ${db}; "precedent setup gemini" enters this one`),
    );
    assert.doesNotMatch(await doctor(), /it starts/);
    assert.equal((await agent(['--db', db])).same_memory, true);
    await json(['setup']);
    assert.equal((await agent()).same_memory, true);
    assert.match(
      await doctor(['--db', db]),
      /another memory.* "precedent --db \S+ setup gemini" enters this one/,
    );
    // An agent has the environment that this command has, too.
    assert.equal((await agent([], { PRECEDENT_DB: db })).same_memory, true);
  });

  it('[A-1] reads what was entered by hand: its memory by option or environment, its version by its package', async (test) => {
    const { put, doctor, agent, project, bench } = await home(test, ['gemini']);
    const old = join(bench.folder, '옛', 'precedent-memory');
    mkdirSync(join(old, 'dist'), { recursive: true });
    cpSync('dist/precedent.cjs', join(old, 'dist', 'precedent.cjs'));
    writeFileSync(join(old, 'package.json'), '{"version":"0.0.9"}');
    const enter = (server: object) =>
      put('.gemini/settings.json', JSON.stringify({ mcpServers: { precedent: server } }));
    enter({ command: 'node', args: [join(old, 'dist/precedent.cjs'), '--db=why.db', 'mcp'] });
    const { server, same_memory, version } = await agent();
    assert.deepEqual([server, same_memory, version], ['by hand', false, '0.0.9']);
    const said = await doctor();
    assert.match(
      said,
      /it starts version 0\.0\.9, and this is \S+; setup does not change what was entered by hand: take it out of \S+settings\.json, then "precedent setup gemini" enters this one/,
    );
    assert.match(said, /connected by hand · .*another memory · 0\.0\.9/);
    enter({
      command: 'npx',
      args: ['-y', 'precedent-memory', 'mcp'],
      env: { PRECEDENT_DB: join(project, 'x.db') },
    });
    const fetched = await agent();
    assert.deepEqual([fetched.same_memory, 'version' in fetched], [false, false]);
    enter({ command: 'npx', args: ['-y', 'precedent-memory', 'mcp'] });
    assert.equal((await agent()).same_memory, true);
  });

  it('[A-1] what Codex does not pass on may mean another memory', async (test) => {
    const { put, doctor, agent, project } = await home(test, ['codex']);
    put('.codex/config.toml', '[mcp_servers.precedent]\ncommand = "precedent"\nargs = ["mcp"]\n');
    assert.equal((await agent()).same_memory, true);
    const env = { PRECEDENT_DB: join(project, 'x.db') };
    assert.equal((await agent([], env)).same_memory, false);
    assert.match(await doctor([], env), /another memory .*it does not get PRECEDENT_DB/);
    put(
      '.codex/config.toml',
      '[mcp_servers.precedent]\ncommand = "precedent"\nenv_vars = ["PRECEDENT_DB"]\n',
    );
    assert.equal((await agent([], env)).same_memory, true);
  });

  it('[A-1] says when agents start a newer version than the one that looks', async (test) => {
    const { json, doctor, agent, data, bench } = await home(test, ['gemini']);
    await json(['setup']);
    const root = join(bench.folder, '새');
    for (const part of ['dist', 'skills', 'package.json'])
      cpSync(part, join(root, part), { recursive: true });
    install({ root, version: '9.0.0' }, data);
    assert.equal((await agent()).version, '9.0.0');
    assert.match(await doctor(), /it starts version 9\.0\.0, and this is \S+: update this one/);
    // One that was left behind is renewed by the look itself.
    rmSync(join(data, 'app', '9.0.0'), { recursive: true });
    writeFileSync(join(data, 'app', 'current', 'precedent.cjs'), "require('../0.0.1/dist/precedent.cjs');\n");
    assert.equal((await agent()).version, pkg.version);
  });

  it('[A-1] says whether the hooks are there, as setup enters them, and trusted', async (test) => {
    const { json, doctor, agent, hooks, read, put } = await home(test, ['codex']);
    await json(['setup', 'codex']);
    const file = hooks('codex');
    assert.deepEqual([(await agent()).hooks, (await agent()).trusted], [true, 'not trusted']);
    const said = await doctor();
    assert.match(said, /connected, with hooks \(not trusted\) and skill/);
    assert.match(
      said,
      /! Codex: it skips the hooks .*type \/hooks in Codex, or run "precedent setup codex --trust"/,
    );
    const trust = ['session_start', 'user_prompt_submit', 'subagent_start', 'post_tool_use'].map(
      (event) => `[hooks.state."${file}:${event}:0:0"]\ntrusted_hash = "sha256:0"\n`,
    );
    put('.codex/config.toml', `${read('.codex/config.toml')}\n${trust.join('')}`);
    assert.match(
      await doctor(),
      /hooks \(unknown\).*its files do not say whether it trusts the hooks: type \/hooks in Codex/,
    );
    const other = readFileSync(file, 'utf8').replaceAll('app/current', 'app/gone');
    writeFileSync(file, other);
    assert.equal((await agent()).hooks, false);
    assert.match(
      await doctor(),
      /! Codex: its hooks are not as setup writes them; this was changed since setup, so setup does not change it: take it out of \S+hooks\.json, then "precedent setup codex --no-hooks" and then "precedent setup codex" renews/,
    );
    writeFileSync(file, '{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"echo"}]}]}}');
    const without = await doctor();
    assert.match(without, /with skill · no hooks ·/);
    assert.doesNotMatch(without, /renews/);
  });

  it('[A-1] gives advice that works: what was changed comes back as setup enters it', async (test) => {
    const { json, doctor, agent, put, read } = await home(test, ['claude']);
    await json(['setup']);
    const settings = JSON.parse(read('.claude/settings.json'));
    settings.hooks.SessionStart[0].hooks[0].args[0] = '/gone/precedent.cjs';
    put('.claude/settings.json', JSON.stringify(settings));
    assert.match(
      await doctor(),
      /take it out of \S+settings\.json, then "precedent setup claude --no-hooks" and/,
    );
    delete settings.hooks.SessionStart;
    put('.claude/settings.json', JSON.stringify(settings));
    await json(['setup', 'claude', '--no-hooks']);
    await json(['setup', 'claude']);
    assert.equal((await agent()).hooks, true);
    // As long as nothing stands in the way, setup alone does it.
    for (const file of ['.claude.json', '.claude/settings.json', '.local/share/precedent/setup/setup.json'])
      put(file, read(file).replaceAll('precedent.cjs', 'elsewhere.cjs'));
    const said = await doctor();
    assert.match(
      said,
      /elsewhere\.cjs, which is not there; "precedent setup claude" enters this installation/,
    );
    assert.match(said, /its hooks are not as setup writes them; "precedent setup claude" renews them/);
    await json(['setup', 'claude']);
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
      assert.match(
        said,
        new RegExp(`! ${title}: it starts /nvm/v1/bin/node, which is not there; "precedent setup \\w+"`),
      );
    await json(['setup']);
    assert.doesNotMatch(await doctor(), /nvm/);
    for (const file of Object.keys(before).filter((each) => /\.(?:json|toml|js|md)$/.test(each)))
      if (!file.endsWith('setup.json')) assert.equal(everything()[file], before[file], file);
  });

  it('[A-1] says that hooks are off or only tell here, by what, and what turns them on', async (test) => {
    const { json, doctor, project, bench, home: folder, put } = await home(test, ['gemini']);
    const off = { PRECEDENT_HOOKS: 'off' };
    assert.doesNotMatch(await doctor([], off), /hooks are off/, 'it has none');
    await json(['setup']);
    assert.match(
      await doctor([], off),
      /! hooks are off here, by PRECEDENT_HOOKS=off; "unset PRECEDENT_HOOKS" turns them on/,
    );
    put('.gitconfig', '[precedent]\n\thooks = recall\n');
    assert.match(
      await doctor(),
      /! hooks only tell here, and record nothing, by precedent\.hooks=recall; "git config --global precedent\.hooks on" turns/,
    );
    const both = (await json(['doctor'], { env: off })).quiet_hooks;
    assert.deepEqual([both.mode, Object.keys(both.by)], ['off', ['PRECEDENT_HOOKS', 'precedent.hooks']]);
    const other = await bench.run(['doctor', '--json'], { cwd: bench.folder, env: { HOME: folder } });
    assert.deepEqual(JSON.parse(other.stdout).quiet_hooks?.mend, ['git config --global precedent.hooks on']);
    put('project/.git/config', '[precedent]\n\thooks = on\n');
    assert.match(await doctor(), /hooks only/, 'a repository turns nothing on');
    put('project/.git/config', '[precedent]\n\thooks = off\n');
    assert.match(
      await doctor(),
      /"git config precedent\.hooks on" and "git config --global precedent\.hooks on" turns/,
    );
    put('.gitconfig', '');
    assert.match(
      await doctor(),
      /hooks are off here, by precedent\.hooks=off; "git config precedent\.hooks on" turns/,
    );
    assert(project);
  });

  it('[A-1] shows an agent that was set up, and names a program only where it is', async (test) => {
    const { json, doctor, run } = await home(test, []);
    const { stdout } = await run(['setup', 'codex', 'cursor']);
    assert.match(flat(stdout), /does not trust: type \/hooks in Codex\. /);
    const said = await doctor();
    assert.match(said, /Cursor\s+connected, with hooks/);
    assert.match(said, /until they are trusted: type \/hooks in Codex(?! ?,)/);
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
