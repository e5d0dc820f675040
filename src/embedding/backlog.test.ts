import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';

it('[Q-4] a process outlives an embedder that never answers, and does not wait for it for ever', () => {
  const ending = `const { Backlog } = await import(${JSON.stringify(import.meta.resolve('./backlog.ts'))});
    const embedder = { model: 'm', embed: () => new Promise(() => {}) };
    const backlog = new Backlog(embedder, async () => 0, () => {});
    backlog.add([{ seq: 1, title: '제목', body: 'body' }]);
    await backlog.finish(1);
    console.log('ended');`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', ending]);
  assert.deepEqual([String(stdout), status], ['ended\n', 0]);
});
