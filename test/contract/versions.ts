import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { settle, until } from '../support/until.ts';

/** What an older and a newer version of Precedent do with one memory at the same time. */
export function versions(engine: EngineUnderTest): void {
  describe('a newer version beside this one', () => {
    it('[R-1] a memory that a newer version upgraded while it was in use is neither written nor read any more', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 't', decision: 'before' });
      await engine.upgrade(memory, async () => {});
      const refusal = ['upgraded by a newer version', '9999-future', 'Update Precedent', 'restart'];
      await refuses(memory.mama.save({ topic: 't', decision: 'after' }), 'unavailable', ...refusal);
      await refuses(memory.mama.search({ query: 'before' }), 'unavailable', ...refusal);
      await refuses(memory.mem.save({ title: 't', content: 'after' }), 'unavailable', ...refusal);
      await refuses(engine.reopen(memory), 'unavailable', 'newer version', '9999-future');
    });

    it('[R-1] a save that waits for its turn while the memory is upgraded is refused, too', async () => {
      const memory = await engine.open();
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
