import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Memory, openMemory } from '../src/index.ts';
import { isTried } from './support/part.ts';
import { workbench } from './support/program.ts';
import { shown } from './support/synced.ts';

/** Points all over a sync at which it is killed, and its last steps, in which it says what is new. */
const POINTS = 32;
const LAST = 24;

describe('a sync that is killed', () => {
  it('[Y-1] [Y-4] at whichever statement or file, loses nothing and has nothing twice: the next one goes through', async (test) => {
    const bench = workbench(test);
    const [here, base] = [join(bench.folder, 'here'), join(bench.folder, 'base')];
    const [db, folder, report] = [join(here, 'kim.db'), join(here, 'shared'), join(bench.folder, 'sent')];
    const save = async (memory: Memory, what: string) => {
      await memory.mama.save({ topic: 'auth', decision: `${what}의 결정`, evidence: [what] });
      await memory.mem.save({ title: what, content: `a note of ${what}`, topic_key: 'k' });
      await memory.topic.rename({ topic: 'auth', name: `auth:${what}` });
    };
    {
      await using kim = await openMemory({ db });
      await using lee = await openMemory({ db: join(here, 'lee.db') });
      await kim.mama.save({ topic: 'auth', decision: 'JWT' });
      for (const memory of [kim, lee]) await memory.sync(folder);
      await save(lee, 'lee');
      await lee.sync();
      await save(kim, 'kim');
    }
    cpSync(here, base, { recursive: true });
    const sync = (at: number) =>
      bench.run(['sync'], {
        env: {
          PRECEDENT_DB: db,
          NODE_OPTIONS: `--import=${import.meta.resolve('./support/at-statement.js')}`,
          PRECEDENT_TEST_AT_STATEMENT: JSON.stringify({ at, report }),
        },
      });
    const whole = await sync(0);
    assert.equal(whole.code, 0, whole.stderr);
    const all = Number(readFileSync(report, 'utf8'));
    const spread = Array.from({ length: POINTS }, (_, n) => 1 + Math.floor((all * n) / POINTS));
    const last = Array.from({ length: LAST }, (_, n) => all - n);
    const tried = [...spread, ...last].filter((_, n) => isTried(n));
    for (const at of tried) {
      rmSync(here, { recursive: true });
      cpSync(base, here, { recursive: true });
      assert.equal((await sync(at)).code, null, `${at} of ${all}`);
      await using kim = await openMemory({ db });
      await using lee = await openMemory({ db: join(here, 'lee.db') });
      assert.deepEqual((await kim.inspect()).problems, []);
      for (const memory of [lee, kim, lee]) assert.deepEqual((await memory.sync())?.warnings, []);
      assert.deepEqual([(await kim.sync())?.said, (await lee.sync())?.said], [0, 0]);
      assert.deepEqual(await shown(kim), await shown(lee), `killed at ${at} of ${all}`);
    }
  });
});
