import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pkg from '../package.json' with { type: 'json' };
import type { Content } from '../src/domain/decision.ts';
import { openMemory } from '../src/index.ts';
import { furnish, withVectors } from '../test/support/everything.ts';

/**
 * Keeps a memory as this version makes it, which every later version must open and every later one must import (L-2):
 * `node scripts/released.ts` before a release. A memory of a version that was released is never made again.
 */
const kept = (format: string) => `test/fixtures/released/${pkg.version}.${format}`;
assert(
  'private' in pkg || !existsSync(kept('db')),
  `${kept('db')} is of a version that was released; raise the version in package.json first.`,
);
const folder = mkdtempSync(join(tmpdir(), 'precedent-released-'));
const db = join(folder, 'memory.db');
const memory = await openMemory({ db, workspace: 'released', ...withVectors });
await furnish(memory);
await memory.decision.save({
  topic: '인증:토큰',
  ...({
    text: '토큰은 서버에만 저장한다',
    reasoning: 'builds_on: auth',
    strength: 'lock',
    scope: '인증',
    confidence: 0.8,
    revisit: '2027-01-01',
    files: 'src/auth/**',
    branch: 'fix/토큰',
  } satisfies Content),
});
// Closing ends the conversation, which is written.
await memory.close();
const closed = await openMemory({ db, workspace: 'released' });
const lines: string[] = [];
await closed.export('jsonl', (line) => lines.push(line));
await closed.close();
writeFileSync(kept('jsonl'), `${lines.join('\n')}\n`);
copyFileSync(db, kept('db'));
rmSync(folder, { recursive: true });
