import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

/** Search, first part: analysis, BM25, current before superseded, filters, honest similarity. */
export function search(engine: EngineUnderTest): void {
  const decisionsOf = async (memory: Memory, query: string) =>
    (await memory.mama.search({ query })).results.map((row) => row.decision);

  describe('search', () => {
    it('finds Korean words of two syllables with particles, and inflected English', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'cad', decision: '외벽은 200mm, 내벽은 150mm로 표준화한다' });
      await memory.mama.save({ topic: 'cache', decision: 'Cached responses expire after an hour' });
      for (const query of ['외벽', '외벽을', '내벽이', '표준화', '두께와 외벽', '외벽'.normalize('NFD')]) {
        assert.match((await decisionsOf(memory, query))[0] ?? '', /외벽은/, query);
      }
      for (const query of ['caching', 'expires', 'RESPONSE', 'ｃａｃｈｅ']) {
        assert.match((await decisionsOf(memory, query))[0] ?? '', /Cached/, query);
      }
    });

    it('any text whatever is a search, never an error', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 't', decision: 'hello world and near or not' });
      const queries = [
        'hello"world',
        'NEAR(',
        '"',
        "'; drop table decisions; --",
        '*',
        'a:b',
        '한',
        '🙂',
        '???',
      ];
      const words = ['the', 'AND', 'OR', 'NOT hello', 'title : hello', '^hello', '-hello', '\0', '\ud800'];
      for (const query of [...queries, ...words, 'x'.repeat(10_000), 'hello '.repeat(3_000)]) {
        const { results, total } = await memory.mama.search({ query });
        assert(Array.isArray(results) && total >= results.length, query.slice(0, 20));
      }
      assert.deepEqual(await decisionsOf(memory, 'hello"world'), ['hello world and near or not']);
      assert.deepEqual(await decisionsOf(memory, 'the and'), ['hello world and near or not']);
      assert.deepEqual(await decisionsOf(memory, '???'), []);
    });

    it('what stands comes before what it replaced, even when only the old text matches', async () => {
      const memory = await engine.open();
      for (let n = 0; n < 30; n++) {
        await memory.mama.save({ topic: 'queue', decision: `RabbitMQ for the queue, attempt ${n}` });
      }
      const now = await memory.mama.save({ topic: 'queue', decision: 'Plain PostgreSQL with SKIP LOCKED' });
      await memory.mama.save({ topic: 'other', decision: 'RabbitMQ is documented in the wiki' });
      const { results, total } = await memory.mama.search({ query: 'RabbitMQ queue attempt' });
      assert.equal(results[0]?.id, now.id);
      assert.equal(
        results.filter((row) => row.topic === 'queue').length,
        2,
        'one superseded version, not thirty',
      );
      assert.equal(total, 2);
      const history = await memory.mama.search({ query: 'RabbitMQ queue attempt', history: true, limit: 50 });
      assert.equal(history.total, 32, 'thirty texts, the wiki, and the one whose topic matches');
      const versions = history.results.filter((row) => row.topic === 'queue').map((row) => row.version);
      assert.deepEqual(
        versions,
        versions.toSorted((a, b) => b - a),
        'the newer of a chain first',
      );
    });

    it('[G-5] the history of what was asked for has the version that stands, then the one before it', async () => {
      const memory = await engine.open();
      for (const decision of ['벽 두께는 150 mm', '200 mm로 한다'])
        await memory.mama.save({ topic: 'bim:wall', decision });
      await memory.mama.save({ topic: 'bim:door', decision: '문은 900 mm' });
      const { results } = await memory.mama.search({ query: '벽 두께', history: true });
      assert.deepEqual(
        results.map(({ topic, version }) => [topic, version]),
        [
          ['bim:wall', 2],
          ['bim:wall', 1],
        ],
      );
    });

    it('a failed superseded version is preferred over a better matching one', async () => {
      const memory = await engine.open();
      const failed = await memory.mama.save({ topic: 't', decision: 'Redis' });
      await memory.mama.update({ id: failed.id, outcome: 'failed', reason: 'memory' });
      await memory.mama.save({ topic: 't', decision: 'Redis Redis Redis' });
      const now = await memory.mama.save({ topic: 't', decision: 'Memcached' });
      const { results } = await memory.mama.search({ query: 'redis' });
      assert.deepEqual(
        results.map((row) => row.id),
        [now.id, failed.id],
      );
    });

    it('[O-8] a version that matches by its evidence alone is shown beside a hundred better hits', async () => {
      const memory = await engine.open();
      const save = (topic: string, decision: string, evidence: string[] = []) =>
        memory.mama.save({ topic, decision, evidence });
      await save('pool', 'Ten zebra connections');
      const long = Array.from({ length: 400 }, (_, n) => `word${n}`).join(' ');
      const failed = await save('pool', 'Two at most', [`the zebra report ${long}`]);
      await memory.mama.update({ id: failed.id, outcome: 'failed', reason: 'Too few' });
      await save('pool', 'Five connections for the zebra');
      for (let n = 0; n < 110; n++) await save(`zebra:${n}`, `zebra zebra ${n}`);
      const { results } = await memory.mama.search({ query: 'zebra connections', limit: 5 });
      const versions = results.filter(({ topic }) => topic === 'pool').map(({ version }) => version);
      assert.deepEqual(versions, [3, 2], 'the failed version is preferred');
      const all = await memory.mama.search({ query: 'zebra connections', history: true, limit: 5 });
      const shown = all.results.filter(({ topic }) => topic === 'pool').map(({ version }) => version);
      assert.deepEqual(shown, [3, 2, 1]);
    });

    it('without a query the newest come first, superseded ones only when they failed', async () => {
      const memory = await engine.open(fixed());
      await memory.mama.save({ topic: 'a', decision: 'A1' });
      const failed = await memory.mama.save({ topic: 'b', decision: 'B1' });
      await memory.mama.update({ id: failed.id, outcome: 'failed' });
      await memory.mama.save({ topic: 'b', decision: 'B2' });
      await memory.mama.save({ topic: 'a', decision: 'A2' });
      const { results, total } = await memory.mama.search({});
      assert.deepEqual(
        results.map((row) => row.decision),
        ['A2', 'B2', 'B1'],
      );
      assert.equal(total, 2);
      const blank = await memory.mama.search({ query: '  ' });
      assert.deepEqual(blank.results, results);
    });

    it('filters apply before the limit: a rare domain is never crowded out', async () => {
      const memory = await engine.open();
      const rare = await memory.mama.save({ topic: 'r', decision: 'Naming rule', scope: 'rare' });
      for (let n = 0; n < 60; n++) {
        await memory.mama.save({ topic: `t${n}`, decision: 'Naming rule, naming rule', scope: 'common' });
      }
      const { results, total } = await memory.mama.search({ query: 'naming rule', domain: 'rare', limit: 1 });
      assert.deepEqual([results.map((row) => row.id), total], [[rare.id], 1]);
    });

    it('topic weighs more than text, and rare words more than common ones', async () => {
      const memory = await engine.open();
      for (let n = 0; n < 8; n++)
        await memory.mama.save({ topic: `x${n}`, decision: `Database choice ${n}` });
      await memory.mama.save({
        topic: 'misc',
        decision: 'The logging database is large and is pruned nightly',
      });
      const topic = await memory.mama.save({ topic: 'logging', decision: 'Only to stderr, it is said' });
      const [byRareWord] = (await memory.mama.search({ query: 'database pruned' })).results;
      const [byTopic] = (await memory.mama.search({ query: 'logging' })).results;
      assert.equal(byRareWord?.topic, 'misc');
      assert.equal(byTopic?.id, topic.id);
    });

    it('similarity is the share of the question that a record matched, 0 to 1', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'a', decision: 'Retry with exponential backoff' });
      await memory.mama.save({ topic: 'b', decision: 'Retry never' });
      const { results } = await memory.mama.search({ query: 'exponential backoff' });
      assert.deepEqual(
        results.map((row) => row.similarity),
        [1],
      );
      const partly = (await memory.mama.search({ query: 'exponential zebra' })).results[0]?.similarity ?? 0;
      assert(partly > 0 && partly < 0.6, String(partly));
    });

    it('any length of text is findable, to its last word', async () => {
      const memory = await engine.open();
      const reasoning = `${'filler words go here '.repeat(900)} zanzibar`;
      const { id } = await memory.mama.save({ topic: 'long', decision: 'x', reasoning });
      const [row] = (await memory.mama.search({ query: 'zanzibar' })).results;
      assert.equal(row?.id, id);
      assert.match(
        row?.reasoning ?? '',
        /\[\+\d+ characters: decision_get has all\]$/,
        'what is left out is said',
      );
      assert.equal((await memory.decision.get({ id })).decision.reasoning, reasoning);
    });

    it('[D-9] the same question has the same answer every time, on a memory opened again too', async () => {
      const memory = await engine.open({ clock: () => Date.UTC(2026, 0, 1) });
      for (let n = 0; n < 25; n++)
        await memory.call('mama_save', { topic: `t${n}`, decision: 'Same words' }, { session: `s${n}` });
      const once = await memory.mama.search({ query: 'same words' });
      assert.deepEqual(
        once.results.map((row) => row.topic),
        Array.from({ length: 25 }, (_, n) => `t${24 - n}`),
        'ties go to the one written last',
      );
      assert.deepEqual(await memory.mama.search({ query: 'same words' }), once);
      const again = await engine.reopen(memory);
      assert.deepEqual(await again.mama.search({ query: 'same words' }), once);
    });

    it('saving names close decisions on other topics, with their warnings', async () => {
      const memory = await engine.open();
      const old = await memory.mama.save({ topic: 'auth:login', decision: 'Sessions are kept in Redis' });
      await memory.mama.update({ id: old.id, outcome: 'failed', reason: 'evictions' });
      await memory.mama.save({ topic: 'ui:color', decision: 'Blue buttons' });
      const saved = await memory.mama.save({
        topic: 'session:store',
        decision: 'Keep sessions in Redis again',
      });
      assert.deepEqual(
        saved.similar?.map((close) => [close.id, close.outcome_warning]),
        [[old.id, '⚠️ outcome: failed — “evictions”']],
      );
      const close = saved.similar?.[0]?.similarity ?? 0;
      assert(close >= 0.2 && close < 1);
    });

    it('[O-8] saving again, on another topic, what failed is warned of, also after it was replaced', async () => {
      const memory = await engine.open();
      const decision = 'Keep JWTs in local storage';
      const old = await memory.mama.save({ topic: 'auth:token', decision });
      await memory.mama.update({ id: old.id, outcome: 'failed', reason: 'XSS' });
      const now = await memory.mama.save({ topic: 'auth:token', decision: 'Session cookies, HttpOnly' });
      const again = await memory.mama.save({ topic: 'web:storage', decision });
      const [close] = again.similar ?? [];
      assert.deepEqual([close?.id, close?.superseded_by], [old.id, now.id]);
      assert(again.warnings.some((warning) => warning.includes(old.id) && warning.includes('XSS')));
      const untitled = await memory.decision.save({ text: decision });
      assert(untitled.similar?.some((each) => each.outcomeWarning?.includes('XSS')));
    });

    it('close decisions are found for a revision as for a first version', async () => {
      const memory = await engine.open();
      for (let n = 0; n < 20; n++)
        await memory.mama.save({ topic: `x${n}`, decision: `Filler rule number ${n}` });
      const text = 'Gateway sessions expire after fifteen minutes idle';
      const other = await memory.mama.save({ topic: 'net:b', decision: text });
      for (const ending of ['', ' always', ' and ever']) {
        const saved = await memory.mama.save({
          topic: 'auth:a',
          decision: `Gateway sessions expire idle${ending}`,
        });
        assert.equal(saved.similar?.[0]?.id, other.id, ending);
      }
    });

    it('rare words of other kinds of record do not crowd out what is asked for', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({ topic: 'auth', decision: 'JWT tokens at login' });
      await memory.mama.save({ topic: 'auth:b', decision: 'No tokens at login' });
      const rare = Array.from({ length: 40 }, (_, n) => `rare${n}`).join(' ');
      await memory.mem.save({ title: 'rare', content: rare });
      const { results } = await memory.mama.search({ query: `${rare} jwt tokens login` });
      assert.equal(results[0]?.id, id);
    });

    it('a question of many words finds what only its commonest words stand in, whatever else has the others', async () => {
      const memory = await engine.open();
      const rare = Array.from({ length: 200 }, (_, n) => `rare${n}`).join(' ');
      await memory.mem.save({ title: 'log', content: rare });
      for (const n of [1, 2, 3]) {
        await memory.mama.save({ topic: `t${n}`, decision: `Sessions live in cookies ${n}`, scope: 'auth' });
      }
      const query = `${rare} cookies`;
      assert.equal((await memory.mama.search({ query })).total, 3);
      assert.equal((await memory.mama.search({ query, domain: 'auth', history: true })).total, 3);
      assert.equal((await memory.mama.search({ query, domain: 'other' })).total, 0);
      assert.equal((await memory.mama.search({ query: rare })).total, 0);
      assert.equal((await memory.mem.search({ query: `cookies ${rare}`, type: 'other' })).total, 0);
    });

    it('a word counts in a text of any length, and nothing like it does', async () => {
      const memory = await engine.open();
      const filler = Array.from({ length: 15_000 }, (_, n) => `filler${n}`).join(' ');
      await memory.mem.save({ title: 'cookies', content: 'sessions' });
      for (const content of [`sessions ${filler}`, `${filler} sessionless`, `${filler} sessions`])
        await memory.mem.save({ title: 'cookies', content });
      const { results } = await memory.mem.search({ query: 'sessions cookies', limit: 10 });
      assert.deepEqual(results.map(({ id, similarity }) => [id, similarity]).sort(), [
        [1, 1],
        [2, 1],
        [3, results.find(({ id }) => id === 3)?.similarity],
        [4, 1],
      ]);
      assert((results.at(-1)?.similarity ?? 1) < 1);
    });

    it('a listing of a domain counts only what stands in it', async () => {
      const memory = await engine.open();
      const a = await memory.mama.save({ topic: 'cad:a', decision: 'A' });
      const b = await memory.mama.save({ topic: 'cad:b', decision: 'B' });
      await memory.decision.revise({ id: b.id, scope: 'ui' });
      const { results, total } = await memory.mama.search({ domain: 'cad', limit: 1 });
      assert.deepEqual([results.map((row) => row.id), total], [[a.id], 1]);
    });

    it('limits of a search are refused by name', async () => {
      const memory = await engine.open();
      await refuses(memory.mama.search({ limit: 51 }), 'invalid', 'limit', '50', '51');
      await refuses(memory.mama.search({ limit: 0 }), 'invalid', 'limit');
      await refuses(memory.mama.search({ limit: 1.5 }), 'invalid', 'limit');
      await refuses(memory.call('mama_search', { outcome_filter: 'lost' }), 'invalid', 'pending', 'lost');
    });
  });
}
