import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { EventKind } from '../src/agents/agent.ts';
import { agentsNamed } from '../src/agents/agents.ts';
import { LIMITS } from '../src/hook/page.ts';
import { respond } from '../src/hook/respond.ts';
import { openMemory } from '../src/index.ts';
import { HOOKED } from './support/agents.ts';
import { git } from './support/machine.ts';
import { inTurn } from './support/part.ts';
import { workbench } from './support/program.ts';

/** A repository with a lock, a failure, a decision that binds nothing, and one whose rule is long. */
async function repository(test: TestContext) {
  const bench = workbench(test, 'here');
  const top = join(bench.folder, '저장소');
  for (const folder of ['src/store', 'src/page', 'precedent'])
    mkdirSync(join(top, folder), { recursive: true });
  mkdirSync(join(bench.folder, 'precedent'));
  git(top, 'init', '--quiet');
  const decide = (...words: string[]) => bench.succeed(['decide', ...words]);
  await decide('db:engine', 'One file per project', '--strength', 'lock', '--file', 'src/store/engine.ts');
  await decide('db:pool', 'Ten connections', '--file', 'src/store/pool.ts');
  await bench.succeed(['failed', 'db:pool', 'It blocked at night']);
  await decide('ui:grid', 'Eight pixels', '--file', 'src/page/**');
  const long = `Money is kept in whole cents. ${'It is never a float, and no sum is rounded before it is shown. '.repeat(12)}`;
  await decide('money', long, '--strength', 'lock', '--file', 'src/money.ts');
  const place = { folder: bench.folder, top, db: bench.db };
  const hook = (agent: string, event: object, more: Record<string, string> = {}) =>
    answerOf(place, agent, { session_id: 's', ...event }, more);
  return { bench, top, hook };
}
const used = (tool_name: string, tool_input: object, more = {}) => ({
  hook_event_name: 'PostToolUse',
  tool_name,
  tool_input,
  ...more,
});

const eventsOf = (agent: string): [name: string, kind: EventKind][] =>
  agentsNamed([agent]).flatMap(({ hook }) => Object.entries(hook.events));
/** The name of such an event of an agent. */
const eventOf = (agent: string, kind: EventKind): string =>
  eventsOf(agent).find(([, each]) => each === kind)?.[0] ?? assert.fail(`${agent} has no ${kind}`);

/** The agents whose hooks are told of tools, and how: each sends a change of a file in its own form. */
const TELLING = HOOKED.flatMap(([agent, { tools }]) =>
  tools === undefined
    ? []
    : {
        agent,
        saves: tools.saves,
        edit: (top: string, file: string) => ({
          hook_event_name: eventOf(agent, 'file'),
          ...tools.edit(top, file),
        }),
      },
);

/** A project with thirty places: ten locks and five failures bind files, the others bind nobody. */
async function thirtyPlaces(test: TestContext) {
  const { folder } = workbench(test);
  const top = join(folder, 'shop');
  for (const each of [top, join(folder, 'precedent')]) mkdirSync(each);
  git(top, 'init', '--quiet');
  const db = join(folder, 'shop.db');
  const memory = await openMemory({ db });
  for (let n = 0; n < 30; n += 1) {
    const strength = n < 10 ? 'lock' : 'normal';
    const { id } = await memory.mama.save({
      topic: `area-${n}:rule`,
      decision: `Rule ${n} of this part holds for all of its files, since customers were charged twice in ${2000 + n}`,
      reasoning: `It was seen in ${2000 + n}, in the shop of Busan.`,
      strength,
      files: n % 2 === 0 ? `src/area-${n}/**` : `src/area-${n}/file.ts`,
    });
    if (n >= 10 && n < 15)
      await memory.mama.update({ id, outcome: 'failed', reason: `Orders ${n} were lost at night` });
  }
  await memory.close();
  return { folder, top, db };
}

/** What an agent reads with an event, of a hook in this process. */
async function answerOf(
  { folder, top, db }: Awaited<ReturnType<typeof thirtyPlaces>>,
  agent: string,
  event: object,
  environment: Record<string, string> = {},
): Promise<string> {
  const written: string[] = [];
  await respond({
    agent,
    payload: { cwd: top, ...event },
    options: { db },
    environment: { XDG_DATA_HOME: folder, ...environment },
    cwd: top,
    // An agent takes its time.
    write: async (text) => {
      written.push(text);
      await new Promise((resolve) => setImmediate(resolve));
    },
    note: async (what) => assert.fail(what),
  });
  const answer = written.length > 0 ? JSON.parse(written.join('')) : {};
  return String(
    answer.hookSpecificOutput?.additionalContext ?? answer.additionalContext ?? answer.context ?? '',
  );
}

describe('what an agent is told with a file', () => {
  it('[F-4] the tools are known of every agent that setup enters such a hook for', () => {
    assert.deepEqual(
      HOOKED.flatMap(([agent, { events }]) =>
        eventsOf(agent).some(([name, kind]) => kind === 'file' && events.includes(name)) ? [agent] : [],
      ),
      TELLING.map(({ agent }) => agent),
    );
  });

  it('[F-4] [RE-3] forty edits in a project with thirty places are told what binds and why, also between prompts', async (test) => {
    const place = await thirtyPlaces(test);
    const { top } = place;
    const spent: Record<string, number> = {};
    // What they say is the same for each; what each sends is tried below.
    for (const { agent, edit: payload } of inTurn(TELLING, 0)) {
      const said = (event: object) => answerOf(place, agent, { session_id: agent, ...event });
      let tokens = 0;
      let prompts = 0;
      const told = new Set<number>();
      for (let edit = 0; edit < 40; edit += 1) {
        // Each area once, in another order, then ten of them once more; every fourth is of no area.
        const area = (edit * 7) % 30;
        const file = edit % 4 === 3 ? `src/area/${edit}.ts` : `src/area-${area}/file.ts`;
        const text = await said(payload(top, file));
        // A decision that binds nobody is told where it names exactly this file.
        const isTold = edit % 4 !== 3 && (area < 15 || area % 2 === 1) && !told.has(area);
        assert.equal(text.includes(`area-${area}:rule`), isTold, `${agent} ${edit} ${file}: ${text}`);
        if (isTold) told.add(area);
        else assert.equal(text, '', `${agent} ${edit} ${file}`);
        assert(countTokens(text) <= LIMITS.file, `${agent}: ${countTokens(text)} tokens`);
        if (isTold) assert.match(text, /(why|because) “/, text);
        tokens += countTokens(text);
        if (edit % 2 === 0) {
          const asked = countTokens(
            await said({
              hook_event_name: eventOf(agent, 'prompt'),
              prompt: `Does area-${16 + ((edit / 2) % 7) * 2}:rule still hold for the new files?`,
            }),
          );
          tokens += asked;
          prompts += asked;
        }
      }
      assert(prompts > 300, `${prompts} tokens with prompts`);
      spent[agent] = tokens;
    }
    for (const [agent, tokens] of Object.entries(spent))
      assert(tokens <= 3_000, `${agent}: ${tokens} tokens`);
    test.diagnostic(JSON.stringify(spent));
  });

  it('[F-4] what binds it and what failed there, with the payload of each agent', async (test) => {
    const { hook, top } = await repository(test);
    for (const [agent, event] of [
      ...TELLING.map(({ agent, edit }) => [agent, edit(top, 'src/store/engine.ts')] as const),
      ['claude', used('Read', { file_path: join(top, 'src/store/engine.ts') }, { agent_id: 'sub' })],
      [
        'vscode',
        {
          hookEventName: 'PostToolUse',
          tool_name: 'editFiles',
          tool_input: { files: ['src/new.ts', 'src/store/engine.ts'] },
        },
      ],
    ] as const) {
      const said = await hook(agent, { ...event, session_id: `${agent} ${event.tool_name}` });
      assert.match(said, /lock[\s\S]*db:engine: .*One file per project/, agent);
      assert(countTokens(said) <= LIMITS.file, `${countTokens(said)} tokens`);
    }
    const failed = await hook('claude', used('Write', { file_path: join(top, 'src/store/pool.ts') }));
    assert.match(failed, /FAILED[\s\S]*Ten connections[\s\S]*blocked at night/);
  });

  it('[F-1] [F-4] what a comment in the text that the agent sends names, where it binds', async (test) => {
    const { hook, top } = await repository(test);
    const file = join(top, 'src/other.py');
    for (const [session, agent, event] of [
      [
        'read',
        'claude',
        used('Read', { file_path: file }, { tool_response: { file: { content: 'a\n@decision money\n' } } }),
      ],
      [
        'edit',
        'codex',
        used('apply_patch', { command: '*** Update File: src/other.py\n-# @decision money.\n+b' }),
      ],
      [
        'write',
        'gemini',
        {
          ...used('write_file', { file_path: file, content: '# @decision money' }),
          hook_event_name: 'AfterTool',
        },
      ],
    ] as const)
      assert.match(await hook(agent, { ...event, session_id: session }), /money: .*whole cents/, session);
    for (const [session, content] of [
      ['free', '# @decision ui:grid'],
      ['none', '# @decision no:such, me@decision money'],
    ] as const)
      assert.equal(
        await hook('claude', { ...used('Write', { file_path: file, content }), session_id: session }),
        '',
      );
  });

  it('[RE-2] [T-12] once a context and decision, again after a compaction, and nothing of all else', async (test) => {
    const { hook, top } = await repository(test);
    const edit = (file: string, more = {}) =>
      hook('claude', used('Edit', { file_path: join(top, file) }, more));
    // Another event: one that comes twice within seconds is answered once in any case.
    const read = (file: string, more = {}) =>
      hook('claude', used('Read', { file_path: join(top, file) }, more));
    const engine = 'src/store/engine.ts';
    assert.match(await edit(engine), /One file per project/);
    assert.match(await edit('src/money.ts'), /whole cents/);
    for (const more of [{ agent_id: 'one' }, { agent_id: 'two' }])
      assert.match(await edit(engine, more), /One file per project/, 'a subagent has a context of its own');
    for (const more of [{}, { agent_id: 'one' }]) {
      assert.equal(await edit(engine, more), '');
      assert.equal(await read(engine, more), '');
    }
    for (const file of ['src/page/grid.tsx', 'src/other.ts', '../outside.ts', ''])
      assert.equal(await edit(file), '', file);
    await hook('claude', { hook_event_name: 'SessionStart', source: 'compact' });
    assert.match(await read('src/money.ts'), /whole cents/);
    await hook('claude', { hook_event_name: 'SessionStart', source: 'resume' });
    const again = await hook('claude', used('Read', { file_path: `./${engine}` }));
    assert.match(again, /One file per project/, 'what was said may have been summarised');
  });

  it('[RE-2] whole at the first file that a rule binds, in one line at three later ones, and the start counts for nothing', async (test) => {
    const { hook, top, bench } = await repository(test);
    const lock = ['decide', 'pay:cents', 'Amounts are whole cents', '--why', 'Sums were off by a cent'];
    await bench.succeed([...lock, '--strength', 'lock', '--file', 'src/pay/**']);
    assert.match(await hook('claude', { hook_event_name: 'SessionStart' }), /pay:cents: “Amounts/);
    const edit = (at: number) => hook('claude', used('Edit', { file_path: join(top, `src/pay/${at}.ts`) }));
    assert.match(
      await edit(0),
      /\[lock\] pay:cents: “Amounts are whole cents”; why “Sums were off by a cent”/,
    );
    for (const at of [1, 2, 3]) {
      const said = await edit(at);
      assert.equal(said, '[lock] pay:cents binds this file too, as said above.');
      assert(countTokens(said) <= 25, said);
    }
    assert.equal(await edit(4), '');
    const prompt = 'Which amounts are whole cents in pay:cents?';
    const asked = (session_id: string) =>
      hook('claude', { hook_event_name: 'UserPromptSubmit', prompt, session_id });
    assert.equal(await asked('s'), '', 'a prompt and a file count together');
    assert.match(await asked('t'), /Amounts are whole cents/);
    const later = used('Edit', { file_path: join(top, 'src/pay/0.ts') });
    assert.match(await hook('claude', { ...later, session_id: 't' }), /^\[lock\] pay:cents binds/);
  });

  it('[RE-2] two events at once say a rule whole once', async (test) => {
    const { hook, top, bench } = await repository(test);
    await bench.succeed(['decide', 'pay:cents', 'Whole cents', '--strength', 'lock', '--file', 'src/pay/**']);
    const said = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        hook('claude', used('Read', { file_path: join(top, `src/pay/${at}.ts`) })),
      ),
    );
    assert.equal(said.filter((text) => text.includes('“Whole cents”')).length, 1);
    assert.equal(said.filter((text) => text.includes('as said above')).length, 3);
  });

  it('[RE-3] locks come first, then axes, then what failed, then reasons; the others are named', async (test) => {
    const { hook, top, bench } = await repository(test);
    const decide = (topic: string, text: string, ...more: string[]) =>
      bench.succeed([
        'decide',
        topic,
        text,
        '--why',
        `It broke ${topic} in March`,
        '--file',
        'src/a.ts',
        ...more,
      ]);
    await decide('a:float', 'Amounts are floats');
    await bench.succeed(['failed', 'a:float', 'Sums were off']);
    await decide('a:axis', 'Functions are short', '--strength', 'axis');
    await decide('a:lock', 'No clock is read here', '--strength', 'lock');
    const read = (session_id: string) =>
      hook('claude', { ...used('Read', { file_path: join(top, 'src/a.ts') }), session_id });
    assert.match(
      await read('one'),
      /lock\] a:lock: .*; why “It broke a:lock.*\n.*axis\] a:axis: .*; why .*\n.*FAILED\] a:float: .*; failed because “Sums/,
    );
    for (let n = 0; n < 9; n += 1)
      await decide(`a:more-${n}`, `Rule ${n} holds for each of the lines in here`, '--strength', 'lock');
    const many = await read('two');
    const [, count] = /^- (\d+) more bind this file: a:more-\d, .*a:float$/m.exec(many) ?? [];
    const whole = many.match(/^- \[(lock|axis|FAILED)\] .*\)$/gm) ?? [];
    assert.equal(whole.length + Number(count), 12, many);
    assert(
      whole.every((line) => line.startsWith('- [lock]')),
      many,
    );
    assert(countTokens(many) <= LIMITS.file, `${countTokens(many)} tokens`);
  });

  it('[RE-3] of decisions that bind nobody the newest two that name exactly a file are told when it is changed', async (test) => {
    const { hook, top, bench } = await repository(test);
    for (const name of ['one', 'two', 'three'])
      await bench.succeed(['decide', `free:${name}`, `Take ${name} columns`, '--file', 'src/free.ts']);
    const use = (tool: string) => hook('claude', used(tool, { file_path: join(top, 'src/free.ts') }));
    assert.equal(await use('Read'), '');
    const said = await use('Edit');
    assert.deepEqual(said.match(/free:\w+/g), ['free:three', 'free:two']);
  });

  it('[RE-3] a pattern that covers more than a third of the files speaks at the start and not at each file', async (test) => {
    const { hook, top, bench } = await repository(test);
    for (let n = 0; n < 12; n += 1) writeFileSync(join(top, n < 5 ? `src/wide${n}.ts` : `f${n}.ts`), `${n}`);
    git(top, 'add', '.');
    git(top, 'commit', '--quiet', '-m', 'files');
    const decide = (topic: string, file: string) =>
      bench.succeed(['decide', topic, `Text of ${topic}`, '--strength', 'lock', '--file', file], {
        cwd: top,
      });
    await decide('wide:lock', 'src/**');
    await decide('exact:lock', 'src/wide0.ts');
    assert.match(await hook('claude', { hook_event_name: 'SessionStart' }), /wide:lock: “/);
    const said = await hook('claude', used('Edit', { file_path: join(top, 'src/wide0.ts') }));
    assert.deepEqual(said.match(/(?<=\] )\w+:lock/g), ['exact:lock']);
  });

  it('[RE-3] a file that git knows to have moved, one of another worktree, and one below a package', async (test) => {
    const { hook, top, bench } = await repository(test);
    mkdirSync(join(top, 'src/old'), { recursive: true });
    const text = (name: string) => `${name} has some lines\n`.repeat(9);
    for (const name of ['a', 'b']) writeFileSync(join(top, `src/old/${name}.ts`), text(name));
    for (let n = 0; n < 9; n += 1) writeFileSync(join(top, `f${n}.ts`), `${n}`);
    git(top, 'add', '.');
    git(top, 'commit', '--quiet', '-m', 'before');
    await bench.succeed(['decide', 'old:all', 'No network', '--strength', 'lock', '--file', 'src/old/**']);
    await bench.succeed(['decide', 'old:a', 'No clock', '--strength', 'lock', '--file', 'src/old/a.ts']);
    const read = async (file_path: string, session_id: string, cwd = top) =>
      (await hook('claude', { ...used('Read', { file_path }), session_id, cwd })).match(/old:\w+/g)?.sort();
    const both = ['old:a', 'old:all'];
    assert.deepEqual(await read(join(top, 'src/old/a.ts'), 'here'), both);
    const tree = join(bench.folder, 'tree');
    git(top, 'worktree', 'add', '--quiet', tree);
    assert.deepEqual(await read(join(tree, 'src/old/a.ts'), 'worktree'), both);
    assert.deepEqual(await read('a.ts', 'package', join(top, 'src/old')), both);
    git(top, 'mv', 'src/old', 'lib');
    git(top, 'commit', '--quiet', '-m', 'moved');
    assert.deepEqual(await read(join(top, 'lib/a.ts'), 'moved'), both);
    writeFileSync(join(top, 'lib/new.ts'), 'new');
    assert.deepEqual(await read(join(top, 'lib/new.ts'), 'moved, then new'), ['old:all']);
  });

  it('[RE-3] a file of a submodule, also from inside of it', async (test) => {
    const { hook, top, bench } = await repository(test);
    const other = join(bench.folder, 'other');
    mkdirSync(other);
    git(other, 'init', '--quiet');
    writeFileSync(join(other, 'a.ts'), 'a');
    git(other, 'add', '.');
    git(other, 'commit', '--quiet', '-m', 'one');
    git(top, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'vendor/other');
    await bench.succeed(['decide', 'sub:a', 'No clock', '--strength', 'lock', '--file', 'vendor/other/a.ts']);
    const sub = join(top, 'vendor/other');
    for (const cwd of [top, sub]) {
      const event = { ...used('Read', { file_path: join(sub, 'a.ts') }), session_id: cwd, cwd };
      assert.match(await hook('claude', event), /sub:a/, cwd);
    }
  });

  it('[RE-3] a command of a shell that names a file, in each agent', async (test) => {
    const { hook } = await repository(test);
    for (const [agent, tool, event] of [
      ['claude', 'Bash', 'PostToolUse'],
      ['codex', 'Bash', 'PostToolUse'],
      ['gemini', 'run_shell_command', 'AfterTool'],
      ['copilot', 'Bash', 'PostToolUse'],
      ['opencode', 'bash', 'PostToolUse'],
    ] as const)
      for (const command of [
        'cat src/store/engine.ts',
        "sed -i 's/one/two/' ./src/store/engine.ts",
        'cd src/store && mv engine.ts motor.ts',
        'git rm "src/store/engine.ts"',
        'echo x > src/store/engine.ts',
      ]) {
        const call = {
          ...used(tool, { command }),
          hook_event_name: event,
          session_id: `${agent} ${command}`,
        };
        assert.match(await hook(agent, call), /db:engine/, `${agent}: ${command}`);
      }
    for (const command of [
      'npm test',
      'ls src/store',
      'git tag -m "engine.ts is done" v1',
      // It neither reads the file into the context nor changes it.
      'npx vitest run src/store/engine.ts',
    ])
      assert.equal(await hook('claude', { ...used('Bash', { command }), session_id: command }), '', command);
  });

  it('[F-4] a prompt that names a file by its whole path is told what binds it', async (test) => {
    const { hook, top } = await repository(test);
    const event = {
      hook_event_name: 'UserPromptSubmit',
      prompt: `이 파일을 줄여줘: ${join(top, 'src/store/engine.ts')}`,
    };
    assert.match(await hook('claude', event), /lock\] db:engine/);
  });

  it('[F-4] a prompt that names a folder is told what binds the files in it', async (test) => {
    const { hook, top, bench } = await repository(test);
    const page = ['decide', '화면:격자', 'Twelve columns', '--strength', 'lock', '--file', 'src/page/**'];
    await bench.succeed(page, { cwd: top });
    for (const prompt of ['Shorten src/page/', 'src/page/ 폴더를 정리해줘'])
      assert.match(
        await hook('claude', { hook_event_name: 'UserPromptSubmit', session_id: prompt, prompt }),
        /Twelve columns/,
        prompt,
      );
  });

  it('[F-4] a file outside of the repository is bound by nothing in it', async (test) => {
    const { hook, top, bench } = await repository(test);
    const all = ['decide', 'all:files', 'Files end with a line break', '--strength', 'lock', '--file', '**'];
    await bench.succeed(all, { cwd: top });
    const prompted = (file: string) =>
      hook('claude', { hook_event_name: 'UserPromptSubmit', session_id: file, prompt: `Shorten ${file}` });
    assert.equal(await prompted(import.meta.filename), '');
    assert.match(await prompted(join(top, 'src/never.ts')), /Files end with a line break/);
  });

  it('[RE-3] a rule that is too long is cut with its reference, and a switch of its own turns it off', async (test) => {
    const { hook, top, bench } = await repository(test);
    const event = used('Edit', { file_path: join(top, 'src/money.ts') });
    const said = await hook('claude', event);
    assert.match(said, /money: .*whole cents.*…”? \([\da-f]{8,}\)$/m);
    assert(countTokens(said) <= LIMITS.file, `${countTokens(said)} tokens`);
    const there = { cwd: top, env: { XDG_DATA_HOME: bench.folder } };
    await bench.succeed(['off', 'files'], there);
    assert.equal(await hook('claude', { ...event, session_id: 'x' }), '');
    await bench.succeed(['on'], there);
    assert.notEqual(await hook('claude', { ...event, session_id: 'y' }), '');
  });

  it('[F-1] [F-4] after a save that names no files those that the session changed are offered, once, and not stored', async (test) => {
    const place = await thirtyPlaces(test);
    const { top } = place;
    for (const { agent, tool, edit } of TELLING.flatMap(({ saves, ...each }) =>
      saves.map((tool) => ({ ...each, tool })),
    )) {
      const after = { hook_event_name: eventOf(agent, 'file') };
      const said = (event = {}) =>
        answerOf(place, agent, { ...event, session_id: `${agent} ${tool}`, ...after });
      const save = (decision: string, more = {}) => said(used(tool, { topic: 'ui:new', decision, ...more }));
      assert.equal(await save('Before a change'), '');
      await said({ ...used('Read', { file_path: join(top, 'read.ts') }), ...after });
      for (const file of ['src/a b.ts', 'src/한글.ts', '../outside.ts']) await said(edit(top, file));
      assert.equal(await save('With files', { files: 'src/**' }), '');
      assert.equal(await save('A checkpoint', { type: 'checkpoint' }), '');
      assert.match(await save('Offered'), /with "files" \(mama_save\): src\/a b\.ts, src\/한글\.ts$/, tool);
      assert.equal(await save('Once'), '');
    }
    for (let n = 0; n < 9; n += 1)
      await answerOf(place, 'claude', {
        ...used('Edit', {
          file_path: join(top, `packages/결제-서버/src/주문/환불_수수료/${'refunds/'.repeat(n)}${n}.ts`),
        }),
        session_id: 'many',
      });
    const offer = { ...used('mcp__precedent__mama_save', { topic: 'a', decision: 'b' }), session_id: 'many' };
    const text = await answerOf(place, 'claude', offer);
    assert.match(text, /…/);
    assert.doesNotMatch(text, /수수료\/0\.ts/, 'only the newest are remembered');
    assert(countTokens(text) <= 80, `${countTokens(text)} tokens`);
    const memory = await openMemory({ db: place.db });
    assert.equal((await memory.call('mama_files', { files: 'src/a b.ts' })).answered, false);
    await memory.close();
  });
});
