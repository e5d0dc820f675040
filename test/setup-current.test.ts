import assert from 'node:assert/strict';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import pkg from '../package.json' with { type: 'json' };
import { agentsHome } from './support/agents-home.ts';
import { HELLO } from './support/program.ts';

const POSIX = { skip: process.platform === 'win32' && 'needs the homes of POSIX' };

/** The program as it ships, as if it were of another version, in a cache of npx. @returns its path */
function released(folder: string, version: string): string {
  const root = join(folder, '_npx', version, 'node_modules', 'precedent-memory');
  mkdirSync(root, { recursive: true });
  for (const part of ['dist', 'skills', 'package.json']) cpSync(part, join(root, part), { recursive: true });
  const digits = version.replaceAll('.', '').padStart(4, '0');
  // The name of a file has the hash of its content.
  const named = (text: string) => text.replace(/-[0-9a-f]{4}([0-9a-f]{4}\.cjs)/g, `-${digits}$1`);
  for (const file of globSync(join(root, 'dist', '*.cjs'))) {
    const code = readFileSync(file, 'utf8').replace(`version = "${pkg.version}"`, `version = "${version}"`);
    rmSync(file);
    writeFileSync(join(root, 'dist', named(basename(file))), named(code));
  }
  return join(root, 'dist', 'precedent.cjs');
}

describe('the copy that agents start', POSIX, () => {
  it('[A-1] is made by setup alone, and outlives what it was made from', async (test) => {
    const { bench, run, json: answer, entered, env } = agentsHome(test, ['gemini'], 'here');
    const versionOf = async () => (await bench.run(['--version'], { env, program: entered })).stdout.trim();
    const at = (version: string) => released(bench.folder, version);
    const [one, two] = [at('9.1.0'), at('9.2.0')];
    await run(['--version'], { program: two });
    assert.equal(existsSync(entered), false, 'setup has not run');
    await answer(['setup', 'gemini'], { program: one });
    const { agents } = await answer(['doctor'], { program: two });
    assert.equal(await versionOf(), '9.1.0');
    assert.deepEqual(agents[0].notes, [
      'it starts version 9.1.0, and this is 9.2.0: "precedent setup gemini" makes it start this one',
    ]);
    await answer(['setup', 'gemini'], { program: two });
    rmSync(join(bench.folder, '_npx'), { recursive: true });
    assert.equal(await versionOf(), '9.2.0');
  });

  it('[A-1] [V-7] takes itself away, and comes with a command where npm has one for a package alone', async (test) => {
    const { bench, run, entered, env } = agentsHome(test, [], 'here');
    const packages = join(bench.folder, 'node_modules', '.bin');
    mkdirSync(packages, { recursive: true });
    writeFileSync(join(packages, 'precedent'), '');
    const path = { PATH: `${packages}${delimiter}${process.env.PATH}` };
    await bench.succeed(['setup', 'gemini'], { env: { ...env, ...path } });
    const command = join(env.HOME ?? '', '.local', 'bin', 'precedent');
    assert.deepEqual([existsSync(command), existsSync(entered)], [true, true]);
    await run(['unsetup'], { program: entered });
    assert.deepEqual([existsSync(command), existsSync(dirname(dirname(entered)))], [false, false]);
  });

  it('[A-1] is replaced under a server, which says that it has to be started anew', async (test) => {
    const { bench, json: answer, entered, env } = agentsHome(test, [], 'here');
    await answer(['setup', 'gemini']);
    const server = bench.serve({ env, program: entered });
    await server.ask(1, 'initialize', HELLO);
    await answer(['setup', 'gemini'], { program: released(bench.folder, '9.1.0') });
    const { content, isError } = await server.ask(2, 'tools/call', {
      name: 'recall',
      arguments: { task: '캐시' },
    });
    assert.equal(isError, true);
    assert.match(JSON.stringify(content), /updated or removed while this program ran.*Restart it/);
    server.child.stdin.end();
    assert.equal(await server.exited, 0);
  });
});
