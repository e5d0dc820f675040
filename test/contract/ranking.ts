import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';

/** What ranks before what. */
export function ranking(engine: EngineUnderTest): void {
  const filler = (count: number) => `${'This was said about other things of that day. '.repeat(count)}`;
  const found = async (memory: Memory, query: string) =>
    (await memory.mem.search({ query })).results.map(({ id }) => id);

  describe('ranking', () => {
    it('[S-4] a long record that has the words of a question together comes before one that scatters them', async () => {
      const memory = await engine.open();
      const save = async (session_id: string, content: string) =>
        (await memory.mem.save({ title: 'minutes', content, session_id })).id;
      for (let n = 0; n < 30; n++) await save(`s${n}`, `Nothing of note on day ${n}. ${filler(8)}`);
      for (const [word, other, third] of [
        ['backoff', 'gateway', 'timeout'],
        ['재시도', '게이트웨이', '제한시간'],
      ]) {
        const together = await save(
          'a',
          `${filler(8)}The ${word} of the ${other} has a ${third}. ${filler(8)}`,
        );
        const apart = await save(
          'b',
          `${word} here, ${word} there. ${filler(7)}A ${other}. ${other}. ${filler(7)}${third} and ${third}.`,
        );
        assert.deepEqual(await found(memory, `${word} ${other} ${third}`), [together, apart], word);
      }
    });
  });
}
