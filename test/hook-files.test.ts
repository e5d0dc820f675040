import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { EventKind } from '../src/agents/agent.ts';
import { agentsNamed } from '../src/agents/agents.ts';
import { respond } from '../src/hook/respond.ts';
import { Sessions } from '../src/hook/session.ts';
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
    write: async (text) => void written.push(text),
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

  it('[F-4] forty edits in a project with thirty places are told what binds, and nothing else, also between prompts', async (test) => {
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
        const isTold = edit % 4 !== 3 && area < 15 && !told.has(area);
        assert.equal(text.includes(`area-${area}:rule`), isTold, `${agent} ${edit} ${file}: ${text}`);
        if (isTold) told.add(area);
        else assert.equal(text, '', `${agent} ${edit} ${file}`);
        assert(countTokens(text) <= 80, `${agent}: ${countTokens(text)} tokens`);
        tokens += countTokens(text);
        if (edit % 2 === 0) {
          const asked = countTokens(
            await said({
              hook_event_name: eventOf(agent, 'prompt'),
              prompt: `Does area-${15 + ((edit / 2) % 15)}:rule still hold for the new files?`,
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
      assert(countTokens(said) <= 80, `${countTokens(said)} tokens`);
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

  it('[F-4] [T-12] once a context and decision, again after a compaction, and nothing of all else', async (test) => {
    const { bench, hook, top } = await repository(test);
    const edit = (file: string, more = {}) =>
      hook('claude', used('Edit', { file_path: join(top, file) }, more));
    // Another event: one that comes twice within seconds is answered once in any case.
    const read = (file: string, more = {}) =>
      hook('claude', used('Read', { file_path: join(top, file) }, more));
    const engine = 'src/store/engine.ts';
    assert.match(await edit(engine), /One file per project/);
    const { spent, tokens } = new Sessions(join(bench.folder, 'precedent')).read('s');
    assert(tokens > 0 && spent.binding === tokens, 'it is paid as what a prompt is told');
    assert.match(await edit('src/money.ts'), /whole cents/);
    for (const more of [{ agent_id: 'one' }, { agent_id: 'two' }])
      assert.match(await edit(engine, more), /One file per project/, 'a subagent has a context of its own');
    for (const more of [{}, { agent_id: 'one' }]) {
      assert.equal(await edit(engine, more), '');
      assert.equal(await read(engine, more), '');
    }
    for (const file of ['src/page/grid.tsx', 'src/other.ts', '../outside.ts', ''])
      assert.equal(await edit(file), '', file);
    assert.equal(await hook('claude', used('Bash', { command: 'cat src/store/engine.ts' })), '');
    await hook('claude', { hook_event_name: 'SessionStart', source: 'compact' });
    assert.match(await read('src/money.ts'), /whole cents/);
  });

  it('[F-4] a prompt that names a file by its whole path is told what binds it', async (test) => {
    const { hook, top } = await repository(test);
    const event = {
      hook_event_name: 'UserPromptSubmit',
      prompt: `이 파일을 줄여줘: ${join(top, 'src/store/engine.ts')}`,
    };
    assert.match(await hook('claude', event), /lock .*db:engine/);
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

  it('[F-4] within 80 tokens also a long rule, and off by a switch of its own', async (test) => {
    const { hook, top, bench } = await repository(test);
    const event = used('Edit', { file_path: join(top, 'src/money.ts') });
    const said = await hook('claude', event);
    assert.match(said, /money: .*whole cents.*…”? \([\da-f]{8,}\)$/m);
    assert(countTokens(said) <= 80, `${countTokens(said)} tokens`);
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

  it('[F-4] a read is told only what names the file closely', async (test) => {
    const { hook, top, bench } = await repository(test);
    await bench.succeed(['decide', 'wide', 'No network here', '--strength', 'lock', '--file', 'src/**']);
    await bench.succeed([
      'decide',
      'near',
      'No clock here',
      '--strength',
      'lock',
      '--file',
      'src/page/*.tsx',
    ]);
    const file = join(top, 'src/page/a.tsx');
    const read = await hook('claude', used('Read', { file_path: file }));
    assert.match(read, /No clock here/);
    assert.doesNotMatch(read, /No network here/);
    assert.match(await hook('claude', used('Edit', { file_path: file })), /No network here/);
  });
});
