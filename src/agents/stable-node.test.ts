import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { stableNode } from './stable-node.ts';

describe('the path that is entered', () => {
  it('[A-1] of Node is the link that Homebrew keeps, not the version that its update removes', (test) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'precedent-')));
    test.after(() => rmSync(folder, { recursive: true }));
    const node = join(folder, 'Cellar', 'node@24', '24.1.0', 'bin', 'node');
    mkdirSync(join(node, '..'), { recursive: true });
    writeFileSync(node, '');
    assert.equal(stableNode(node), node);
    mkdirSync(join(folder, 'opt'));
    symlinkSync(join(folder, 'Cellar', 'node@24', '24.1.0'), join(folder, 'opt', 'node@24'));
    assert.equal(stableNode(node), join(folder, 'opt', 'node@24', 'bin', 'node'));
    assert.equal(stableNode('/usr/bin/node'), '/usr/bin/node');
  });
});
