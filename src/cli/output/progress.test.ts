import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { withProgressBar } from './progress.ts';

describe('progress of a long job', () => {
  let written: string[] = [];
  let seconds = 0;
  const isTerminal = process.stderr.isTTY;

  beforeEach(() => {
    written = [];
    seconds = 0;
    mock.method(process, 'uptime', () => seconds);
    mock.method(process.stderr, 'write', (text: string) => written.push(text) > 0);
    process.stderr.isTTY = true;
  });
  afterEach(() => {
    mock.restoreAll();
    process.stderr.isTTY = isTerminal;
  });

  it('is shown once for each percent, and cleared at the end', async () => {
    await withProgressBar(async (progress) => {
      progress(1, 200);
      seconds = 1;
      progress(2, 200);
      progress(3, 200);
      progress(4, 200);
    }, 'index ');
    assert.deepEqual(
      written.map((text) => text.replace('\r\u001b[K', '|')),
      ['|index 1 % · 2 of 200', '|index 2 % · 4 of 200', '|'],
    );
  });

  it('waits for a total that has to be counted, which is counted once', async () => {
    let times = 0;
    await withProgressBar(async (progress) => {
      seconds = 1;
      const count = async () => {
        times += 1;
        return 4;
      };
      progress(1, count);
      await Promise.resolve();
      await Promise.resolve();
      progress(2, count);
    });
    assert.equal(times, 1);
    assert.deepEqual(written.length, 2);
    assert.match(String(written[0]), /50 % · 2 of 4$/);
  });

  it('is not shown where standard error is no terminal, nor of a job that is soon done', async () => {
    await withProgressBar(async (progress) => progress(1, 2));
    process.stderr.isTTY = false;
    await withProgressBar(async (progress) => {
      seconds = 1;
      progress(1, 2);
    });
    assert.deepEqual(written, []);
  });
});
