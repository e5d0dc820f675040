import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openMemory } from '../src/index.ts';
import { OF_PROGRAMS, PROGRAM, workbench } from './support/program.ts';

/** A workbench with topics, whose `complete` says what a shell is told. */
async function known(test: TestContext) {
  const bench = workbench(test);
  const memory = await openMemory({ db: bench.db, workspace: 'bench' });
  const { id } = await memory.mama.save({ topic: 'auth:token', decision: 'Cookies' });
  await memory.mama.save({ topic: 'auth:csrf', decision: 'Origin header' });
  await memory.mama.save({ topic: '결제:환불', decision: '원래 수단으로' });
  await memory.close();
  const complete = async (...typed: string[]) => {
    const lines = (await bench.succeed(['complete', '--', ...typed])).trimEnd().split('\n');
    return { values: lines.slice(0, -1).map((line) => line.split('\t')[0]), last: lines.at(-1) };
  };
  return { bench, id, complete };
}

describe('[U-8] completion', () => {
  it('offers commands, options, choices, topics, scopes and ids', async (test) => {
    const { complete, id } = await known(test);
    const all = (await complete('')).values;
    for (const word of ['decide', 'why', 'tool', 'doctor', 'completion']) assert(all.includes(word), word);
    assert.deepEqual((await complete('tool', 'mama_sa')).values, ['mama_save']);
    assert.deepEqual((await complete('decide', '--str')).values, ['--strength']);
    assert.deepEqual((await complete('decide', '--strength', '')).values, ['axis', 'lock', 'normal']);
    assert.deepEqual((await complete('why', 'auth:')).values, ['auth:csrf', 'auth:token']);
    assert.deepEqual((await complete('failed', '결')).values, ['결제:환불']);
    assert.deepEqual((await complete('recall', 'x', '--scope', 'a')).values, ['auth']);
    assert.deepEqual((await complete('why', id.slice(0, 6))).values, [id.slice(0, 8)]);
    assert.deepEqual((await complete('completion', 'z')).values, ['zsh']);
    assert.deepEqual((await complete('sync', '')).values, ['trust']);
    assert.deepEqual(await complete('backup', 'x'), { values: [], last: ':0' }, 'names of files');
  });

  it('offers what looks around any record, and what a group means by itself', async (test) => {
    const { complete, id } = await known(test);
    const topics = ['auth:csrf', 'auth:token'];
    for (const word of ['show', 'diff', 'history', 'edit', 'log', 'list'])
      assert.deepEqual((await complete(word, 'auth:')).values, topics, word);
    assert.deepEqual((await complete('diff', 'auth:token', 'auth:c')).values, ['auth:csrf']);
    assert.deepEqual((await complete('show', id.slice(0, 6))).values, [id.slice(0, 8)]);
    assert.deepEqual((await complete('list', 'au')).values, [...topics, 'authors']);
    assert.deepEqual((await complete('list', '--sta')).values, ['--state', '--stale']);
    assert.deepEqual((await complete('list', '-n', '5', '--state', 'su')).values, ['superseded']);
    assert.deepEqual((await complete('list', 'topics', 'auth:c')).values, []);
    assert.deepEqual((await complete('log', '--kind', 'o')).values, ['outcome', 'observation']);
    for (const typed of [
      ['evidence_move', ''],
      ['mama_load_checkpoint', ''],
      ['mem_delete', ''],
    ])
      assert.deepEqual(await complete('tool', ...typed), { values: [], last: ':0' }, 'ids of other kinds');
    assert.deepEqual((await complete('tool', 'evidence_move', 'e', 'auth:')).values, topics);
    assert.deepEqual((await complete('resume', 'auth:')).values, []);
    assert.deepEqual((await complete('setup', 'claude', 'co')).values, ['codex', 'copilot']);
  });

  it('says nothing, creates nothing and ends well where there is no memory, or none that can be read', async (test) => {
    const bench = workbench(test);
    const missing = join(bench.folder, 'missing.db');
    const foreign = join(bench.folder, 'foreign.db');
    writeFileSync(foreign, 'no database');
    for (const db of [missing, foreign]) {
      const ran = await bench.run(['complete', '--', '--db', db, 'why', 'a']);
      assert.deepEqual(ran, { code: 0, stdout: ':4\n', stderr: '' });
    }
    assert(!existsSync(missing));
  });

  /** Types a line in a shell with completion, in a terminal of its own. @returns what the shell made of it */
  async function typedIn(test: TestContext, shell: string, program: (script: string) => string) {
    const { bench } = await known(test);
    const shim = join(bench.folder, 'precedent');
    writeFileSync(
      shim,
      `#!/bin/sh\nPRECEDENT_WORKSPACE= PRECEDENT_DB='${bench.db}' exec '${process.execPath}' '${PROGRAM}' "$@"\n`,
    );
    chmodSync(shim, 0o755);
    const script = join(bench.folder, 'script');
    writeFileSync(script, await bench.succeed(['completion', shell]));
    const env = {
      ...OF_PROGRAMS,
      PATH: `${bench.folder}${delimiter}${process.env.PATH}`,
      HOME: bench.folder,
    };
    const ran = spawnSync(shell, ['-c', program(script)], { env, encoding: 'utf8' });
    assert.equal(ran.stderr, '');
    return ran.stdout.trim().split(/\s+/);
  }
  const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;

  it('bash completes a topic that it takes apart at its colons', {
    skip: !has('bash') && 'needs bash',
  }, async (test) => {
    const program = (script: string) =>
      `. '${script}'; COMP_WORDS=(precedent why auth : t); COMP_CWORD=4; _precedent; echo "\${COMPREPLY[@]}"`;
    assert.deepEqual(await typedIn(test, 'bash', program), ['token']);
  });

  it('bash completes a command', { skip: !has('bash') && 'needs bash' }, async (test) => {
    const program = (script: string) =>
      `. '${script}'; COMP_WORDS=(precedent top); COMP_CWORD=1; _precedent; echo "\${COMPREPLY[@]}"`;
    assert.deepEqual(await typedIn(test, 'bash', program), ['topic']);
  });

  it('fish completes a topic', { skip: !has('fish') && 'needs fish' }, async (test) => {
    const program = (script: string) => `source '${script}'; complete -C 'precedent why auth:t'`;
    assert.deepEqual(await typedIn(test, 'fish', program), ['auth:token', 'topic']);
  });

  it('zsh takes the script', { skip: !has('zsh') && 'needs zsh' }, async (test) => {
    const program = (script: string) =>
      `autoload -U compinit; compinit -D -u; . '${script}'; print $_comps[precedent]`;
    assert.deepEqual(await typedIn(test, 'zsh', program), ['_precedent']);
  });
});
