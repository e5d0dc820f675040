import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

type Recorded = Awaited<ReturnType<Memory['keywords']['record']>>;

/** Records a message of these keywords, in the session `s` unless another is named. */
const record = (memory: Memory, keywords: string[], sessionId = 's') =>
  memory.keywords.record({ keywords, sessionId, limit: 1_000 });

/** Relations as sentences, sorted. */
const sentences = ({ relations }: Recorded) =>
  relations.map(({ from, type, to, weight }) => `${from} ${type} ${to} ${weight}`).sort();

/** All keywords and their relations, as they were written out. */
async function exported(memory: Memory): Promise<{ nodes: string[]; relations: string[] }> {
  const lines: string[] = [];
  await memory.export('cypher', (line) => lines.push(line));
  return {
    nodes: lines.filter((line) => line.includes(' SET n:Keyword')),
    relations: lines.filter((line) => /FOLLOWED_BY|CO_OCCURS|BELONGS_TO/.test(line)),
  };
}

/** The keyword graph: what messages are about, and how that hangs together. */
export function keywords(engine: EngineUnderTest): void {
  describe('keywords', () => {
    it('[M-9] a message makes nodes, and relations within it and from the message before', async () => {
      const memory = await engine.open();
      const first = await record(memory, ['unity', 'shader']);
      assert.deepEqual(first.keywords, [
        { name: 'unity', visits: 1 },
        { name: 'shader', visits: 1 },
      ]);
      assert.deepEqual(sentences(first), ['unity CO_OCCURS shader 0.5']);
      const second = await record(memory, ['shader', 'mirror']);
      assert.deepEqual(second.keywords, [
        { name: 'shader', visits: 2 },
        { name: 'mirror', visits: 1 },
      ]);
      assert.deepEqual(sentences(second), [
        'shader CO_OCCURS mirror 0.5',
        'shader FOLLOWED_BY mirror 1',
        'unity FOLLOWED_BY mirror 1',
        'unity FOLLOWED_BY shader 1',
      ]);
      assert.equal(second.relationsTotal, 4);
    });

    it('[M-9] weights grow: FOLLOWED_BY by 1, CO_OCCURS by 0.3, BELONGS_TO by 1, in either order of a pair', async () => {
      const memory = await engine.open();
      const again = (...keywords: string[]) =>
        memory.keywords.record({ keywords, belongsTo: 'engine', sessionId: 's', limit: 1_000 });
      await again('a', 'b');
      await again('b', 'a');
      const third = await again('a', 'b');
      assert.deepEqual(sentences(third), [
        'a BELONGS_TO engine 3',
        'a CO_OCCURS b 1.1',
        'a FOLLOWED_BY b 2',
        'b BELONGS_TO engine 3',
        'b FOLLOWED_BY a 2',
      ]);
      const { nodes, relations } = await exported(memory);
      assert.equal(nodes.length, 3);
      assert.equal(relations.length, 5, 'a pair has one relation of each type, however often it is recorded');
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[M-9] a keyword is one node whatever its letter case, width, blanks and composition', async () => {
      const memory = await engine.open();
      for (const name of ['Café  Bar', 'CAFE\u0301 bar', ' café bar ', 'ｃａｆé\u3000ｂａｒ'])
        await record(memory, [name]);
      await record(memory, ['한글', '한글'.normalize('NFD')]);
      const { nodes, relations } = await exported(memory);
      assert.equal(nodes.length, 2, nodes.join('\n'));
      assert.match(nodes[0] ?? '', /café bar.*visits: 4/);
      assert.match(nodes[1] ?? '', /한글.*visits: 1/);
      assert.equal(
        relations.length,
        1,
        'only the last message follows with another keyword; none with itself',
      );
    });

    it('[M-9] takes the keywords from a text: no particles, no stop words, nothing of the text itself', async () => {
      const memory = await engine.open();
      const { keywords } = await memory.keywords.record({
        text: '토큰을 게이트웨이에서 검증하는 것은 The API의 정책이다',
      });
      assert.deepEqual(
        keywords.map(({ name }) => name),
        ['토큰', '게이트웨이', '검증', 'api', '정책'],
      );
      const lines: string[] = [];
      await memory.export('cypher', (line) => lines.push(line));
      assert.doesNotMatch(lines.join('\n'), /검증하는 것은/);
    });

    it('[M-9] a text without a keyword succeeds with none, and the conversation goes on after it', async () => {
      const memory = await engine.open();
      await record(memory, ['a']);
      for (const text of ['', ' ', '...', 'ㅋㅋㅋ', '그래', 'the', '🙂', '<private>secret</private>']) {
        const none = await memory.keywords.record({ text, sessionId: 's' });
        assert.deepEqual([none.keywords, none.relations, none.relationsTotal], [[], [], 0], text);
      }
      assert.deepEqual(sentences(await record(memory, ['b'])), ['a FOLLOWED_BY b 1']);
    });

    it('[M-9] [M-12] sessions do not follow each other; without an id it is that of the writer', async () => {
      const memory = await engine.open({ writer: { session: 'mine' } });
      await record(memory, ['a'], 'one');
      assert.deepEqual(sentences(await record(memory, ['b'], 'two')), []);
      const bare = await memory.keywords.record({ keywords: ['c'] });
      assert.deepEqual([bare.sessionId, bare.relations], ['mine', []]);
      assert.deepEqual(sentences(await record(memory, ['d'], 'mine')), ['c FOLLOWED_BY d 1']);
    });

    it('[M-9] a session goes on where it stopped after a restart', async () => {
      const memory = await engine.open();
      await record(memory, ['a']);
      const again = await engine.reopen(memory);
      assert.deepEqual(sentences(await record(again, ['b'])), ['a FOLLOWED_BY b 1']);
    });

    it('[M-9] belonging makes the parent without a visit, and nothing belongs to itself', async () => {
      const memory = await engine.open();
      const { keywords, relations } = await memory.keywords.record({
        keywords: ['unity', 'engine'],
        belongsTo: 'Engine',
      });
      assert.deepEqual(
        keywords.map(({ name, visits }) => [name, visits]),
        [
          ['unity', 1],
          ['engine', 1],
        ],
      );
      assert.deepEqual(
        relations.map(({ from, type, to }) => [from, type, to]),
        [
          ['unity', 'BELONGS_TO', 'engine'],
          ['unity', 'CO_OCCURS', 'engine'],
        ],
      );
      await memory.keywords.record({ keywords: ['mirror'], belongsTo: 'library', sessionId: 'x' });
      const { nodes } = await exported(memory);
      assert.match(nodes.find((node) => node.includes("'library'")) ?? '', /visits: 0/);
    });

    it('[M-1] answers with what the text asks for, and does nothing about it', async () => {
      const memory = await engine.open();
      const triggerOf = async (text: string) => (await memory.keywords.record({ text })).trigger;
      assert.equal(await triggerOf('이 설정을 기억해줘'), 'memo');
      assert.equal(await triggerOf('expand the last one'), 'expand');
      assert.equal(await triggerOf('my notebook'), null);
      assert.equal((await memory.memo.list()).total, 0);
    });

    it('shows the three newest memos about its keywords', async () => {
      const memory = await engine.open(fixed());
      for (const n of [1, 2, 3, 4]) {
        await memory.memo.save({ fullText: `memo ${n}`, keywords: ['unity', n % 2 ? 'odd' : 'even'] });
      }
      await memory.memo.save({ fullText: 'about something else', keywords: ['redis'] });
      const { memos } = await record(memory, ['unity', 'even']);
      assert.deepEqual(
        memos.map(({ summary, keywords }) => [summary, keywords]),
        [
          ['memo 4', ['even', 'unity']],
          ['memo 3', ['odd', 'unity']],
          ['memo 2', ['even', 'unity']],
        ],
      );
    });

    it('what is private is in no keyword; too many, too long and neither are refused', async () => {
      const memory = await engine.open();
      const { keywords } = await memory.keywords.record({
        text: 'token <private>hunter2</private> rotation',
      });
      assert.deepEqual(
        keywords.map(({ name }) => name),
        ['token', 'rotation'],
      );
      const call = (input: object) => memory.call('keywords_record', input);
      await refuses(call({}), 'invalid', '"text" or "keywords"');
      await refuses(call({ keywords: ['<private>x</private>'] }), 'invalid', 'private');
      await refuses(call({ keywords: [' '] }), 'invalid', 'keywords.0');
      await refuses(call({ keywords: ['k'.repeat(101)] }), 'invalid', '100', '101');
      await refuses(call({ keywords: Array.from({ length: 21 }, (_, n) => `k${n}`) }), 'invalid', '20', '21');
      await refuses(call({ text: 'a', limit: 1_001 }), 'invalid', 'limit', '1000');
      await refuses(call({ text: 'a'.repeat(200_001) }), 'invalid', '200000');
      assert.equal((await exported(memory)).nodes.length, 2, 'what was refused left nothing behind');
    });

    it('many at once lose no visit and no weight', async () => {
      const memory = await engine.open();
      const other = await engine.reopen(memory);
      await Promise.all(
        Array.from({ length: 20 }, (_, n) => record(n % 2 ? memory : other, ['a', 'b'], `session ${n}`)),
      );
      const { keywords, relations } = await record(memory, ['b', 'a'], 'last');
      assert.deepEqual([keywords[0]?.visits, keywords[1]?.visits, relations[0]?.weight], [21, 21, 6.5]);
      assert.deepEqual((await memory.inspect()).problems, []);
    });
  });
}
