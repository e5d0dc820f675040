import assert from 'node:assert/strict';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { sweepCompiled } from './compiled.ts';
import { markRunning } from './versions.ts';

describe('compiled code', () => {
  it('[A-1] of versions that are gone goes, and nothing that a server may load', (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'precedent-compiled-'));
    test.after(() => rmSync(folder, { recursive: true, force: true }));
    const put = (...names: string[]) => {
      for (const name of names) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), '');
      }
    };
    const [cache, app] = [join(folder, 'precedent'), join(folder, 'app')];
    const had = () =>
      globSync('precedent/**/*', { cwd: folder, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort();
    put('app/1.0.0/dist/precedent.cjs', 'app/1.0.0/dist/hook-AAAAAAAA.cjs');
    put('app/2.0.0/dist/precedent.cjs', 'app/2.0.0/dist/hook-answer-BBBBBBBB.cjs');
    const kept = ['hook-AAAAAAAA.cjs-v24.1.0-x64', 'hook-answer-BBBBBBBB.cjs-v22.18.0-arm64'];
    const gone = ['hook-00000000.cjs-v24.1.0-x64', 'hook-answer-00000000.cjs-v24.1.0-x64.123'];
    const all = () =>
      put(
        ...[...kept, ...gone, 'other', 'v24.1.0-x64-0a1b-0/17ea064b', 'v22.18.0/0a1b'].map(
          (each) => `precedent/${each}`,
        ),
      );
    all();
    const stop = markRunning(join(app, '1.0.0'));
    sweepCompiled(cache, app);
    assert.deepEqual(had(), ['0a1b', '17ea064b', ...kept, 'other']);
    stop();
    sweepCompiled(cache, app);
    assert.deepEqual(had(), [...kept, 'other']);
    // Another folder that the environment names is not ours, and where nothing is kept there is none.
    all();
    const before = had();
    put('other/v24.1.0/0a1b');
    sweepCompiled(join(folder, 'other'), app);
    sweepCompiled(undefined, app);
    assert.deepEqual(had(), before);
    assert.equal(globSync('other/**/0a1b', { cwd: folder }).length, 1);
  });
});
