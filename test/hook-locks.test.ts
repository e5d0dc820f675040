import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { agentsHome } from './support/agents-home.ts';
import { git } from './support/machine.ts';
import { workbench } from './support/program.ts';

const POSIX = { skip: process.platform === 'win32' && 'needs the homes of POSIX' };
const flat = (text: string) => text.replace(/\s+/g, ' ');

/** A repository with two locks, an axis and a decision that bind its files. */
async function repository(test: TestContext) {
  const bench = workbench(test, 'here');
  const top = join(bench.folder, '저장소');
  for (const folder of [top, join(bench.folder, 'precedent')]) mkdirSync(folder);
  git(top, 'init', '--quiet');
  const env = { XDG_DATA_HOME: bench.folder };
  const decide = (...words: string[]) => bench.succeed(['decide', ...words], { env });
  const why = ['--why', 'Two files were out of step in March.'];
  await decide('db:engine', 'One file for each project', ...why, '--strength', 'lock', '--file', 'src/db/**');
  await decide('ui:grid', 'Eight pixels', '--strength', 'axis', '--file', 'src/ui.css');
  await decide('ui:font', 'One font', '--file', 'src/font.css');
  let calls = 0;
  const event = async (
    name: string,
    tool: string,
    input: object,
    more: object = {},
    words: string[] = [],
  ) => {
    const stdin = JSON.stringify({
      hook_event_name: name,
      session_id: 's',
      cwd: top,
      tool_name: tool,
      tool_input: input,
      tool_use_id: `call ${calls++}`,
      ...more,
    });
    const { stdout, code } = await bench.run(['hook', 'claude', ...words], {
      env: { ...env, ...more },
      stdin,
    });
    assert.equal(code, 0);
    return stdout === '' ? {} : JSON.parse(stdout).hookSpecificOutput;
  };
  return {
    bench,
    decide,
    at: (file: string) => join(top, file),
    /** What Claude Code is answered before a call. */
    before: (tool: string, input: object, more?: object) =>
      event('PreToolUse', tool, input, more, ['--ask-locks']),
    plain: (tool: string, input: object) => event('PreToolUse', tool, input),
    after: (tool: string, input: object) => event('PostToolUse', tool, input, {}, ['--ask-locks']),
  };
}

describe('a lock, where it was chosen that locks ask', () => {
  it('[RE-15] asks the person before the first change of a file that it binds, with the rule and why', async (test) => {
    const { before, plain, at } = await repository(test);
    const edit = { file_path: at('src/db/open.ts'), old_string: 'a', new_string: 'b' };
    const { permissionDecision, permissionDecisionReason: why } = await before('Edit', edit);
    assert.equal(permissionDecision, 'ask');
    assert.match(why, /^Precedent: a lock binds src\/db\/open\.ts\. Allow this only if it keeps to the rule/);
    assert.match(
      why,
      /\[lock\] db:engine: “One file for each project”; why “Two files were out of step in March\.”/,
    );
    assert.equal((await plain('Edit', edit)).permissionDecision, undefined, 'by choice alone');
  });

  it('[RE-15] asks again after a refusal, and not after a change that was allowed', async (test) => {
    const { before, after, at, decide } = await repository(test);
    const write = { file_path: at('src/db/open.ts'), content: 'a' };
    const asked = async (more?: object) => (await before('Write', write, more)).permissionDecision;
    assert.equal(await asked(), 'ask');
    assert.equal(await asked(), 'ask', 'it was refused');
    await after('Write', { file_path: at('src/ui.css'), content: '' });
    await after('Read', { file_path: at('src/db/open.ts') });
    assert.equal(await asked(), 'ask', 'something else was done');
    await after('Write', write);
    assert.equal(await asked(), undefined);
    assert.equal((await before('Edit', { file_path: at('src/db/close.ts') })).permissionDecision, undefined);
    assert.equal(await asked({ session_id: 'other' }), 'ask');
    await decide('db:close', 'Close at once', '--strength', 'lock', '--file', 'src/db/open.ts');
    const { permissionDecisionReason: why } = await before('Write', write);
    assert.match(why, /Close at once/);
    assert.doesNotMatch(why, /One file for each project/);
  });

  it('[RE-15] asks before a command that changes the file, and not before one that reads it', async (test) => {
    const { before } = await repository(test);
    const bash = async (command: string) => (await before('Bash', { command })).permissionDecision;
    assert.equal(await bash('cat src/db/open.ts'), undefined);
    assert.equal(await bash("sed -i 's/a/b/' src/db/open.ts"), 'ask');
  });

  it('[RE-15] asks before the first text or command that names what it forbids', async (test) => {
    const { before, after, at, decide } = await repository(test);
    await decide('db:orm', 'Never use Prisma', '--why', 'Its engine was 40 MB.', '--strength', 'lock');
    await decide('db:pool', 'No PgBouncer', '--why', 'It loses statements.');
    const install = { command: 'npm install prisma' };
    const { permissionDecision, permissionDecisionReason: why } = await before('Bash', install);
    assert.equal(permissionDecision, 'ask');
    assert.match(why, /^Precedent: a lock may forbid what this writes or runs\. Allow this only if/);
    assert.match(why, /db:orm: “Never use Prisma”; why “Its engine was 40 MB\.”/);
    const write = { file_path: at('src/main.ts'), content: "import { PrismaClient } from 'prisma';" };
    const asked = async (tool: string, input: object) => (await before(tool, input)).permissionDecision;
    assert.equal(await asked('Write', write), 'ask', 'nothing was allowed');
    assert.equal(await asked('Bash', { command: 'apt-get install pgbouncer' }), undefined, 'no lock');
    await after('Bash', { command: 'npm test' });
    assert.equal(await asked('Bash', install), 'ask', 'something else was done');
    await after('Bash', install);
    assert.equal(await asked('Write', write), undefined);
  });

  it('[RE-15] alone asks: no axis, no other decision, no withdrawn lock, nothing that it does not bind', async (test) => {
    const { before, at, bench } = await repository(test);
    const asked = async (file: string) => (await before('Edit', { file_path: at(file) })).permissionDecision;
    for (const file of ['src/ui.css', 'src/font.css', 'src/main.ts'])
      assert.equal(await asked(file), undefined);
    const { decision } = JSON.parse(await bench.succeed(['tool', 'decision_get', 'db:engine', '--json']));
    await bench.succeed(['withdraw', 'db:engine', 'It is over', '--replaces', decision.id]);
    assert.equal(await asked('src/db/open.ts'), undefined);
  });

  it('[RE-15] does not ask where nobody is there, nor where the person chose not to be asked', async (test) => {
    const { before, at } = await repository(test);
    const edit = { file_path: at('src/db/open.ts') };
    const asked = async (more?: object) => (await before('Edit', edit, more)).permissionDecision;
    assert.equal(await asked({ CLAUDE_CODE_SESSION_ATTENDED: '0' }), undefined);
    for (const permission_mode of ['bypassPermissions', 'dontAsk'])
      assert.equal(await asked({ permission_mode }), undefined);
    assert.equal(await asked(), 'ask');
  });
});

describe('setup --ask-locks', POSIX, () => {
  it('[RE-15] enters the choice for the agents that can ask, says which cannot, and unsetup takes it', async (test) => {
    const { run, json, read, put, snapshot } = agentsHome(test, [], 'here');
    put('.claude/settings.json', '{\n  "cleanupPeriodDays": 30\n}\n');
    const before = snapshot();
    const { stdout } = await run(['setup', 'claude', 'gemini', '--ask-locks']);
    assert.match(flat(stdout), /! Locks do not ask in Gemini CLI: hooks cannot ask there/);
    const { PreToolUse } = JSON.parse(read('.claude/settings.json')).hooks;
    assert.match(PreToolUse[0].matcher, /Edit\|Write/);
    assert.deepEqual(PreToolUse[0].hooks[0].args.slice(-3), ['hook', 'claude', '--ask-locks']);
    assert.doesNotMatch(read('.gemini/settings.json'), /ask-locks/);
    assert.equal((await json(['doctor'])).agents[0].hooks, true);
    const once = snapshot();
    await json(['setup', 'claude', 'gemini', '--ask-locks']);
    assert.deepEqual(snapshot(), once);
    const { agents } = await json(['setup', 'claude']);
    assert.match(
      agents[0].notes.join(' '),
      /locks no longer ask before a change: --ask-locks turns that on again/,
    );
    assert.doesNotMatch(read('.claude/settings.json'), /ask-locks/);
    await json(['setup', 'claude', '--ask-locks']);
    await json(['unsetup']);
    assert.deepEqual(snapshot(), before);
  });

  it('[RE-15] is refused where no hooks are written, and says where the plugin brings them', async (test) => {
    const { run, put } = agentsHome(test, [], 'here');
    for (const other of ['--no-hooks', '--project']) {
      const { code, stderr } = await run(['setup', 'claude', '--ask-locks', other]);
      assert.notEqual(code, 0);
      assert.match(flat(stderr), new RegExp(`Expected --ask-locks or ${other}, found both`));
    }
    put('.claude/settings.json', '{"enabledPlugins":{"precedent@precedent":true}}');
    const { stdout } = await run(['setup', 'claude', '--ask-locks']);
    assert.match(
      flat(stdout),
      /! Locks do not ask in Claude Code: its plugin brings the hooks\. Run "claude plugin/,
    );
  });
});
