import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type EngineUnderTest, engines, sqlite } from './support/engines.ts';
import { generator } from './support/random.ts';

/** Ids that begin, end or contain each other, as those of imports and programs may. */
const ALIKE = ['a', 'ab', 'b', 'aba', 'ba', 'abab', 'aa', 'bab', 'bb', 'aab', 'baba', 'abb', 'aaa', 'bba'];
/** As many that do not. */
const APART = ALIKE.map((_, at) => `${String.fromCharCode(97 + at).repeat(3)}-`);

/**
 * Two machines decide on one topic, undo and sync, by chance.
 * @param ids of the versions, in the order in which they are made
 * @returns what each machine says of it after each sync, without ids
 */
async function life(test: TestContext, engine: EngineUnderTest, seed: number, ids: string[]) {
  const random = generator(seed);
  const folder = mkdtempSync(join(tmpdir(), 'precedent-sides-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  let now = Date.parse('2026-03-01');
  let made = 0;
  const open = (author: string) =>
    engine.openFast({
      clock: () => now++,
      newId: () => ids[made++] ?? `later ${made}`,
      writer: { author, host: author, session: author, client: 'cli' },
    });
  const machines = [await open('A'), await open('B')] as const;
  const save = (at: 0 | 1, text: string) =>
    machines[at].mama.save({ topic: 't', decision: text, files: 'src/x.ts' });
  await save(0, 'first');
  for (const memory of machines) await memory.sync(folder);
  const said: unknown[] = [];
  for (let step = 1; step < 12; step++) {
    const dice = random();
    const at = dice < 0.5 ? 0 : 1;
    if (random() < 0.6) await save(at, `text ${step}`);
    else if (random() < 0.3) await machines[at].undo({}).catch(() => undefined);
    else
      for (const memory of [...machines, ...machines]) {
        const { decidedTwice = [] } = (await memory.sync()) ?? {};
        const { decision } = await memory.decision.get({ id: 't' });
        const { groups } = await memory.review({});
        const found = await memory.mama.files({ files: 'src/x.ts' });
        said.push([
          decidedTwice.length,
          decision.text,
          // Its ids are in brackets.
          decision.decidedTwice?.replace(/\([^ ,]+/g, '('),
          groups.map(({ kind }) => kind),
          JSON.stringify(found).match(/text \d+|first/g),
        ]);
      }
  }
  for (const memory of machines) await memory.close();
  return said;
}

describe('what was decided twice', () => {
  for (const engine of engines)
    it(`[Y-2] [Y-6] is found whatever ids begin, end or contain each other, on ${engine.name}`, {
      ...(engine.skip !== undefined && { skip: engine.skip }),
    }, async (test) => {
      let twice = 0;
      // PostgreSQL takes ten times as long.
      const lives = engine === sqlite ? 6 : 2;
      for (let seed = 1; seed <= lives; seed++) {
        const said = await life(test, engine, seed, ALIKE);
        assert.deepEqual(said, await life(test, engine, seed, APART), `seed ${seed}`);
        twice += JSON.stringify(said).includes('settles it') ? 1 : 0;
      }
      assert(twice > lives / 3, `${twice} lives in which something was decided twice`);
    });
});
