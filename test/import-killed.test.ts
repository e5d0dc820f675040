import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { enginesInTurn, optionsOf } from './support/engines.ts';
import { bytesOf } from './support/facts.ts';
import { isTried, ONE_OF } from './support/part.ts';
import { workbench } from './support/program.ts';

/** Entities of the source: as many as need several statements of each kind. */
const ENTITIES = 130;
/** Points all over the import at which it is killed, and its last statements; some are tried. */
const POINTS = 16;
const LAST = 8;

const source = Array.from({ length: ENTITIES }, (_, n) => [
  { type: 'entity', name: `entity ${n}`, entityType: 'thing', observations: [`is number ${n}`] },
  { type: 'relation', from: `entity ${n}`, to: `entity ${(n + 1) % ENTITIES}`, relationType: 'before' },
]).flat();

for (const engine of enginesInTurn(7)) {
  describe(`an import that is killed, on ${engine.name}`, optionsOf(engine), () => {
    it('[I-3] leaves the memory as it was, or whole, at whichever statement; the next one goes through', async (test) => {
      const bench = workbench(test, 'here');
      const place = engine.place();
      const file = join(bench.folder, 'memory.jsonl');
      writeFileSync(file, source.map((row) => JSON.stringify(row)).join('\n'));
      const report = join(bench.folder, 'sent');
      const memory = await openMemory(place);
      for (let n = 0; n < 3; n++) await memory.mem.save({ title: `own ${n}`, content: 'saved here' });
      await memory.close();

      /** @param at the number of the statement before which it is killed; 0 for none, but they are counted */
      const take = (at?: number, dryRun: string[] = []) =>
        bench.run(['import', '--from', 'server-memory', file, '--json', ...dryRun], {
          env: {
            PRECEDENT_DB: place.db,
            PRECEDENT_WORKSPACE: place.workspace,
            ...(at !== undefined && {
              NODE_OPTIONS: `--import=${import.meta.resolve('./support/at-statement.js')}`,
              PRECEDENT_TEST_AT_STATEMENT: JSON.stringify({ at, report }),
            }),
          },
        });
      const look = async () => {
        await using found = await openMemory(place);
        const { problems, records } = await found.inspect();
        assert.deepEqual(problems, []);
        return { observations: records.observation, bytes: await bytesOf(found) };
      };

      const before = await look();
      assert.equal((await take(0, ['--dry-run'])).code, 0);
      // What a dry run sends is what an import sends, but for the end of its transaction.
      const all = Number(readFileSync(report, 'utf8'));
      assert.deepEqual(await look(), before);
      assert(all > 3 * POINTS, `${all}`);
      const spread = Array.from({ length: POINTS }, (_, n) => 1 + Math.floor((all * n) / POINTS));
      const last = Array.from({ length: LAST }, (_, n) => all - n);
      const killed = { before: 0, whole: 0 };
      const tried = [...spread, ...last].filter((_, n) => isTried(n, ONE_OF));
      for (const at of tried.toSorted((a, b) => a - b)) {
        const { code } = await take(at);
        const found = await look();
        if (code === null && found.bytes === before.bytes) {
          killed.before++;
          continue;
        }
        killed.whole++;
        assert.equal(found.observations, 3 + ENTITIES, `killed before statement ${at} of ${all}`);
        break;
      }
      assert(killed.before >= tried.length - 1, `${killed.before} of ${tried} were in the middle of ${all}`);
      const { code, stderr } = await take();
      assert.equal(code, 0, stderr);
      const whole = await look();
      assert.equal(whole.observations, 3 + ENTITIES);
      const { observations, relations } = JSON.parse((await take()).stdout);
      assert.deepEqual([observations.same, relations.same], [ENTITIES, ENTITIES]);
      assert.equal((await look()).bytes, whole.bytes);
    });
  });
}
