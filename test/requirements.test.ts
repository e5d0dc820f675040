import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { REQUIREMENTS } from './requirements.ts';

const CITATION = /\[([A-Z]{1,2}-\d+)\]/g;

describe('requirements gate', () => {
  const files = globSync(['src/**/*.test.ts', 'test/**/*.ts']).filter(
    (file) => !file.includes('requirements'),
  );
  const cited = new Map<string, string>();
  for (const file of files) {
    for (const [, id = ''] of readFileSync(file, 'utf8').matchAll(CITATION)) cited.set(id, file);
  }

  it('every promise is cited by a test', () => {
    const missing = Object.keys(REQUIREMENTS).filter((id) => !cited.has(id));
    assert.deepEqual(missing, []);
  });

  it('every cited promise exists', () => {
    const unknown = [...cited].filter(([id]) => !(id in REQUIREMENTS));
    assert.deepEqual(unknown, []);
  });

  it('a file that registers no test by itself is refused, with the file that runs it', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/test.ts', 'test/contract/recall.ts'], {
      encoding: 'utf8',
    });
    assert.equal(status, 2);
    assert.match(stderr, /Expected files that end in \.test\.ts.*test\/contract\.test\.ts/);
  });
});
