import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';

/** Memos that are told unasked, saved again, corrected and ended. */
export function memosAgain(engine: EngineUnderTest): void {
  describe('memos again', () => {
    it('[RE-10] a memo comes up in a prompt as a note does: by its words, by its id, once, and not after its end', async () => {
      const memory = await engine.open();
      const korean = '사무실 공유기는 창고 선반 위에 있다';
      const { infoId } = await memory.memo.save({ fullText: korean });
      const other = await memory.memo.save({
        fullText: 'The projector of the lobby needs a warm-up of five minutes',
        summary: 'Lobby projector: warm it up',
      });
      const told = async (prompt: string) => (await memory.briefing.prompt({ prompt })).facts;
      const [fact, ...others] = await told('사무실 공유기가 어디 선반에 있지?');
      assert.deepEqual([fact?.id, others], [infoId, []]);
      assert.match(
        fact?.line ?? '',
        /^- \[memo · \d{4}-\d\d-\d\d\] “사무실 공유기는 창고 선반 위에 있다” \([\da-f]{8}\)$/,
      );
      const [projector] = await told('The projector in the lobby takes minutes to warm-up, can we fix that?');
      assert.deepEqual([projector?.id, projector?.why?.includes('of five minutes')], [other.infoId, true]);
      assert.deepEqual((await told(`see memo ${infoId.slice(0, 8)}`))[0]?.id, infoId);
      assert.deepEqual(await told('write a test for the parser'), []);
      const words = ['사무실', '공유기', '선반'];
      assert.deepEqual((await memory.briefing.prompt({ words, shown: [infoId] })).facts, []);
      await memory.memo.delete({ infoId });
      assert.deepEqual(await told('사무실 공유기가 어디 선반에 있지?'), []);
      assert.deepEqual(await told(`see memo ${infoId.slice(0, 8)}`), []);
    });
  });
}
