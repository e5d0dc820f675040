import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { workbench } from './support/program.ts';

const hasScript = spawnSync('script', ['--version']).status === 0;
const needsTerminal = !hasScript && 'needs `script`, which gives a program a terminal (util-linux)';

/** A memory with an observation, a decision and a backup of an earlier moment. */
async function filled(test: TestContext) {
  const { folder, run, succeed, type, typeInProcess } = workbench(test, 'here');
  const backup = join(folder, 'earlier.db');
  await succeed(['tool', 'mem_save', 'a secret', 'it is xyzzy']);
  await succeed(['backup', backup]);
  await succeed(['tool', 'mama_save', 'auth:token', 'Session cookies']);
  const stream = () => succeed(['export', '--format', 'jsonl']);
  return { run, succeed, type, typeInProcess, stream, backup };
}

/** Every command that destroys, what it shows first, and what it asks. */
const DESTROYS: [name: string, args: (backup: string) => string[], shows: string[], asks: string][] = [
  [
    'redact',
    () => ['redact', '1'],
    ['a secret', 'it is xyzzy', 'To blank only a secret in it, and keep the rest, give that with --text.'],
    'Blank the whole observation 1 in workspace "bench", all its 2 texts',
  ],
  [
    'redact --text',
    () => ['redact', '1', '--text', 'xyzzy'],
    [],
    'Blank this text in 1 text of observation 1 in workspace "bench", and keep the rest',
  ],
  ['tool delete --hard-delete', () => ['tool', 'delete', '1', '--hard-delete'], ['a secret'], 'Remove this'],
  [
    'restore --force',
    (backup) => ['backup', '--restore', backup, '--force'],
    ['1 decision', '1 observation', 'memory.db'],
    'Replace 2 records of workspace "bench" by those of the backup',
  ],
];

describe('[K-5] what destroys shows what goes, and asks', () => {
  for (const [index, [name, args, shows, asks]] of DESTROYS.entries()) {
    it(`${name}: without a terminal it needs --yes, and --dry-run only shows`, async (test) => {
      const { run, stream, succeed, backup } = await filled(test);
      const before = await stream();
      const refused = await run(args(backup));
      assert.equal(refused.code, 2, refused.stderr);
      assert.match(refused.stderr, /Expected --yes/);
      const shown = await succeed([...args(backup), '--dry-run']);
      for (const each of [`would ${asks.charAt(0).toLowerCase()}${asks.slice(1)}`, ...shows])
        assert(shown.includes(each), `${each} is not in: ${shown}`);
      const report = JSON.parse(await succeed([...args(backup), '--dry-run', '--json']));
      assert.equal(report.changed, false);
      assert.equal(await stream(), before, 'nothing was changed');
      await succeed([...args(backup), '--yes']);
      assert.notEqual(await stream(), before);
    });

    // One of them at a real terminal.
    const isReal = index === 0;
    const skip = isReal && needsTerminal;
    it(`${name}: on a terminal a person is asked`, { skip }, async (test) => {
      const { stream, type, typeInProcess, backup } = await filled(test);
      const typing = isReal ? typeInProcess : type;
      const before = await stream();
      const no = await typing('n\n', args(backup));
      for (const each of [`${asks}, for good? [y/N]`, 'nothing was changed', ...shows])
        assert(no.shown.includes(each), `${each} is not in: ${no.shown}`);
      assert.equal(no.status, 0);
      if (name === 'redact --text') assert.equal(no.shown.includes('it is xyzzy'), false);
      assert.equal(await stream(), before, 'nothing was changed');
      assert.equal((await typing('y\n', args(backup))).status, 0);
      assert.notEqual(await stream(), before);
    });
  }

  it('what destroys nothing does not ask', async (test) => {
    const { succeed, run, backup, stream } = await filled(test);
    const before = await stream();
    assert.match(await succeed(['tool', 'delete', '1', '--dry-run']), /^would hide this\n[\s\S]*a secret/);
    assert.equal(await stream(), before, 'it is only shown');
    await succeed(['tool', 'delete', '1']);
    assert.equal((await run(['redact', '99'])).code, 3, 'there is no such record');
    await succeed(['--db', `${backup}.new`, 'backup', '--restore', backup, '--force']);
  });
});
