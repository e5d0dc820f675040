import assert from 'node:assert/strict';
import fs, { existsSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Machine } from '../src/agents/agent.ts';
import { AGENTS, agentsNamed, eventKind } from '../src/agents/agents.ts';
import { toml } from '../src/agents/edit/toml.ts';
import { valueAt } from '../src/agents/edit/value.ts';
import { replaceFile } from '../src/agents/files.ts';
import { carryOutAll } from '../src/cli/agents/entering.ts';
import { formatOf, HOOKED, KNOWN, REAL } from './support/agents.ts';
import { agentsHome } from './support/agents-home.ts';

const LAUNCH = { node: '/usr/bin/node', program: '/프로그램/precedent.cjs', pins: [] };
const MACHINE: Machine = {
  home: '/home/me',
  environment: {},
  platform: process.platform,
  project: '/work',
  hasProgram: () => false,
};
const SKILL = '---\nname: precedent\n---\n';

/** The hooks that setup enters for an agent. */
const hooksOf = (name: string) =>
  agentsNamed([name])
    .flatMap((agent) => agent.entries(MACHINE, { launch: LAUNCH, tools: [], skill: SKILL, hooks: true }))
    .filter(({ part, isFileHeader }) => part === 'hooks' && !isFileHeader);

/** A home in which one agent is set up, in this process. */
function home(test: TestContext, name: string) {
  const here = agentsHome(test, [], 'here');
  const [agent] = agentsNamed([name]);
  assert(agent);
  const machine = { ...MACHINE, home: here.home, project: here.project };
  const carry = (launch: typeof LAUNCH, tools: string[], hooks: boolean, isWished = true) => {
    const wish = { launch, tools, skill: SKILL, hooks };
    const options = { isWanted: isWished, isDry: false };
    const [outcome] = carryOutAll([agent], machine, here.data, wish, options);
    assert(outcome);
    return outcome;
  };
  return {
    ...here,
    setup: ({ launch = LAUNCH, tools = ['recall', 'mama_save'], hooks = false } = {}) =>
      carry(launch, tools, hooks),
    unsetup: () => carry(LAUNCH, [], false, false),
  };
}

describe('the files of setup', () => {
  it('[A-1] every agent is in each table of docs/agents.md, and its files of instructions are in docs/importing.md', () => {
    const page = readFileSync('docs/agents.md', 'utf8');
    const tables = page.split('\n\n').filter((part) => part.startsWith('| agent '));
    assert.equal(tables.length, 5);
    for (const { name, title, instructions } of AGENTS) {
      assert(page.includes(`| \`${name}\` ${title} |`), `the row of ${name}`);
      for (const table of tables) assert(table.includes(title), `${title} in\n${table}`);
      for (const pattern of instructions.project) {
        const named = pattern.replace('**/', '').replace(/\/\*.*/, '');
        const isNamed = readFileSync('docs/importing.md', 'utf8').includes(`\`${named}\``);
        assert(isNamed, `docs/importing.md names ${named}, the instructions of ${title}`);
      }
    }
    for (const { shared } of Object.values(KNOWN)) assert(page.includes(`| \`${shared}\``), shared);
  });

  it('[A-1] every agent is tested under its name, and its hooks where setup enters some', () => {
    const names = AGENTS.map(({ name }) => name);
    assert.deepEqual(Object.keys(KNOWN), names);
    assert.deepEqual(
      HOOKED.map(([name]) => name),
      names.filter((name) => hooksOf(name).length > 0),
    );
  });

  it('[A-1] [A-2] setup enters hooks for events that the hook of the same agent answers, and for no other', () => {
    for (const [name, { events }] of HOOKED) {
      // Of a file that is all ours, the names in quotes that are those of events.
      const entered = hooksOf(name).flatMap(({ path, value }) =>
        path.length > 0
          ? path.slice(-1)
          : (String(value).match(/(?<=['"])\w+(?=['"])/g) ?? []).filter(
              (word) => eventKind(word) !== undefined,
            ),
      );
      assert.deepEqual([...new Set(entered)].sort(), [...events].sort(), name);
      const { hook } = agentsNamed([name])[0] ?? assert.fail(name);
      for (const event of events) assert(hook.events[event], `${name} never answers ${event}`);
      for (const { path, value } of hooksOf(name))
        if (['call', 'file'].includes(hook.events[String(path.at(-1))] ?? ''))
          assert.match(JSON.stringify(value), /"matcher":"/, `${name}: each call of any tool would start it`);
    }
  });

  it('[A-1] [T-6] an agent that can ask its person calls its hook before what may override a lock, and before nothing else of a server', () => {
    const asking = AGENTS.filter(({ hook }) => hook.ask);
    assert(asking.length > 0);
    for (const { name, hook } of asking) {
      const [entry] = hooksOf(name).filter(({ path }) => hook.events[String(path.at(-1))] === 'call');
      const { matcher } = (entry ?? assert.fail(name)).value as { matcher: string };
      for (const tool of ['mama_save', 'decision_save', 'decision_revise', 'rename', 'undo'])
        assert.match(`mcp__precedent__${tool}`, new RegExp(matcher), `${name} ${tool}`);
      for (const tool of ['mcp__precedent__recall', 'mcp__other__mama_save', 'Read'])
        assert.doesNotMatch(tool, new RegExp(matcher), `${name} ${tool}`);
    }
  });

  for (const [name, { file, path, started, skill }] of Object.entries(KNOWN)) {
    const value = started(LAUNCH.node, [LAUNCH.program, 'mcp']);
    const format = formatOf(file);
    const [group = ''] = path;

    for (const hooks of [false, true])
      for (const [what, contentOf] of Object.entries(REAL))
        it(`[A-1] ${name}${hooks ? ' with hooks' : ''}, ${what}: twice is once, and unsetup leaves the bytes of before`, (test) => {
          const { put, read, setup, unsetup, snapshot, everything } = home(test, name);
          const content = contentOf(file, path);
          if (content !== undefined) put(file, content);
          const before = snapshot();
          assert.equal(setup({ hooks }).error, undefined);
          const said = format.read(read(file).replace(/^\uFEFF/, ''));
          assert.deepEqual(valueAt(said, path), value);
          if (skill) assert.equal(read(skill), SKILL, '[M-16]');
          for (const comment of String(content ?? '').match(/(?:\/\/|#).*/g) ?? [])
            assert(read(file).includes(comment));
          assert.equal(read(file).startsWith('\uFEFF'), String(content).startsWith('\uFEFF'));
          if (String(content).includes('\r\n')) assert.doesNotMatch(read(file), /[^\r]\n/);
          const after = everything();
          setup({ hooks });
          assert.deepEqual(everything(), after);
          unsetup();
          assert.deepEqual(snapshot(), before);
        });

    it(`[A-1] ${name}: what others write after setup stays, and exactly our entries go`, (test) => {
      const { put, read, setup, unsetup, snapshot, home: folder } = home(test, name);
      setup({ hooks: true });
      const other = { command: '다른 것' };
      put(file, format.put(read(file), [group, 'other'], other));
      unsetup();
      assert.deepEqual(format.read(read(file)), { [group]: { other } });
      const left = Object.keys(snapshot()).filter((each) => each.slice(folder.length).includes('precedent'));
      assert.deepEqual(left, []);
    });

    it(`[A-1] ${name}: what others write between two setups is not undone`, (test) => {
      const { put, read, setup, unsetup } = home(test, name);
      put(file, format.put('', [group, 'other'], { command: 'x' }));
      setup();
      put(file, format.put(read(file), [group, 'third'], { command: '셋째' }));
      setup({ launch: { ...LAUNCH, program: '/새/precedent.cjs' } });
      unsetup();
      assert.deepEqual(format.read(read(file)), {
        [group]: { other: { command: 'x' }, third: { command: '셋째' } },
      });
    });

    it(`[A-1] ${name}: an entry made by hand is left as it is, by setup and by unsetup`, (test) => {
      const { put, read, setup, unsetup } = home(test, name);
      put(file, format.put('', path, { command: 'npx', args: ['-y', 'precedent-memory', 'mcp'] }));
      const before = read(file);
      assert.match(setup().notes.join('\n'), /^server \S+\.precedent was in .* before: left as it is$/);
      assert.equal(read(file), before);
      unsetup();
      assert.equal(read(file), before);
    });

    it(`[A-1] ${name}: another installation takes the place of the one before, and unsetup still leaves the bytes`, (test) => {
      const { put, read, setup, unsetup, snapshot } = home(test, name);
      put(file, format.put('', [group, 'other'], { command: 'x' }));
      const before = snapshot();
      setup({ hooks: true });
      const first = read(file);
      setup({ hooks: true, launch: { ...LAUNCH, program: '/새/precedent.cjs' } });
      assert.equal(read(file), first.replaceAll('/프로그램/', '/새/'));
      unsetup();
      assert.deepEqual(snapshot(), before);
    });
  }

  it('[A-1] hooks stand in the form of each agent, behind those of others, and one group an event', (test) => {
    const others = { hooks: [{ type: 'command', command: 'other' }] };
    for (const [name, { file, events }] of HOOKED) {
      if (hooksOf(name).some(({ format }) => format === 'text')) continue;
      const { put, read, setup, unsetup } = home(test, name);
      const text = `${JSON.stringify({ hooks: Object.fromEntries(events.map((event) => [event, [others]])) }, null, 2)}\n`;
      put(file, text);
      setup({ hooks: true });
      const { hooks } = JSON.parse(read(file));
      assert.deepEqual(Object.keys(hooks), events);
      for (const event of events) {
        assert.deepEqual(hooks[event][0], others);
        assert.equal(hooks[event].length, 2);
        assert.match(JSON.stringify(hooks[event][1]), new RegExp(`/프로그램/precedent\\.cjs.*hook.*${name}`));
      }
      // Another tool goes in front: ours is replaced where it stands, since its place is what is trusted.
      const changed = JSON.parse(read(file));
      for (const event of events) changed.hooks[event] = [changed.hooks[event][1], others];
      put(file, `${JSON.stringify(changed, null, 2)}\n`);
      setup({ hooks: true, launch: { ...LAUNCH, program: '/새/precedent.cjs' } });
      for (const event of events)
        assert.match(JSON.stringify(JSON.parse(read(file)).hooks[event][0]), /새/, `${name} ${event}`);
      setup();
      assert.doesNotMatch(read(file), /hook \w+|"hook"/);
      unsetup();
      assert.deepEqual(JSON.parse(read(file)).hooks, JSON.parse(text).hooks);
    }
  });

  it('[A-1] a hook that was changed or taken out stays so, and is found by what it starts', (test) => {
    const { put, read, setup, unsetup } = home(test, 'claude');
    const file = '.claude/settings.json';
    const hooksIn = () => JSON.parse(read(file)).hooks;
    setup({ hooks: true });
    const changed = JSON.parse(read(file));
    changed.hooks.SessionStart[0].hooks[0].timeout = 1;
    delete changed.hooks.UserPromptSubmit;
    const others = { type: 'command', command: 'other' };
    changed.hooks.PreToolUse[0].hooks.push(others);
    put(file, `${JSON.stringify(changed, null, 2)}\n`);
    const before = read(file);
    assert.match(
      setup({ hooks: true }).notes.join('\n'),
      /^hooks\.UserPromptSubmit was removed from \S+ since setup: it is not added again$/,
    );
    assert.equal(read(file), before);
    setup({ hooks: true, launch: { ...LAUNCH, program: '/새/precedent.cjs' } });
    const { SessionStart, PreToolUse, UserPromptSubmit } = hooksIn();
    assert.deepEqual([SessionStart.length, PreToolUse.length, UserPromptSubmit], [1, 1, undefined]);
    assert.match(JSON.stringify([SessionStart, PreToolUse]), /새.*새/);
    assert.deepEqual(PreToolUse[0].hooks[1], others);
    unsetup();
    assert.deepEqual(hooksIn(), { PreToolUse: [{ matcher: PreToolUse[0].matcher, hooks: [others] }] });
  });

  it('[A-1] lists on one line, comments and empty groups come back to the byte', (test) => {
    const hook = '{"hooks":[{"type":"command","command":"other"}]}';
    const forms = [
      `{"permissions":{"allow":["Bash(ls)"]},"hooks":{"SessionStart":[${hook}]}}`,
      '{ "permissions": { "allow": [ "Bash(ls)", "Read" ] } }\n',
      '{\n  "permissions": {\n    "allow": ["Bash(ls)"], // mine\n    "deny": []\n  },\n  "hooks": {}\n}',
      '{\n  "permissions": {"allow": [\n    "a", // one\n    "b" // two\n  ]}\n}\n',
      '{"permissions": {"allow": []}, "hooks": {"SessionStart": [], "Stop": []}}',
      `{\r\n\t"hooks": { // ours\r\n\t\t"PostToolUse": [${hook}],\r\n\t},\r\n}\r\n`,
      '// nothing yet\n{\n}\n',
      '\uFEFF{\r\n\t"theme": "d", // c\r\n\t"hooks": { "SessionStart": [], "Stop": [], },\r\n}\r\n',
    ];
    for (const [name, file] of [
      ['claude', '.claude/settings.json'],
      ['gemini', '.gemini/settings.json'],
      ['codex', '.codex/hooks.json'],
      ['cursor', 'project/.cursor/hooks.json'],
    ] as const)
      for (const text of forms) {
        const { put, read, setup, unsetup, snapshot } = home(test, name);
        put(file, text);
        const before = snapshot();
        assert.equal(setup({ hooks: true }).error, undefined, text);
        setup({ hooks: true, launch: { ...LAUNCH, program: '/새/precedent.cjs' } });
        assert.match(read(file), /새/);
        unsetup();
        assert.equal(read(file), text, name);
        assert.deepEqual(snapshot(), before);
      }
  });

  it('[A-1] Gemini CLI lets the tools that destroy nothing run unasked, and no other', (test) => {
    const { read, put, setup, unsetup } = home(test, 'gemini');
    setup({ tools: ['recall', 'mama_save'] });
    const { rule } = toml.read(read('.gemini/policies/precedent.toml')) as {
      rule: Record<string, unknown>[];
    };
    assert.deepEqual(
      rule.map(({ mcpName, toolName, toolAnnotations, decision }) => [
        mcpName,
        toolName,
        toolAnnotations,
        decision,
      ]),
      [['precedent', '*', { destructiveHint: false }, 'allow']],
    );
    // An earlier version trusted the whole server.
    const file = '.gemini/settings.json';
    const settings = JSON.parse(read(file));
    settings.mcpServers.precedent.trust = true;
    put(file, JSON.stringify(settings, null, 2));
    const { written, ...list } = JSON.parse(read('.local/share/precedent/setup/setup.json'));
    for (const { entries } of written)
      for (const entry of entries) if (entry.part === 'server') entry.value.trust = true;
    put('.local/share/precedent/setup/setup.json', JSON.stringify({ ...list, written }));
    assert.deepEqual(setup().notes, []);
    assert.equal('trust' in JSON.parse(read(file)).mcpServers.precedent, false);
    assert.deepEqual(unsetup().notes, []);
  });

  it('[A-1] permissions that are no longer asked for go, and those of a person stay', (test) => {
    const { put, read, setup, unsetup } = home(test, 'claude');
    const file = '.claude/settings.json';
    put(file, '{"permissions": {"allow": ["Bash(ls)", "mcp__precedent__recall"]}}');
    const allowed = () => JSON.parse(read(file)).permissions.allow;
    setup({ tools: ['recall', 'mama_save', 'mem_save'] });
    assert.deepEqual(allowed(), [
      'Bash(ls)',
      'mcp__precedent__recall',
      'mcp__precedent__mama_save',
      'mcp__precedent__mem_save',
    ]);
    setup({ tools: ['recall', 'mem_save'] });
    assert.deepEqual(allowed(), ['Bash(ls)', 'mcp__precedent__recall', 'mcp__precedent__mem_save']);
    put(file, read(file).replace('"Bash(ls)", ', ''));
    unsetup();
    assert.deepEqual(allowed(), ['mcp__precedent__recall']);
  });

  it('[A-1] what others keep in their settings is kept nowhere else, and comes back to the byte', (test) => {
    for (const [name, file, text] of [
      ['claude', '.claude.json', '{"oauth":"sk-비밀","mcpServers":{"other":{"env":{"KEY":"sk-비밀"}}}}'],
      ['gemini', '.gemini/settings.json', '{\r\n\t"key": "sk-비밀", // sk-비밀\r\n}\r\n'],
      ['codex', '.codex/config.toml', '[mcp_servers.other]\nenv = { KEY = "sk-비밀" }'],
    ] as const) {
      const { put, data, setup, unsetup, snapshot, everything } = home(test, name);
      put(file, text);
      const before = snapshot();
      for (const program of ['/a/precedent.cjs', '/b/precedent.cjs']) {
        assert.equal(setup({ hooks: true, launch: { ...LAUNCH, program } }).error, undefined);
        const kept = Object.entries(everything()).filter(([path]) => path.startsWith(join(data, 'setup')));
        assert(kept.length > 0);
        for (const [path, content] of kept) {
          const [, bytes = ''] = content.split(' ');
          assert.doesNotMatch(Buffer.from(bytes, 'base64').toString(), /비밀/, path);
        }
      }
      unsetup();
      assert.deepEqual(snapshot(), before);
      assert.equal(existsSync(join(data, 'setup')), false);
    }
  });

  it('[A-1] a file of settings that another program changes meanwhile is not written over', (test) => {
    const { put, read } = agentsHome(test, [], 'here');
    const file = put('a.json', 'new');
    assert.throws(
      () => replaceFile(file, Buffer.from('old'), Buffer.from('mine')),
      /changed by another program/,
    );
    assert.throws(() => replaceFile(file, undefined, Buffer.from('mine')), /changed by another program/);
    assert.equal(read('a.json'), 'new');
    assert.equal(existsSync(join(`${file}.${process.pid}.partial`)), false);
  });

  it('[A-1] what stands in a file that only this account may read is never in one that others may', {
    skip: process.platform === 'win32',
  }, (test) => {
    const { put } = agentsHome(test, [], 'here');
    const file = put('a.json', 'old');
    const umask = process.umask(0o022);
    test.after(() => process.umask(umask));
    const modeOf = (path: fs.PathLike) => fs.statSync(path).mode & 0o777;
    const made: number[] = [];
    const chmod = fs.chmodSync;
    test.mock.method(fs, 'chmodSync', (path: fs.PathLike, mode: fs.Mode) => {
      made.push(modeOf(path));
      chmod(path, mode);
    });
    syncBuiltinESMExports();
    test.after(() => {
      test.mock.restoreAll();
      syncBuiltinESMExports();
    });
    for (const mode of [0o600, 0o644, 0o660]) {
      chmod(file, mode);
      replaceFile(file, Buffer.from('old'), Buffer.from('old'));
      assert.equal(modeOf(file), mode);
    }
    assert.deepEqual(made, [0o600, 0o600, 0o600]);
    // One that is new is like any other file of the account.
    replaceFile(`${file}.new`, undefined, Buffer.from('new'));
    assert.equal(modeOf(`${file}.new`), 0o644);
  });
});
