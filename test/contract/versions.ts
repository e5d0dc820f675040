import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { copyOfSource, libraryOf, nextMigration } from '../support/source.ts';
import { exported, linesOfRows } from '../support/stream.ts';
import { settle, until } from '../support/until.ts';

/** What an older and a newer version of Precedent do with one memory at the same time. */
export function versions(engine: EngineUnderTest): void {
  describe('a newer version beside this one', () => {
    it('[R-1] the migration of a next version is run once, and keeps all that the memory holds', async () => {
      const place = await engine.alone();
      const memory = await engine.open(place);
      await memory.mama.save({ topic: '인증:토큰', decision: 'Cookies', evidence: ['회의록'] });
      await memory.mem.save({ title: 'clock', content: 'it drifts' });
      const rows = linesOfRows(await exported(memory));
      await memory.close();
      const next = await libraryOf(
        copyOfSource({
          'src/store/migrations/migrations.ts': [
            nextMigration(
              "'9999-next': { up: (db) => db.schema.createTable('next').addColumn('id', 'text').execute() }",
            ),
          ],
        }),
      );
      for (const text of ['first', 'second']) {
        const upgraded = await next.openMemory(place);
        assert.deepEqual(linesOfRows(await exported(upgraded)), rows, text);
        const { schema, problems } = await upgraded.inspect();
        assert.deepEqual([schema, problems], ['9999-next', []]);
        assert.equal((await upgraded.search({ query: 'cookies' })).results.length, 1);
        await upgraded.close();
      }
    });

    it('[R-1] a memory that a newer version upgraded while it was in use is neither written nor read any more', async () => {
      const memory = await engine.open(await engine.alone());
      await memory.mama.save({ topic: 't', decision: 'before' });
      await engine.upgrade(memory, async () => {});
      const refusal = ['upgraded by a newer version', '9999-future', 'Update Precedent', 'restart'];
      await refuses(memory.mama.save({ topic: 't', decision: 'after' }), 'unavailable', ...refusal);
      await refuses(memory.mama.search({ query: 'before' }), 'unavailable', ...refusal);
      await refuses(memory.mem.save({ title: 't', content: 'after' }), 'unavailable', ...refusal);
      await refuses(engine.reopen(memory), 'unavailable', 'newer version', '9999-future');
    });

    it('[R-1] a save that waits for its turn while the memory is upgraded is refused, too', async () => {
      const memory = await engine.open(await engine.alone());
      let [isUpgrading, mayEnd] = [false, false];
      const upgraded = engine.upgrade(memory, async () => {
        isUpgrading = true;
        await until(() => mayEnd);
      });
      await until(() => isUpgrading);
      const saved = memory.mama.save({ topic: 't', decision: 'after' });
      const refused = refuses(saved, 'unavailable', 'upgraded by a newer version');
      await settle();
      mayEnd = true;
      await Promise.all([upgraded, refused]);
    });
  });
}
