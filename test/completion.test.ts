import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { OF_PROGRAMS, PROGRAM, workbench } from './support/program.ts';

/** A workbench, whose `complete` says what a shell is told. */
function completing(test: TestContext) {
  const bench = workbench(test, 'here');
  const complete = async (...typed: string[]) => {
    const lines = (await bench.succeed(['complete', '--', ...typed])).trimEnd().split('\n');
    return { values: lines.slice(0, -1).map((line) => line.split('\t')[0]), last: lines.at(-1) };
  };
  return { bench, complete };
}

describe('[U-8] completion', () => {
  it('offers commands, options and choices', async (test) => {
    const { complete } = completing(test);
    const all = (await complete('')).values;
    for (const word of ['decide', 'why', 'tool', 'doctor', 'completion']) assert(all.includes(word), word);
    assert.deepEqual((await complete('tool', 'mama_sa')).values, ['mama_save']);
    assert.deepEqual((await complete('decide', '--str')).values, ['--strength']);
    assert.deepEqual((await complete('decide', '--strength', '')).values, ['axis', 'lock', 'normal']);
    assert.deepEqual((await complete('list', 'au')).values, ['authors']);
    assert.deepEqual((await complete('list', '-n', '5', '--state', 'su')).values, ['superseded']);
    assert.deepEqual((await complete('log', '--kind', 'o')).values, ['outcome', 'observation']);
    assert.deepEqual((await complete('setup', 'claude', 'co')).values, ['codex', 'copilot']);
    assert.deepEqual((await complete('completion', 'z')).values, ['zsh']);
    assert.deepEqual((await complete('sync', '')).values, ['trust']);
    assert.deepEqual(await complete('backup', 'x'), { values: [], last: ':0' }, 'names of files');
  });

  /** Types a line in a shell with completion, in a terminal of its own. @returns what the shell made of it */
  async function typedIn(test: TestContext, shell: string, program: (script: string) => string) {
    const { bench } = completing(test);
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

  it('bash completes a command', { skip: !has('bash') && 'needs bash' }, async (test) => {
    const program = (script: string) =>
      `. '${script}'; COMP_WORDS=(precedent wor); COMP_CWORD=1; _precedent; echo "\${COMPREPLY[@]}"`;
    assert.deepEqual(await typedIn(test, 'bash', program), ['worked', 'workspaces']);
  });

  it('fish completes a command', { skip: !has('fish') && 'needs fish' }, async (test) => {
    const program = (script: string) => `source '${script}'; complete -C 'precedent workspa'`;
    assert.deepEqual(await typedIn(test, 'fish', program), ['workspaces', 'more', 'commands']);
  });

  it('zsh takes the script', { skip: !has('zsh') && 'needs zsh' }, async (test) => {
    const program = (script: string) =>
      `autoload -U compinit; compinit -D -u; . '${script}'; print $_comps[precedent]`;
    assert.deepEqual(await typedIn(test, 'zsh', program), ['_precedent']);
  });
});
