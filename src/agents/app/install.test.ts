import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { isTried } from '../../../test/support/part.ts';
import { currentVersion, launcherIn } from './current.ts';
import { install, keepCurrent, removeCopies } from './install.ts';
import { markRunning } from './versions.ts';

/** A data folder in which setup has written, and versions to install, whose program prints which it is. */
function machine(test: TestContext) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'precedent-app-')));
  test.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const data = join(folder, '데이터 1');
  mkdirSync(join(data, 'setup'), { recursive: true });
  writeFileSync(join(data, 'setup', 'setup.json'), '{"version":1,"written":[{"agent":"claude"}]}');
  return {
    data,
    app: join(data, 'app'),
    /** The package of a version. @param build tells builds of the same version apart */
    version(version: string, build = '') {
      const root = join(folder, `_npx${build}`, version);
      for (const part of ['dist', 'skills']) mkdirSync(join(root, part), { recursive: true });
      writeFileSync(join(root, 'dist', 'precedent.cjs'), `require('./main.js');`);
      writeFileSync(join(root, 'dist', 'main.js'), `console.log('${version}${build}');`);
      for (const name of ['index.js', 'index.cjs']) writeFileSync(join(root, 'dist', name), `'${version}';`);
      for (let each = 0; each < 5; each++)
        writeFileSync(join(root, 'skills', `${each}.md`), 'x'.repeat(9_000));
      writeFileSync(join(root, 'package.json'), '{}');
      return { root, version };
    },
    /** What agents start, once it ran. */
    started: () => execFileSync(process.execPath, [launcherIn(data)], { encoding: 'utf8' }).trim(),
    /** The versions that are there, and what passes. */
    held: () => readdirSync(join(data, 'app')).sort(),
  };
}

/** Runs in a process of its own what puts a version in place. @param before code that runs first */
const program = (from: { root: string; version: string }, data: string, before = ''): string[] => [
  '--input-type=module',
  '--eval',
  `import fs from 'node:fs';
   import { syncBuiltinESMExports } from 'node:module';
   ${before};
   const { keepCurrent } = await import(${JSON.stringify(import.meta.resolve('./install.ts'))});
   keepCurrent(${JSON.stringify(from)}, ${JSON.stringify(data)});`,
];

describe('the copy that agents start', () => {
  it('[A-1] is that of the newest version that started, whatever started since', (test) => {
    const { version, data, started } = machine(test);
    assert.equal(install(version('1.9.0'), data), launcherIn(data));
    assert.equal(started(), '1.9.0');
    keepCurrent(version('1.10.0'), data);
    assert.equal(started(), '1.10.0');
    for (const older of ['1.9.0', '1.10.0-rc.1', '0.20.0']) {
      keepCurrent(version(older), data);
      install(version(older), data);
      assert.equal(started(), '1.10.0', older);
    }
    // Another build of the same version is none: only setup takes it.
    keepCurrent(version('1.10.0', '+1'), data);
    assert.equal(started(), '1.10.0');
    install(version('1.10.0', '+1'), data);
    assert.equal(started(), '1.10.0+1');
  });

  it('[A-1] is another build, too, when only a file differs that none names by its content', (test) => {
    const { version, data, app } = machine(test);
    install(version('1.0.0'), data);
    for (const name of ['index.js', 'index.cjs']) {
      const other = version('1.0.0');
      writeFileSync(join(other.root, 'dist', name), 'another build');
      install(other, data);
      assert.equal(readFileSync(join(app, '1.0.0', 'dist', name), 'utf8'), 'another build');
    }
  });

  it('[A-1] stays where it is when the same is installed again, folders and all', (test) => {
    const { version, data, app } = machine(test);
    const same = version('1.0.0');
    mkdirSync(join(same.root, 'dist', 'page'));
    const page = join('dist', 'page', 'index.html');
    const write = (text: string) => writeFileSync(join(same.root, page), text);
    const copied = () => statSync(join(app, '1.0.0', page)).ino;
    write('one');
    install(same, data);
    const first = copied();
    install(same, data);
    assert.equal(copied(), first);
    write('two');
    install(same, data);
    assert.equal(readFileSync(join(app, '1.0.0', page), 'utf8'), 'two');
  });

  it('[A-1] is made by setup alone: without what it wrote, a start changes nothing', (test) => {
    const { version, data } = machine(test);
    // What is shared with others in a project starts no copy.
    writeFileSync(join(data, 'setup', 'setup.json'), '{"version":1,"written":[{"agent":"claude in /work"}]}');
    keepCurrent(version('1.0.0'), data);
    assert.deepEqual(readdirSync(data), ['setup']);
    rmSync(join(data, 'setup'), { recursive: true });
    keepCurrent(version('1.0.0'), data);
    assert.deepEqual(readdirSync(data), []);
  });

  it('[A-1] reads nothing of the package when the version is the same', (test) => {
    const { version, data } = machine(test);
    install(version('1.0.0'), data);
    const from = version('1.0.0');
    rmSync(from.root, { recursive: true });
    keepCurrent(from, data);
  });

  it('[A-1] is whole whenever the process that makes it is killed, and the next one makes it', (test) => {
    const { version, data, started, app } = machine(test);
    let at = 1;
    for (; ; at++) {
      if (!isTried(at)) continue;
      rmSync(app, { recursive: true, force: true });
      install(version('1.0.0'), data);
      const kill = `let left = ${at};
        for (const name of ['mkdirSync', 'cpSync', 'renameSync', 'writeFileSync', 'rmSync']) {
          const real = fs[name];
          fs[name] = (...args) => --left === 0 ? process.kill(process.pid, 'SIGKILL') : real(...args);
        }
        syncBuiltinESMExports()`;
      const { signal } = spawnSync(process.execPath, program(version('2.0.0'), data, kill));
      assert.match(started(), /^[12]\.0\.0$/);
      if (signal === null) break;
      keepCurrent(version('2.0.0'), data);
      assert.equal(started(), '2.0.0', `killed at ${at}`);
    }
    assert(at > 7, `it ended before step ${at}`);
    assert.equal(started(), '2.0.0');
  });

  it('[A-1] is the newest one when several start at once, and none of them fails', async (test) => {
    const { version, data, started, held } = machine(test);
    install(version('1.0.0'), data);
    // Written before anybody copies them.
    const packages = ['2.0.0', '3.0.0', '3.0.0', '2.5.0', '3.0.0', '2.0.0'].map((each) => version(each));
    await Promise.all(packages.map((each) => promisify(execFile)(process.execPath, program(each, data))));
    assert.equal(started(), '3.0.0');
    assert.deepEqual(
      held().filter((name) => name.startsWith('.')),
      [],
    );
  });

  it('[A-1] is the newest one, too, when another process is done in the middle of it', (test) => {
    for (const [slow, quick, write] of [
      ['2.0.0', '3.0.0', 'writeFileSync'],
      ['3.0.0', '3.0.0', 'cpSync'],
      ['3.0.0', '3.0.0', 'renameSync'],
    ] as const) {
      const { version, data, started } = machine(test);
      install(version('1.0.0'), data);
      const meanwhile = `const { keepCurrent: keep } = await import(${JSON.stringify(import.meta.resolve('./install.ts'))});
        const real = fs.${write};
        fs.${write} = (...args) => {
          fs.${write} = real;
          syncBuiltinESMExports();
          keep(${JSON.stringify(version(quick))}, ${JSON.stringify(data)});
          return real(...args);
        };
        syncBuiltinESMExports()`;
      execFileSync(process.execPath, program(version(slow), data, meanwhile), { stdio: 'pipe' });
      assert.equal(started(), '3.0.0', write);
    }
  });

  it('[A-1] leaves the version before it, and those that a server runs from; others go', (test) => {
    const { version, data, held, app } = machine(test);
    install(version('1.0.0'), data);
    const stop = markRunning(join(app, '1.0.0'));
    mkdirSync(join(app, '.partial-1-x'));
    mkdirSync(join(app, '.partial-2-y'));
    const old = new Date(0);
    utimesSync(join(app, '.partial-1-x'), old, old);
    for (const each of ['1.1.0', '1.2.0', '1.3.0']) keepCurrent(version(each), data);
    assert.deepEqual(held(), ['.partial-2-y', '1.0.0', '1.2.0', '1.3.0', 'current']);
    stop();
    // A process that was killed leaves its mark.
    const dead = spawnSync(process.execPath, ['--version']).pid;
    writeFileSync(join(app, '1.0.0', 'running', String(dead)), '');
    keepCurrent(version('1.4.0'), data);
    assert.deepEqual(held(), ['.partial-2-y', '1.3.0', '1.4.0', 'current']);
  });

  it('[A-1] goes with unsetup, and of it what a server runs from once that has ended', (test) => {
    const { version, data, held, app } = machine(test);
    for (const each of ['1.0.0', '1.1.0', '1.2.0']) {
      install(version(each), data);
      if (each === '1.0.0') test.after(markRunning(join(app, each)));
    }
    mkdirSync(join(app, '.partial-1-x'));
    removeCopies(version('1.2.0'), data);
    assert.deepEqual(held(), ['1.0.0']);
    assert(existsSync(join(app, '1.0.0', 'dist', 'main.js')));
    rmSync(join(app, '1.0.0', 'running'), { recursive: true });
    removeCopies(version('1.2.0'), data);
    assert.equal(existsSync(app), false);
    removeCopies(version('1.2.0'), data);
  });

  it('[A-1] says what fails', (test) => {
    const { version, data, app } = machine(test);
    writeFileSync(app, '');
    const failure = { code: 'unavailable', message: /copied to .*app \(ENOTDIR\)/ };
    assert.throws(() => install(version('2.0.0'), data), failure);
  });

  it('[A-1] a package that is not whole takes no place', (test) => {
    const { version, data, held, started } = machine(test);
    install(version('1.0.0'), data);
    const half = version('2.0.0');
    rmSync(join(half.root, 'skills'), { recursive: true });
    assert.throws(() => keepCurrent(half, data), {
      code: 'unavailable',
      message: /copied to .*app \(ENOENT\)/,
    });
    assert.equal(started(), '1.0.0');
    assert.equal(currentVersion(data), '1.0.0');
    assert.deepEqual(held(), ['1.0.0', 'current']);
    assert(existsSync(half.root));
  });
});
