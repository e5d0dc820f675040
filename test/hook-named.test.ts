import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { hookSessions, sessionHash } from '../src/cli/agents/hook-sessions.ts';
import { LIMITS } from '../src/hook/page.ts';
import { openMemory } from '../src/index.ts';
import { type HookEvent, machineOfHooks, newSession } from './support/hooking.ts';
import { git } from './support/machine.ts';

const { home, data, hook: answer, remove } = machineOfHooks();
const db = join(home, 'why.db');
const top = join(home, 'shop');

/** What an agent is told with an event. */
async function told({ agent = 'claude', ...event }: HookEvent): Promise<string> {
  const written = await answer({ db }, { agent, cwd: top, ...event });
  const said = written === '' ? {} : JSON.parse(written);
  return said.additionalContext ?? said.hookSpecificOutput?.additionalContext ?? said.context ?? '';
}
const asked = (prompt: string, more: HookEvent = {}) => told({ name: 'UserPromptSubmit', prompt, ...more });

interface Change {
  file: string;
  old: string;
  text: string;
}
/** A change of a file as each agent sends it; some send it when it is done. */
const EDITS: Record<string, (change: Change) => HookEvent> = {
  claude: ({ file, old, text }) => ({
    ...{ name: 'PreToolUse', tool_name: 'Edit' },
    tool_input: { file_path: join(top, file), old_string: old, new_string: text, replace_all: false },
  }),
  codex: ({ file, old, text }) => ({
    ...{ name: 'PostToolUse', tool_name: 'apply_patch', tool_response: 'Success.' },
    tool_input: {
      command: `*** Begin Patch\n*** Update File: ${file}\n@@\n${signed('-', old)}\n${signed('+', text)}\n*** End Patch`,
    },
  }),
  gemini: ({ file, old, text }) => ({
    ...{ name: 'AfterTool', tool_name: 'replace', tool_response: { llmContent: 'Done' } },
    tool_input: { file_path: join(top, file), old_string: old, new_string: text },
  }),
  copilot: ({ file, old, text }) => ({
    ...{ name: 'PreToolUse', tool_name: 'Edit' },
    tool_input: { path: join(top, file), old_str: old, new_str: text },
  }),
  opencode: ({ file, old, text }) => ({
    ...{ name: 'PostToolUse', tool_name: 'edit', tool_response: { output: '' } },
    tool_input: { filePath: join(top, file), oldString: old, newString: text },
  }),
};
const DONE = new Set(['codex', 'gemini', 'opencode']);
const signed = (sign: string, text: string) =>
  text
    .split('\n')
    .map((line) => sign + line)
    .join('\n');

/** What is told with a change of a file that has this text around what is replaced. */
async function changed(
  change: Partial<Change>,
  { agent = 'claude', around = '', ...more }: HookEvent & { around?: string } = {},
) {
  const whole = { file: 'src/sync.ts', old: '// here', text: '', ...change };
  mkdirSync(join(top, whole.file, '..'), { recursive: true });
  writeFileSync(join(top, whole.file), `${around}\n${DONE.has(agent) ? whole.text : whole.old}\n`);
  return told({ agent, ...EDITS[agent]?.(whole), ...more });
}
const ran = (command: string, more: HookEvent = {}) =>
  told({ name: 'PreToolUse', tool_name: 'Bash', tool_input: { command, description: 'x' }, ...more });

const PRISMA = "import { PrismaClient } from '@prisma/client';\nconst db = new PrismaClient();";
/** The second sentence of its reason, which names it. */
const WHY = /Rejected: Prisma, since its engine was 40 MB in each lambda\./;

before(async () => {
  mkdirSync(join(top, 'src'), { recursive: true });
  git(top, 'init', '--quiet');
  const memory = await openMemory({ db });
  await memory.mama.save({
    topic: 'db:queries',
    decision: 'Queries are written in SQL by hand',
    reasoning:
      'A query plan was read by nobody for a year. Rejected: Prisma, since its engine was 40 MB in each lambda.',
  });
  const bus = await memory.mama.save({
    topic: 'events:bus',
    decision: 'Events go over Kafka between services',
  });
  await memory.mama.update({
    ...{ id: bus.id, outcome: 'failed' },
    reason: 'It was cheap at first. Readings stood still for six minutes at each rebalance.',
  });
  await memory.mama.save({
    topic: 'infra:state',
    decision: 'Every bucket is made by Terraform',
    strength: 'lock',
  });
  await memory.mama.save({
    ...{ topic: 'infra:cdk', decision: 'Stacks are not written in CDK' },
    reasoning: 'Terraform instead of Terraform and CDK together.',
  });
  await memory.mama.save({
    topic: 'rows:kept',
    decision: 'Rows in meter_readings are never updated or deleted',
    reasoning: 'The audit reads them again each year.',
    strength: 'lock',
    hints: ['overwrite old readings', '계측값 덮어쓰기'],
  });
  await memory.mama.save({
    topic: 'money:cents',
    decision: 'Money is in whole cents',
    reasoning: 'Sums drifted by a cent in March.',
    strength: 'lock',
    files: 'src/money.ts',
  });
  await memory.mama.save({
    topic: 'api:log',
    decision: 'No console.table() in the api',
    reasoning: 'Loki reads JSON alone.',
    files: 'src/api/**',
  });
  await memory.mama.save({
    topic: 'infra:spot',
    decision: 'Only builds use spot machines; nothing stateful and no Temporal worker does',
  });
  await memory.mama.save({ topic: 'temporal:retries', decision: 'A step is tried three times' });
  for (let n = 0; n < 40; n++)
    await memory.mem.save({ title: `Note ${n} of the shop`, content: `Shelf ${n} holds box ${n * 7}.` });
  await memory.close();
});
after(remove);

describe('what an agent is told of names and hints', () => {
  it('[RE-6] a prompt with a name that a record is against is told it alone, with the sentence that names it', async () => {
    for (const prompt of ['Can we use Prisma here?', 'add prisma to the api']) {
      const said = await asked(prompt);
      assert.match(said, WHY, prompt);
      assert.equal(said.match(/^- /gm)?.length, 1, said);
    }
    assert.match(
      await asked('이벤트는 카프카로 보내자'),
      /FAILED.* events:bus: .*Readings stood still for six minutes/,
    );
  });

  it('[RE-6] a name that an active decision uses, or that no record is against, says nothing', async () => {
    for (const prompt of ['write the terraform for it', 'what is Valkey?', 'add a spinner to the page'])
      assert.doesNotMatch(await asked(prompt), /db:queries|events:bus|infra:cdk/, prompt);
  });

  it('[RE-16] a prompt that has a hint is told the record whole, in other words and another language', async () => {
    for (const prompt of [
      'just overwrite the old reading of Tuesday',
      '화요일 계측값을 그냥 덮어쓰기로 처리해줘',
    ])
      assert.match(
        await asked(prompt),
        /rows:kept: .*; why “The audit reads them again each year\.”/,
        prompt,
      );
  });

  it('[RE-5] what binds files is against a name that is written into these alone', async () => {
    const text = 'console.table(rows);';
    assert.match(await changed({ file: 'src/api/list.ts', text }), /what this writes(.|\n)*api:log/);
    assert.equal(await changed({ file: 'src/cli/list.ts', text }), '');
  });

  it('[V-4] a change that is against what the agent was told before is kept with the session, once', async () => {
    const session_id = newSession();
    const broken = () =>
      hookSessions(data)
        .find(({ hash }) => hash === sessionHash(session_id))
        ?.told.map((each) => each.broken);
    await asked('Can we use Prisma here?', { session_id });
    assert.deepEqual(broken(), [undefined]);
    await changed({ text: "import fs from 'node:fs';" }, { session_id });
    assert.deepEqual(broken(), [undefined], 'it is against nothing');
    await changed({ text: PRISMA }, { session_id });
    const [, first] = broken() ?? [];
    assert.equal(first?.length, 1);
    await changed({ text: `${PRISMA}\n// and again` }, { session_id });
    assert.deepEqual(broken(), [undefined, first]);
  });

  it('[V-4] a call that is sent before and after it is made is against nothing that it was told itself', async () => {
    const session_id = newSession();
    const tool = { tool_name: 'Bash', tool_input: { command: 'npm install prisma', description: 'x' } };
    assert.match(await told({ name: 'PreToolUse', ...tool, session_id }), WHY);
    await told({ name: 'PostToolUse', ...tool, tool_response: {}, session_id });
    assert.deepEqual(
      hookSessions(data).flatMap(({ hash, told }) =>
        hash === sessionHash(session_id) ? told.map((each) => each.broken) : [],
      ),
      [undefined],
    );
    assert.equal(
      await told({
        name: 'PreToolUse',
        ...tool,
        tool_input: { command: 'npm install prisma@6' },
        session_id,
      }),
      '',
    );
    const [session] = hookSessions(data).filter(({ hash }) => hash === sessionHash(session_id));
    assert.equal(session?.told.at(-1)?.broken?.length, 1);
  });

  it('[RE-13] the task of a subagent is told what it names', async () => {
    const session_id = newSession();
    const task = {
      subagent_type: 'general-purpose',
      description: 'Move it',
      prompt: 'Port the api to Prisma',
    };
    await told({ name: 'PreToolUse', tool_name: 'Agent', tool_input: task, session_id });
    const start = { name: 'SubagentStart', agent_id: 'a1', agent_type: 'general-purpose', session_id };
    assert.match(await told(start), /db:queries/);
  });

  for (const agent of Object.keys(EDITS)) {
    it(`[RE-5] ${agent}: an edit whose new text alone has the name is told why`, async () => {
      assert.match(await changed({ text: PRISMA }, { agent }), WHY);
      assert.equal(
        await changed({ old: PRISMA, text: `${PRISMA}\n// again` }, { agent }),
        '',
        'it was replaced',
      );
      assert.equal(await changed({ text: PRISMA }, { agent, around: PRISMA }), '', 'the file had it');
      assert.equal(await changed({ text: 'const shelf = 3;' }, { agent }), '');
    });
  }

  it('[RE-5] new files, several edits of one, and cells of a notebook are read, too', async () => {
    const of = (tool_name: string, tool_input: object) => told({ name: 'PreToolUse', tool_name, tool_input });
    const file_path = join(top, 'src/new.ts');
    assert.match(await of('Write', { file_path, content: PRISMA }), WHY);
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: PRISMA },
    ];
    assert.match(await of('MultiEdit', { file_path, edits }), WHY);
    const notebook_path = join(top, 'a.ipynb');
    assert.match(await of('NotebookEdit', { notebook_path, cell_id: '1', new_source: 'import prisma' }), WHY);
  });

  it('[RE-5] fixtures, lock files, generated files and comments say nothing, nor a text that names the decision', async () => {
    for (const file of ['test/fixtures/a.ts', 'package-lock.json', 'src/a.generated.ts', 'docs/a.md'])
      assert.equal(await changed({ file, text: PRISMA }), '', file);
    assert.equal(await changed({ text: '// prisma was here' }), '');
    assert.equal(await changed({ text: `// db:queries does not hold here\n${PRISMA}` }), '');
  });

  it('[RE-5] a command is told what it installs, runs or sends to a database, and nothing of what it looks at', async () => {
    for (const command of ['npm install prisma', 'cd api && npx prisma@6 init', 'pnpm add -D @prisma/client'])
      assert.match(await ran(command), WHY, command);
    assert.match(await ran(`psql -c "UPDATE meter_readings SET value = 3"`), /rows:kept/);
    // What failed with Kafka is no reason against its program, but against installing it.
    assert.match(await ran('npm install kafka'), /events:bus/);
    for (const command of [
      'kafka topics --list',
      // Decisions have its name as their area: it is in use here, whatever one record denies it.
      'temporal workflow list',
      'grep -rn prisma src',
      'git log --grep prisma',
      'ls node_modules',
      'npm test',
    ])
      assert.equal(await ran(command), '', command);
  });

  it('[RE-5] [RE-16] what is written is compared with hints', async () => {
    const text = 'function overwriteOldReadings() {}';
    assert.match(await changed({ text }), /rows:kept: .*The audit reads them/);
    assert.equal(await changed({ text }, { around: text }), '');
  });

  it('[RE-2] told with a prompt it is whole again where it is written, and then once', async () => {
    const session_id = newSession();
    assert.match(await asked('use prisma', { session_id }), WHY);
    assert.equal(await asked('and prisma here, too', { session_id }), '');
    assert.match(await changed({ text: PRISMA }, { session_id }), WHY);
    assert.equal(await changed({ file: 'src/other.ts', text: PRISMA }, { session_id }), '');
    assert.equal(await ran('npm install prisma', { session_id }), '');
    await told({ source: 'compact', session_id });
    assert.match(await ran('pnpm add prisma', { session_id }), WHY);
  });

  it('[RE-3] [RE-5] one answer has what the text names, then what binds the file, before the change', async () => {
    const said = await changed({ file: 'src/money.ts', text: PRISMA });
    assert.match(said, /db:queries[\s\S]*Rejected: Prisma[\s\S]*money:cents/);
    assert(countTokens(said) <= LIMITS.file, said);
    assert.match(
      await changed({ file: 'src/money.ts', text: 'a' }),
      /On the file at hand:[\s\S]*money:cents: .*Sums drifted/,
    );
  });

  it('[RE-5] [Z-15] no file is waited for, and none outside of the repository is read', {
    skip: process.platform === 'win32',
  }, async () => {
    execFileSync('mkfifo', [join(top, 'pipe.ts')]);
    const secret = join(home, 'elsewhere.ts');
    writeFileSync(secret, PRISMA);
    symlinkSync(secret, join(top, 'link.ts'));
    for (const file of ['pipe.ts', 'link.ts']) {
      const event = EDITS.claude?.({ file, old: 'a', text: PRISMA });
      assert.match(await told({ ...event }), WHY, file);
    }
    assert.equal(await told({ ...EDITS.claude?.({ file: '../elsewhere.ts', old: 'a', text: PRISMA }) }), '');
    for (const name of ['pipe.ts', 'link.ts']) rmSync(join(top, name));
  });

  it('[M-11] nothing of what is written or run is stored', async () => {
    const word = 'zanzibarquokka';
    await changed({ text: `${PRISMA}\nconst ${word} = 1;` });
    await ran(`npm install prisma --${word}`);
    for (const name of readdirSync(join(data, 'hooks')))
      assert(!readFileSync(join(data, 'hooks', name), 'utf8').includes(word), name);
    assert(!readFileSync(db, 'latin1').includes(word));
  });
});

describe('what an agent is asked to save', () => {
  const ASKED = /^(.*mama_save.*)$/m;
  const lineOf = (said: string) => ASKED.exec(said)?.[1] ?? '';

  it('[RE-11] where a person decides or reports, in a line of 25 tokens', async () => {
    const decided = lineOf(await asked('From now on every pallet gets a label, no exceptions.'));
    assert.match(decided, /mama_save/);
    const reported = lineOf(
      await asked('We tried double labels for a month: too slow, we are back on single ones.'),
    );
    assert.match(reported, /mama_update/);
    assert.match(lineOf(await asked('앞으로 라벨은 항상 두 장씩 붙이기로 했다')), /mama_save/);
    for (const line of [decided, reported]) assert(countTokens(line) <= 25, `${countTokens(line)}: ${line}`);
    for (const prompt of ['use const instead of let here', 'why do we always label twice?', 'fix the labels'])
      assert.equal(lineOf(await asked(prompt)), '', prompt);
  });

  it('[RE-11] with a rule or failure that the prompt breaks, the line says what it would replace', async () => {
    const said = await asked('From now on events go over Kafka again.');
    assert.match(said, /save it as replacing events:bus/);
    assert.match(said, /Readings stood still/);
    assert(countTokens(lineOf(said)) <= 25, lineOf(said));
  });

  it('[RE-11] once for a matter, and four times a session at most', async () => {
    const session_id = newSession();
    const times = async (prompt: string) => lineOf(await asked(prompt, { session_id })) !== '';
    assert(await times('From now on every pallet gets a label.'));
    assert(!(await times('Really: from now on every pallet gets its label.')));
    for (const prompt of [
      'We never lend a forklift.',
      'Invoices always leave on Friday from now on.',
      'Going forward, pickers wear blue.',
    ])
      assert(await times(prompt), prompt);
    assert(!(await times('From now on trucks leave at noon.')));
  });

  it('[RE-11] at an approved plan and the first commit, unless something was saved', async () => {
    const plan = {
      name: 'PostToolUse',
      tool_name: 'ExitPlanMode',
      tool_input: { plan: '1. Move' },
      tool_response: {},
    };
    const save = {
      ...{ name: 'PostToolUse', tool_name: 'mcp__precedent__mama_save' },
      tool_input: { topic: 'a:b', decision: 'c', files: 'src/a.ts' },
    };
    const session_id = newSession();
    assert.match(await told({ ...plan, session_id }), /^A plan was approved: mama_save/);
    assert.match(
      await ran("git add -A && git commit -m 'Move'", { session_id }),
      /^Nothing was saved .*mama_save/,
    );
    assert.equal(await ran('git commit --amend', { session_id }), '');
    const other = newSession();
    await told({ ...save, session_id: other });
    assert.equal(await told({ ...plan, session_id: other }), '');
    assert.equal(await ran('git commit -m x', { session_id: other }), '');
  });

  it('[RE-11] [M-11] nothing of the prompt is kept, and an agent that stops is asked nothing', async () => {
    const word = 'zebrafinch';
    await asked(`From now on the ${word} goes first.`);
    for (const name of readdirSync(join(data, 'hooks')))
      assert(!readFileSync(join(data, 'hooks', name), 'utf8').includes(word), name);
    assert.equal(await told({ name: 'Stop' }), '');
  });
});
