import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readBounded, readIfOrdinary } from './bounded.ts';

describe('a file that a stranger may have put there [Z-3]', () => {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-bounded-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const inside = (name: string) => join(folder, name);
  const put = (name: string, text: string) => writeFileSync(inside(name), text);

  it('is read whole when it is a regular file, up to its limit and not a byte further', () => {
    put('plain', 'twelve bytes');
    assert.equal(readBounded(inside('plain'))?.toString(), 'twelve bytes');
    assert.equal(readBounded(inside('plain'), { limit: 12 })?.length, 12);
    assert.throws(() => readBounded(inside('plain'), { limit: 11 }), { code: 'invalid' });
    put('empty', '');
    assert.equal(readBounded(inside('empty'))?.length, 0);
  });

  it('is undefined where there is none, and named where a link leads to none', () => {
    assert.equal(readBounded(inside('none')), undefined);
    assert.equal(readBounded(inside('plain/below')), undefined);
    symlinkSync('nowhere', inside('dangling'));
    assert.throws(() => readBounded(inside('dangling')), { code: 'unavailable' });
  });

  it('is refused as a folder, a device and a FIFO that nobody writes, without waiting', () => {
    execFileSync('mkfifo', [inside('fifo')]);
    mkdirSync(inside('folder'));
    symlinkSync('/dev/zero', inside('zero'));
    for (const name of ['fifo', 'folder', 'zero']) {
      assert.throws(() => readBounded(inside(name)), { code: 'invalid', message: /regular file, found a/ });
      assert.equal(readIfOrdinary(inside(name)), undefined);
    }
    // Its size is 0, whatever it holds.
    if (process.platform === 'linux')
      assert.throws(() => readBounded('/proc/self/status'), { code: 'unavailable', message: /grows/ });
  });

  it('names its limit in the message', () => {
    put('large', 'x'.repeat(3000));
    assert.throws(() => readBounded(inside('large'), { limit: 2048 }), { message: /at most 2 kB/ });
  });

  it('is not followed out of the folder that was handed over', () => {
    mkdirSync(inside('project'));
    mkdirSync(inside('project-2'));
    put('secret', 'a token');
    put('project-2/secret', 'a token');
    put('project/real', 'of the project');
    symlinkSync('real', inside('project/near'));
    symlinkSync('../secret', inside('project/far'));
    symlinkSync('../project-2/secret', inside('project/neighbour'));
    symlinkSync('..', inside('project/up'));
    const read = (name: string) => readBounded(inside(`project/${name}`), { within: inside('project') });
    assert.equal(read('near')?.toString(), 'of the project');
    for (const name of ['far', 'neighbour', 'up/secret'])
      assert.throws(() => read(name), { code: 'invalid', message: /link out of it/ });
  });
});
