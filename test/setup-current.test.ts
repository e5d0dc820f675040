import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import pkg from '../package.json' with { type: 'json' };
import { agentsHome } from './support/agents-home.ts';
import { HELLO } from './support/program.ts';
import { until } from './support/until.ts';

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

describe('the version that agents start', POSIX, () => {
  it('[A-1] is the newest that ran on this machine, as a command or as a server, and outlives its cache', async (test) => {
    const { bench, run, json: answer, entered, env, everything } = agentsHome(test, [], 'here');
    const versionOf = async () => (await bench.run(['--version'], { env, program: entered })).stdout.trim();
    const at = (version: string) => released(bench.folder, version);
    const [one, two, three] = [at('9.1.0'), at('9.2.0'), at('9.10.0')];
    await run(['--version'], { program: three });
    assert.equal(existsSync(entered), false, 'setup has not run');
    await answer(['setup', 'gemini'], { program: one });
    assert.equal(await versionOf(), '9.1.0');
    // A refusal is a start, too.
    assert.equal((await run(['nothing'], { program: two })).code, 2);
    assert.equal(await versionOf(), '9.2.0');
    const server = bench.serve({ env, program: three });
    await server.ask(1, 'initialize', HELLO);
    await until(async () => (await versionOf()) === '9.10.0');
    server.child.stdin.end();
    assert.equal(await server.exited, 0);
    rmSync(join(bench.folder, '_npx'), { recursive: true });
    const before = everything();
    await run(['--version']);
    assert.equal((await run(['doctor'])).code, 0);
    assert.deepEqual(everything(), before, 'an older one changes nothing');
    assert.equal(await versionOf(), '9.10.0');
  });

  it('[A-1] a server keeps the copy that it runs from', async (test) => {
    const { bench, run, json: answer, entered, env, data } = agentsHome(test, [], 'here');
    await answer(['setup', 'gemini']);
    const server = bench.serve({ env, program: entered });
    await server.ask(1, 'initialize', HELLO);
    const copy = join(data, 'app', pkg.version);
    for (const each of ['9.1.0', '9.2.0'])
      await run(['--version'], { program: released(bench.folder, each) });
    // It loads more of itself now.
    const { content } = await server.ask(2, 'tools/call', { name: 'recall', arguments: { task: '캐시' } });
    assert.match(JSON.stringify(content), /content|items|text/);
    assert(existsSync(copy));
    server.child.stdin.end();
    assert.equal(await server.exited, 0);
    await run(['--version'], { program: released(bench.folder, '9.3.0') });
    assert.equal(existsSync(copy), false);
  });

  it('[A-1] where nothing can be written, the older one goes on, and no command says a word of it', async (test) => {
    const { bench, run, json: answer, entered, env, data } = agentsHome(test, [], 'here');
    await answer(['setup', 'gemini']);
    const app = join(data, 'app');
    // Root may write into any folder, but makes no folder below a file.
    rmSync(join(app, 'current'), { recursive: true });
    writeFileSync(join(app, 'current'), '');
    chmodSync(app, 0o500);
    const program = released(bench.folder, '9.1.0');
    assert.deepEqual(await run(['--version'], { program }), { code: 0, stdout: '9.1.0\n', stderr: '' });
    chmodSync(app, 0o700);
    rmSync(join(app, 'current'));
    await answer(['setup', 'gemini'], { program });
    assert.equal((await bench.run(['--version'], { env, program: entered })).stdout, '9.1.0\n');
  });
});
