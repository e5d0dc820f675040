import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Memory, openMemory, PrecedentError } from '../src/index.ts';
import { scratch } from './support/engines.ts';
import { refuses } from './support/expect.ts';
import { givesNothingAway } from './support/program.ts';
import { generator } from './support/random.ts';

const NOBODY = 65_534;

describe('SQLite files that are not as they should be', () => {
  it('[C-4] a file that may not be written says so, and is left as it is', {
    skip: process.getuid?.() !== 0 && 'needs root, to become somebody who may not write it',
  }, async () => {
    const folder = scratch();
    const file = join(folder, 'memory.db');
    const memory = await openMemory({ db: file });
    await memory.mama.save({ topic: 't', decision: 'before' });
    await memory.close();
    const before = readFileSync(file);
    chmodSync(file, 0o444);
    chmodSync(folder, 0o555);
    process.seteuid?.(NOBODY);
    try {
      const readOnly = await openMemory({ db: file });
      await refuses(readOnly.mama.save({ topic: 't', decision: 'x' }), 'unavailable', 'permissions');
      await readOnly.close();
      await refuses(openMemory({ db: join(folder, 'new.db') }), 'unavailable', 'permissions');
    } finally {
      process.seteuid?.(0);
    }
    assert(before.equals(readFileSync(file)));
  });

  it('[C-4] a file cut short or scribbled over never crashes anything, and says that it is damaged', async () => {
    const folder = scratch();
    const whole = join(folder, 'whole.db');
    const memory = await openMemory({ db: whole });
    for (let n = 0; n < 60; n++) {
      await memory.mama.save({
        topic: `t${n % 7}`,
        decision: `Decision ${n}`,
        evidence: [`${n}`.repeat(500)],
      });
      await memory.mem.save({ title: `n${n}`, content: 'text '.repeat(200) });
    }
    await memory.close();
    const bytes = readFileSync(whole);
    const random = generator(5);
    const codes: Record<string, number> = {};
    const reasons: Record<string, number> = {};
    const note = (n: number, outcome: unknown) => {
      const code =
        outcome instanceof PrecedentError ? outcome.code : outcome instanceof Error ? 'crash' : 'answered';
      codes[code] = (codes[code] ?? 0) + 1;
      const told = outcome instanceof Error ? `${outcome.message} ${outcome.cause}` : '';
      // Where texts and numbers were scribbled over, the rows themselves may be nonsense.
      const allowed = ['answered', 'unavailable', ...(n % 2 === 0 ? [] : ['internal'])];
      assert(allowed.includes(code), `file ${n}: ${code} ${told}`);
      if (outcome instanceof Error) givesNothingAway(outcome.message);
      const reason = outcome instanceof PrecedentError ? (outcome.reason ?? outcome.code) : code;
      reasons[reason] = (reasons[reason] ?? 0) + 1;
    };
    const questions = [
      (damaged: Memory) => damaged.mama.search({ query: 'decision' }),
      (damaged: Memory) => damaged.mem.search({ query: 'text' }),
      (damaged: Memory) => damaged.inspect(),
      (damaged: Memory) => damaged.mama.save({ topic: 'new', decision: 'new' }),
      (damaged: Memory) => damaged.repair(),
    ];
    for (let n = 0; n < 60; n++) {
      const file = join(folder, `${n}.db`);
      const at = Math.floor(random() * bytes.length);
      const damaged =
        n % 2 === 0
          ? bytes.subarray(0, at)
          : Buffer.from(bytes).fill(n, at, Math.min(at + 6_000, bytes.length));
      writeFileSync(file, damaged);
      const opened = await openMemory({ db: file }).catch((error: Error) => error);
      if (opened instanceof Error) {
        note(n, opened);
        assert(damaged.equals(readFileSync(file)), 'what cannot be opened is left as it is');
        continue;
      }
      for (const ask of questions) note(n, await ask(opened).catch((error: Error) => error));
      await opened.close();
    }
    assert((codes.unavailable ?? 0) > 20 && (codes.answered ?? 0) > 20, JSON.stringify(codes));
    assert((codes.internal ?? 0) < 10, JSON.stringify(codes));
    assert((reasons.damaged ?? 0) > 20, JSON.stringify(reasons));
  });
});
