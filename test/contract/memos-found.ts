import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';

/** What is found around a memo where nothing but memos relates keywords. */
export function memosFound(engine: EngineUnderTest): void {
  describe('memos without a hook', () => {
    it('[T-13] keywords of a memo co-occur: the steps of another memo find them, and the memos that have them', async () => {
      const memory = await engine.open();
      const save = (fullText: string, ...keywords: string[]) => memory.memo.save({ fullText, keywords });
      await save('NetworkManager는 씬에 하나만 둔다', 'unity', '네트워킹', 'networkmanager');
      await save('Mirror drops a client after 10 seconds', 'mirror', 'networkmanager', 'timeout');
      const { relatedFound } = await save('Start with the lobby scene', 'unity');
      assert.deepEqual(relatedFound.nodes.toSorted(), ['networkmanager', '네트워킹']);
      const { newlyFound, records = [] } = await memory.memo.expand();
      assert.deepEqual(newlyFound.toSorted(), ['mirror', 'timeout']);
      assert.deepEqual(
        records.map(({ kind, text }) => [kind, text]),
        [['memo', 'Mirror drops a client after 10 seconds']],
      );
    });

    it('[M-8] a keyword with a comma is one keyword, and the save says how to give several', async () => {
      const memory = await engine.open();
      const save = (...keywords: string[]) => memory.memo.save({ fullText: '어두운 화면', keywords });
      const joined = await save('결제,다크모드');
      assert.deepEqual(joined.keywords, ['결제,다크모드']);
      assert.match(joined.warnings?.join() ?? '', /“결제,다크모드” is one keyword.*repeat --keywords/);
      assert.equal((await save('결제', '다크모드')).warnings, undefined);
    });

    it('[T-13] a pair that memos repeat is stronger by the rules of messages, and comes first', async () => {
      const memory = await engine.open();
      await memory.memo.save({ fullText: 'once', keywords: ['hub', 'once'] });
      for (const fullText of ['한 번', '두 번', '세 번'])
        await memory.memo.save({ fullText, keywords: ['hub', 'often'], date: '2024-01-01' });
      const { nodes, links } = await memory.keyword.graph({ around: 'hub' });
      const between = links.map(([one, other, strength]) => [
        nodes[one]?.keyword,
        nodes[other]?.keyword,
        strength,
      ]);
      assert.deepEqual(between.map(([, , strength]) => strength).toSorted(), [0.5, 1.1]);
      const { relatedFound } = await memory.memo.save({ fullText: 'x', keywords: ['hub'] });
      assert.deepEqual(relatedFound.nodes, ['often', 'once']);
    });

    it('[T-13] a step names the newest memos, decisions and observations with its words, at most five, never itself', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'net:mirror', decision: 'Mirror over Photon' });
      await memory.mama.save({ topic: 'net:old', decision: 'mirror by hand' });
      await memory.call('decision_revise', { id: 'net:old', withdrawn: true, reasoning: 'gone' });
      await memory.mem.save({ title: '접속', content: 'mirror 접속이 끊기면 timeout을 올린다' });
      await memory.mem.save({ title: 'cooking', content: 'unrelated' });
      const { infoId } = await memory.memo.save({ fullText: 'mirror 설정', keywords: ['mirror'] });
      const { newlyFound, records = [] } = await memory.memo.expand({ infoId });
      assert.deepEqual(newlyFound, [], 'the keywords of the memo where nothing is new');
      assert.deepEqual(
        records.map(({ kind, text }) => [kind, text]),
        [
          ['observation', '접속: mirror 접속이 끊기면 timeout을 올린다'],
          ['decision', 'net:mirror: Mirror over Photon'],
        ],
      );
      const [observation, decision] = records;
      assert.equal((await memory.decision.get({ id: decision?.id ?? '' })).decision.topic, 'net:mirror');
      assert.match(observation?.id ?? '', /^#\d+$/);
      for (let n = 0; n < 6; n++) await memory.mem.save({ title: `${n}`, content: `mirror ${n}` });
      assert.equal((await memory.memo.expand({ infoId })).records?.length, 5);
    });
  });
}
