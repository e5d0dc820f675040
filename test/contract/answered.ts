import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forModel, type Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';

/** A memory of one project. */
async function furnish(memory: Memory) {
  await memory.mama.save({ topic: 'booking:seat-hold', decision: 'A seat is held for ten minutes' });
  await memory.mama.save({ topic: 'api:style', decision: 'The API is plain REST, never slow or locked' });
  await memory.mama.save({ topic: 'infra:cluster', decision: 'Kubernetes runs the gateway' });
  await memory.mama.save({ topic: 'payment:refund', decision: '환불은 결제한 날부터 사흘 안에 돌려준다' });
  await memory.mem.save({
    title: 'Lost events',
    content: 'The gateway lost events in the night of the outage',
  });
  await memory.memo.save({ fullText: '게이트웨이는 서울 리전에 있다', keywords: ['게이트웨이'] });
}

/** Every way to search, with what it found. */
const WAYS = ['search', 'mama_search', 'mem_search', 'recall'] as const;
async function asked(memory: Memory, way: (typeof WAYS)[number], query: string) {
  const answer = await memory.call(way, way === 'recall' ? { task: query } : { query });
  const { answered, read_as, results, entries } = answer;
  const found = (results ?? entries) as { title?: string; topic?: string; similarity: number }[];
  return { answered, read_as, found, text: JSON.stringify(forModel(way, answer as never)) };
}

/** What a search says where nothing answers, and of words that no record has. */
export function answered(engine: EngineUnderTest): void {
  describe('what a search says of its answer', () => {
    it('[T-8] a short word or an ordinary one is never replaced: nothing like it is found', async () => {
      const memory = await engine.open();
      await furnish(memory);
      await memory.mem.save({ title: 'extensive', content: 'Extensive tests; the marked seats; litter' });
      for (const word of ['helm', 'rust', 'show', 'seal', 'last', 'expensive', 'market', 'letter'])
        for (const way of WAYS) {
          const { answered, read_as, found, text } = await asked(memory, way, word);
          assert.deepEqual([found, answered, read_as], [[], false, undefined], `${way} ${word}`);
          assert.match(
            text,
            /^\{"note":"No (record|decision|note) shares enough of these words \(\d looked at, English/,
          );
        }
    });

    it('[Q-1] a Korean name that no record has is no part of another word, nor is a particle with the end of its noun', async () => {
      const memory = await engine.open();
      await furnish(memory);
      await memory.mama.save({ topic: 'infra:disk', decision: '디스크가 차면 오래된 로그를 지운다' });
      await memory.mama.save({ topic: 'infra:cache', decision: 'Redis is a cache only' });
      await memory.mama.save({ topic: 'log:debug', decision: '문제를 찾을 때 debug 로그를 켠다' });
      const named = async (query: string) => {
        const { found } = await asked(memory, 'mama_search', query);
        return found.map(({ topic, similarity }) => [topic, similarity]);
      };
      assert.deepEqual(await named('레디스'), [['infra:cache', 0.5]]);
      assert.deepEqual(await named('결제를'), [['payment:refund', 1]]);
    });

    it('[T-8] a long word that is mistyped is found, is said, and is half an answer at most', async () => {
      const memory = await engine.open();
      await furnish(memory);
      for (const way of ['search', 'mama_search', 'recall'] as const) {
        const { answered, read_as, found, text } = await asked(memory, way, 'kuberntes');
        assert.deepEqual([answered, read_as], [undefined, { kuberntes: 'kubernetes' }], way);
        const [first] = found;
        assert.equal(first?.title ?? first?.topic, 'infra:cluster');
        assert((first?.similarity ?? 1) <= 0.5, String(first?.similarity));
        assert.match(text, /^\{"read_as":\{"kuberntes":"kubernetes"\}/);
      }
      const whole = await asked(memory, 'mama_search', 'kubernetes gateway');
      const half = await asked(memory, 'mama_search', 'kuberntes gateway');
      assert.deepEqual([whole.found[0]?.similarity, whole.read_as], [1, undefined]);
      assert((half.found[0]?.similarity ?? 1) < 1);
    });

    it('[Q-1] other words for the same are looked for where hardly any record has a word, and said', async () => {
      const memory = await engine.open();
      await furnish(memory);
      await memory.mama.save({
        topic: 'ops:alerts',
        decision: 'PagerDuty calls whoever is on duty at night',
      });
      await memory.mama.save({ topic: 'web:store', decision: 'The cart is kept in a cookie' });
      await memory.mama.save({
        topic: 'net:calls',
        decision: 'Each call has three tries; no retry after that',
      });
      for (const [query, topic, read] of [
        ['k8s', 'infra:cluster', { k8s: 'kubernetes' }],
        ['쿠버네티스는 누가 돌리지', 'infra:cluster', { 쿠버네티스: 'kubernetes' }],
        ['リトライの回数', 'net:calls', { リトライ: 'retry' }],
        ['refund', 'payment:refund', undefined],
        ['쿠키에 두는 것', 'web:store', { 쿠키: 'cookie' }],
      ] as const)
        for (const way of ['search', 'mama_search', 'recall'] as const) {
          const { answered, read_as, found } = await asked(memory, way, query);
          const [first] = found;
          assert.equal(first?.title ?? first?.topic, topic, `${way} ${query}`);
          assert.equal(answered, undefined, `${way} ${query}`);
          assert.deepEqual(read_as, read, `${way} ${query}`);
          assert(
            (first?.similarity ?? 1) <= 0.5 || read === undefined,
            `${way} ${query} ${first?.similarity}`,
          );
        }
      await memory.mem.save({ title: 'k8s', content: 'A short name that people write' });
      const { read_as } = await asked(memory, 'mem_search', 'k8s');
      assert.equal(read_as, undefined, 'a word that a record has is left alone');
    });

    it('[Q-1] a Korean task meets the rules that were written in English', async () => {
      const memory = await engine.open();
      await furnish(memory);
      for (const [topic, decision] of [
        ['infra:redis', 'Redis is not used for seats'],
        ['search:engine', 'Elasticsearch is not used: the text search of PostgreSQL is enough'],
        ['auth:password', 'Passwords are hashed with Argon2id'],
      ] as const)
        await memory.mama.save({ topic, decision, strength: 'lock' });
      for (const [task, topic] of [
        ['좌석을 레디스에 두자', 'infra:redis'],
        ['레디스를 붙여줘', 'infra:redis'],
        ['엘라스틱서치를 도입하자', 'search:engine'],
        ['비밀번호를 bcrypt로 저장해줘', 'auth:password'],
        ['비밀번호 해시를 바꿔줘', 'auth:password'],
      ] as const) {
        const { found, answered } = await asked(memory, 'recall', task);
        assert.deepEqual([found[0]?.title, answered], [topic, undefined], task);
      }
    });

    it('[Q-3] a question in another script that nothing answers is said to have no answer', async () => {
      const memory = await engine.open();
      await furnish(memory);
      const { answered } = await asked(memory, 'mama_search', '카프카 파티션은 몇 개로 나누나');
      assert.equal(answered, false);
    });

    it('[T-9] [RE-8] what does not answer a question is said to be nearest, in English and in Korean', async () => {
      const memory = await engine.open();
      await furnish(memory);
      for (const query of [
        'which wallpaper library draws charts in the gateway of the mobile dashboard',
        '서울 대시보드의 그래프 색상은 누가 골랐나',
      ])
        for (const way of ['search', 'recall'] as const) {
          const { answered, found, text } = await asked(memory, way, query);
          assert.equal(answered, false, query);
          assert.equal(found.length > 0, way === 'search', `${found.length} for ${query}`);
          const said =
            /^\{"note":"No record shares enough of these words \(6 looked at, English and Korean\)\./;
          assert.match(text, said);
          assert.match(text, /Nearest names:","answered":false,.*"names":\["[^"]+/);
        }
      for (const query of ['how long is a seat held', '환불은 언제까지 돌려주나'])
        for (const way of ['search', 'mama_search', 'recall'] as const) {
          const { answered, found } = await asked(memory, way, query);
          assert.deepEqual([answered, found.length > 0], [undefined, true], `${way} ${query}`);
        }
    });

    it('[T-9] what holds whatever is asked may answer in another language: it is not said that nothing does', async () => {
      const memory = await engine.open();
      await furnish(memory);
      const rule = {
        decision: '주민등록번호는 어디에서도 받지 않는다',
        strength: 'lock',
        scope: 'global',
      } as const;
      await memory.mama.save({ topic: 'legal:privacy', ...rule });
      const noteOf = async (task: string) => (await asked(memory, 'recall', task)).text;
      const said = '^\\{"note":"No record shares enough of these words [^"]*What holds here';
      assert.match(await noteOf('ask for the SSN'), new RegExp(`${said}:","answered":false,`));
      const other = 'which wallpaper library draws charts in the gateway of the mobile dashboard';
      assert.match(await noteOf(other), new RegExp(`${said}, then the nearest names:","answered":false,`));
      const { text } = await asked(memory, 'search', 'ask for the SSN');
      assert.match(text, /Not compared, in another language: legal:privacy\./);
    });

    it('[T-9] a listing answers, and an empty one is no question', async () => {
      const memory = await engine.open();
      for (const way of ['mama_search', 'mem_search'] as const)
        assert.equal((await memory.call(way, {})).answered, undefined);
      await furnish(memory);
      assert.equal((await memory.mama.search({ query: ' ' })).answered, undefined);
    });

    it('[T-9] without a limit a search ends with what says enough, and its cursor goes on with the rest', async () => {
      const memory = await engine.open();
      for (let n = 0; n < 12; n++) {
        const [topic, session] = [`log:${n}`, `s${n}`];
        await memory.call('mama_save', { topic, decision: `Rule ${n} of the tokens` }, { session });
        await memory.call('mem_save', { title: `Note ${n}`, content: 'tokens' }, { session });
      }
      await memory.call(
        'mama_save',
        { topic: 'auth:tokens', decision: 'Opaque tokens expire' },
        { session: 't' },
      );
      await memory.call('mem_save', { title: 'Opaque tokens', content: 'expire' }, { session: 'u' });
      const query = 'opaque tokens expire';
      for (const [way, all] of [
        ['mama_search', 13],
        ['mem_search', 13],
        ['search', 26],
      ] as const) {
        const first = await memory.call(way, { query });
        const results = first.results as object[];
        assert.equal(results.length, 3, `${way}: ${results.length}`);
        if (way !== 'search') assert.equal(first.total, all);
        const second = await memory.call(way, { query, limit: 50, cursor: first.next_cursor });
        const whole = await memory.call(way, { query, limit: 50 });
        assert.deepEqual([...results, ...(second.results as object[])], whole.results, way);
        assert.deepEqual([(whole.results as object[]).length, second.next_cursor], [all, undefined], way);
      }
    });
  });
}
