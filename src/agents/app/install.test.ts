import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { isTried } from '../../../test/support/part.ts';
import { currentVersion, launcherIn } from './current.ts';
import { install, removeCopy } from './install.ts';

/** A data folder, and versions to install, whose program prints which it is. */
function machine(test: TestContext) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'precedent-app-')));
  test.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const data = join(folder, '데이터 1');
  mkdirSync(data);
  return {
    data,
    app: join(data, 'app'),
    /** The package of a version. @param build tells builds of the same version apart */
    version(version: string, build = '') {
      const root = join(folder, `_npx${build}`, version);
      for (const part of ['dist', 'skills']) mkdirSync(join(root, part), { recursive: true });
      writeFileSync(join(root, 'dist', 'precedent.cjs'), `require('./main.js');`);
      writeFileSync(join(root, 'dist', 'main.js'), `console.log('${version}${build}');`);
      writeFileSync(join(root, 'skills', 'a.md'), 'x'.repeat(9_000));
      writeFileSync(join(root, 'package.json'), '{}');
      return { root, version };
    },
    /** What agents start, once it ran. */
    started: () => execFileSync(process.execPath, [launcherIn(data)], { encoding: 'utf8' }).trim(),
    /** What is in the folder of the copy. */
    held: () => readdirSync(join(data, 'app')).sort(),
  };
}

describe('the copy that agents start', () => {
  it('[A-1] is the program that ran setup last, and the only one', (test) => {
    const { version, data, started, held } = machine(test);
    for (const [each, build] of [
      ['1.9.0', ''],
      ['1.10.0', ''],
      ['1.10.0', '+1'],
      ['1.9.0', ''],
    ] as const) {
      assert.equal(install(version(each, build), data), launcherIn(data));
      assert.equal(started(), each + build);
      assert.deepEqual(held(), [each, 'current']);
    }
  });

  it('[A-1] may run setup itself, and stays', (test) => {
    const { version, data, started, app } = machine(test);
    install(version('1.0.0'), data);
    const copy = { root: join(app, '1.0.0'), version: '1.0.0' };
    install(copy, data);
    removeCopy(copy, data);
    assert.equal(started(), '1.0.0');
  });

  it('[A-1] is whole whenever the setup of another version is killed, and the next one makes it', (test) => {
    const { version, data, started, app, held } = machine(test);
    let at = 1;
    for (; ; at++) {
      if (!isTried(at)) continue;
      rmSync(app, { recursive: true, force: true });
      install(version('1.0.0'), data);
      const { signal } = spawnSync(process.execPath, [
        '--input-type=module',
        '--eval',
        `import fs from 'node:fs';
         import { syncBuiltinESMExports } from 'node:module';
         let left = ${at};
         for (const name of ['mkdirSync', 'cpSync', 'renameSync', 'writeFileSync', 'rmSync']) {
           const real = fs[name];
           fs[name] = (...args) => --left === 0 ? process.kill(process.pid, 'SIGKILL') : real(...args);
         }
         syncBuiltinESMExports();
         const { install } = await import(${JSON.stringify(import.meta.resolve('./install.ts'))});
         install(${JSON.stringify(version('2.0.0'))}, ${JSON.stringify(data)});`,
      ]);
      assert.match(started(), /^[12]\.0\.0$/);
      if (signal === null) break;
      install(version('2.0.0'), data);
      assert.equal(started(), '2.0.0', `killed at ${at}`);
      assert.deepEqual(held(), ['2.0.0', 'current']);
    }
    assert(at > 7, `it ended before step ${at}`);
    assert.equal(started(), '2.0.0');
  });

  it('[A-1] goes with unsetup, and what a killed setup left too', (test) => {
    const { version, data, app } = machine(test);
    install(version('1.0.0'), data);
    mkdirSync(join(app, '.partial-1-x'));
    for (const _ of [1, 2]) removeCopy(version('1.0.0'), data);
    assert.equal(existsSync(app), false);
  });

  it('[A-1] says what fails, and a package that is not whole takes no place', (test) => {
    const { version, data, app, held, started } = machine(test);
    install(version('1.0.0'), data);
    const half = version('2.0.0');
    rmSync(join(half.root, 'skills'), { recursive: true });
    assert.throws(() => install(half, data), {
      code: 'unavailable',
      message: /copied to .*app \(ENOENT\)/,
    });
    assert.deepEqual([started(), currentVersion(data)], ['1.0.0', '1.0.0']);
    assert.deepEqual(held(), ['1.0.0', 'current']);
    rmSync(app, { recursive: true });
    writeFileSync(app, '');
    assert.throws(() => install(version('2.0.0'), data), /copied to .*app \(ENOTDIR\)/);
  });
});
