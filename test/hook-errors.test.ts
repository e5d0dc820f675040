import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { LIMITS } from '../src/hook/page.ts';
import { openMemory } from '../src/index.ts';
import { type HookEvent, machineOfHooks, newSession } from './support/hooking.ts';

const { home, data, hook: answer, remove } = machineOfHooks();
const db = join(home, 'why.db');

/** What an agent is told with an event. */
async function told({ agent = 'claude', ...event }: HookEvent): Promise<string> {
  const written = await answer({ db }, { agent, ...event });
  const said = written === '' ? {} : JSON.parse(written);
  return said.additionalContext ?? said.hookSpecificOutput?.additionalContext ?? said.context ?? '';
}

const command = 'npm test';
const ERROR = 'PostgresError: prepared statement "s3" already exists';
/** A command that fails, as each agent sends it, and what a command is called there. */
const FAILING: Record<string, (output: string) => HookEvent> = {
  claude: (output) => ({
    ...{ name: 'PostToolUseFailure', tool_name: 'Bash', tool_input: { command } },
    error: `Exit code 1\n${output}`,
    is_interrupt: false,
  }),
  codex: (output) => ({
    ...{ name: 'PostToolUse', tool_name: 'Bash', tool_input: { command } },
    tool_response: output,
  }),
  gemini: (output) => ({
    ...{ name: 'AfterTool', tool_name: 'run_shell_command', tool_input: { command } },
    tool_response: {
      llmContent: `Command: ${command}\nOutput: ${output}\nExit Code: 1`,
      returnDisplay: output,
    },
  }),
  copilot: (output) => ({
    ...{ name: 'PostToolUse', tool_name: 'Bash', tool_input: { command } },
    tool_result: {
      result_type: 'success',
      text_result_for_llm: `${output}\n<shellId: 0 completed with exit code 1>`,
    },
  }),
  opencode: (output) => ({
    ...{ name: 'PostToolUse', tool_name: 'bash', tool_input: { command } },
    tool_response: { output, exit: 1 },
  }),
};
const failing = (output: string, more: HookEvent = {}): HookEvent => ({
  ...(FAILING.claude?.(output) ?? {}),
  ...more,
});

before(async () => {
  const memory = await openMemory({ db });
  await memory.mem.save({
    title: 'prepared statement "s1" already exists',
    content:
      'PgBouncer in transaction mode hands out a connection of another client. Set prepared_statements to false.',
  });
  const { id } = await memory.mama.save({ topic: 'pay:float', decision: 'Ledger totals are floats' });
  await memory.mama.update({
    id,
    outcome: 'failed',
    reason: 'ledger totals drifted: ERR_TOTAL_DRIFT in March',
  });
  const cache = await memory.mama.save({ topic: 'cache:store', decision: 'Keep counters in memcached' });
  await memory.mama.update({
    id: cache.id,
    outcome: 'failed',
    reason: 'ECONNREFUSED 10.0.0.7:11211 on every deploy, memcached was not started',
  });
  const graph = await memory.mama.save({
    topic: 'api:graph',
    decision: 'One GraphQL graph over all services',
  });
  await memory.mama.update({
    ...{ id: graph.id, outcome: 'failed' },
    reason: 'A list resolved its prices one by one, 214 calls for a screen.',
  });
  await memory.mama.save({
    topic: 'db:prepared',
    decision: 'A prepared statement already exists once for each connection',
    strength: 'lock',
  });
  await memory.mama.save({
    topic: 'db:names',
    decision: 'Each prepared statement that already exists has a name',
  });
  await memory.close();
});
after(remove);

describe('what an agent is told when a tool of it fails', () => {
  it('[RE-4] an everyday code tells with its port, and not without', async () => {
    assert.match(
      await told(failing('Error: connect ECONNREFUSED 10.0.0.7:11211')),
      /cache:store.*not started/,
    );
    assert.equal(await told(failing('Error: connect ECONNREFUSED 10.0.0.7:5432')), '');
  });

  for (const [agent, event] of Object.entries(FAILING))
    it(`[RE-4] ${agent}: the note that has the telling line, and the failure that has the code, with the result`, async () => {
      const said = await told({ agent, ...event(`$ test\n${ERROR}\n    at run (/srv/app/x.js:10:3)`) });
      assert.match(said, /prepared statement .*PgBouncer in transaction mode/);
      assert.doesNotMatch(said, /db:prepared|db:names/, 'never a rule or a normal decision');
      assert(countTokens(said) <= LIMITS.error, `${countTokens(said)} tokens`);
      assert.match(
        await told({ agent, ...event('Error: totals: ERR_TOTAL_DRIFT') }),
        /FAILED .*pay:float: .*failed because “ledger totals drifted/,
      );
      assert.match(
        await told({ agent, ...event('Error: prepared statement "s1" already exists') }),
        /PgBouncer/,
      );
      assert.equal(await told({ agent, ...event('Error: listen EADDRINUSE: address already in use') }), '');
    });

  it('[RE-4] a tool that succeeds says nothing of what its output tells', async () => {
    const name = 'PostToolUse';
    for (const event of [
      { agent: 'claude', name, tool_name: 'Bash', tool_response: { stdout: ERROR, stderr: '' } },
      { agent: 'codex', name, tool_name: 'Bash', tool_response: `Exit code: 0\nOutput:\n${ERROR}` },
      {
        agent: 'gemini',
        ...{ name: 'AfterTool', tool_name: 'run_shell_command' },
        tool_response: { llmContent: `Output: ${ERROR}\nExit Code: 0` },
      },
      {
        agent: 'copilot',
        ...{ name, tool_name: 'Bash' },
        tool_result: {
          result_type: 'success',
          text_result_for_llm: `${ERROR}\n<shellId: 0 completed with exit code 0>`,
        },
      },
      { agent: 'opencode', name, tool_name: 'bash', tool_response: { output: ERROR, exit: 0 } },
    ])
      assert.equal(await told({ ...event, tool_input: { command } }), '', event.agent);
  });

  it('[RE-4] what a command of Codex prints from files and histories says nothing', async () => {
    for (const command of [
      'cat log.txt',
      "cd src && sed -n '1,200p' a.ts",
      'rg "already exists"',
      'git log -3',
    ])
      assert.equal(
        await told({ agent: 'codex', ...FAILING.codex?.(ERROR), tool_input: { command } }),
        '',
        command,
      );
  });

  it('[RE-4] the same cause once until compaction, also when the command is repeated; a subagent has a context of its own', async () => {
    const session_id = newSession();
    const again = (output: string, more = {}) => told(failing(output, { session_id, ...more }));
    assert.match(await again(ERROR), /PgBouncer/);
    for (const n of [4, 5]) assert.equal(await again(ERROR.replace('s3', `s${n}`)), '');
    assert.match(await again(ERROR.replace('s3', 's6'), { agent_id: 'one' }), /PgBouncer/);
    await told({ session_id, source: 'compact' });
    assert.match(await again(ERROR.replace('s3', 's7')), /PgBouncer/);
  });

  it('[RE-4] at the error also what a prompt was told before', async () => {
    const session_id = newSession();
    const prompt = 'what does #1 say?';
    assert.match(await told({ name: 'UserPromptSubmit', prompt, session_id }), /PgBouncer/);
    assert.match(await told(failing(ERROR, { session_id })), /PgBouncer/);
  });

  it('[RE-4] of a long output the last 200 lines count', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => `line ${at} of the build`);
    assert.match(await told(failing([...lines, ERROR, ...lines.slice(0, 150)].join('\n'))), /PgBouncer/);
    assert.equal(await told(failing([...lines.slice(0, 50), ERROR, ...lines].join('\n'))), '');
  });

  it('[RE-4] everyday errors that share words with what is recorded say nothing', async () => {
    for (const output of [
      'ERROR:  relation "statements" does not exist',
      'error: a file of this name already exists',
      "npm error ENOENT: no such file or directory, open '/srv/ledger/package.json'",
      'src/ledger.ts(12,5): error TS2345: Argument of type string is not assignable to parameter of type Ledger.',
      'AssertionError: expected 3 totals to equal 4',
      'String to replace not found in file.',
      'bash: prepared: command not found',
      // The parts of a name are one word that is shared, not three.
      'GraphQL: Could not resolve to a PullRequest with the number of 99121. (repository.pullRequest)',
    ])
      assert.equal(await told(failing(output)), '', output);
  });

  it('[RE-4] [M-11] nothing of a command or of its output is stored', async () => {
    const secret = 'zanzibarquokka';
    await told(failing(`${ERROR} ${secret}`, { tool_input: { command: `run ${secret}` } }));
    mkdirSync(join(data, 'hooks'), { recursive: true });
    for (const name of readdirSync(join(data, 'hooks')))
      assert(!readFileSync(join(data, 'hooks', name), 'utf8').includes(secret), name);
    assert(!readFileSync(db, 'latin1').includes(secret));
  });
});
