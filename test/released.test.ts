import assert from 'node:assert/strict';
import { copyFileSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { engines, scratch } from './support/engines.ts';
import { withVectors } from './support/everything.ts';
import { exported, linesOfRows } from './support/stream.ts';

/** Memories as each version made them: `scripts/released.ts`. */
const VERSIONS = globSync('test/fixtures/released/*.db').map((path) => basename(path, '.db'));
const streamOf = (version: string) =>
  readFileSync(`test/fixtures/released/${version}.jsonl`, 'utf8').trimEnd().split('\n');

describe('memories of earlier versions', () => {
  it('[L-2] there is one of this version', async () => {
    const { default: pkg } = await import('../package.json', { with: { type: 'json' } });
    assert(VERSIONS.includes(pkg.version), `node scripts/released.ts makes one of ${pkg.version}`);
  });

  for (const version of VERSIONS) {
    for (const engine of engines) {
      it(`[L-2] ${engine.name}: a stream of ${version} is imported whole`, {
        skip: engine.skip,
      }, async () => {
        const memory = await engine.open();
        await memory.import(streamOf(version));
        const held = linesOfRows(await exported(memory)).map((line) => JSON.parse(line));
        const wanted = linesOfRows(streamOf(version)).map((line) => JSON.parse(line));
        // A later version may have more columns.
        assert.deepEqual(
          held.map((row, n) =>
            Object.fromEntries(Object.keys(wanted[n] ?? {}).map((key) => [key, row[key]])),
          ),
          wanted,
        );
        assert.deepEqual((await memory.inspect()).problems, []);
      });
    }

    it(`[L-2] a file of ${version} is opened, and holds what its stream holds`, async () => {
      const db = join(scratch(), 'memory.db');
      copyFileSync(`test/fixtures/released/${version}.db`, db);
      const memory = await openMemory({ db, workspace: 'released', ...withVectors });
      const imported = await openMemory({ db: ':memory:' });
      await imported.import(streamOf(version));
      assert.deepEqual(linesOfRows(await exported(memory)), linesOfRows(await exported(imported)));
      assert.deepEqual((await memory.inspect()).problems, []);
      const { results } = await memory.mama.search({ query: '토큰 저장' });
      assert.equal(results[0]?.decision, '토큰은 서버에만 저장한다');
      const next = await memory.mama.save({ topic: 'auth', decision: 'passkeys' });
      assert.equal((await memory.history({ ref: next.id })).versions.length, 3);
      await memory.close();
      await imported.close();
    });
  }
});
