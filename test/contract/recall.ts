import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { estimateTokens } from '../../src/domain/text/tokens.ts';
import { forModel, type Memory, openMemory } from '../../src/index.ts';
import type { Result } from '../../src/operations/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

/** A memory of every kind of record, some of it about tokens. */
async function furnish(memory: Memory) {
  const jwt = await memory.mama.save({ topic: 'auth:token', decision: 'JWT를 로컬 저장소에 둔다' });
  await memory.mama.update({ id: jwt.id, outcome: 'failed', reason: 'A script could read them' });
  const cookies = await memory.mama.save({
    topic: 'auth:token',
    decision: 'Session cookies, HttpOnly',
    strength: 'lock',
    evidence: ['스크립트 주입으로 토큰이 새는 것을 재현했다'],
  });
  const axis = await memory.decision.save({ text: 'Errors fail fast', strength: 'axis', scope: 'global' });
  const ui = await memory.mama.save({
    topic: 'ui:login',
    decision: 'The login form stores no token',
    reasoning: `builds_on: ${jwt.id}`,
  });
  const seen = await memory.mem.save({ title: '토큰 만료', content: '서버 시계가 어긋나면 토큰이 거절된다' });
  await memory.memo.save({ fullText: '토큰은 게이트웨이가 검증한다' });
  await memory.mama.save({ type: 'checkpoint', summary: '토큰 갱신까지 끝냄', next_steps: '로그아웃' });
  return { jwt, cookies, axis: axis.decision, ui, seen };
}

/** What was found, whole and by name. */
const given = ({ entries, names = [] }: Result<'recall'>) => [...entries, ...names];

/** What an agent is given at the start of its work, and the search over everything behind it. */
export function recall(engine: EngineUnderTest): void {
  describe('recall', () => {
    it('[S-1] a step that shares one word with a record brings nothing, one that shares two does', async () => {
      const memory = await engine.open();
      for (const [topic, decision, strength = 'normal'] of [
        ['payment:vat', 'The rule of the tax office: sauces are not free of it', 'lock'],
        ['ops:calls', 'On call is a week each', 'lock'],
        ['privacy:cards', '카드 번호는 서버에 두지 않는다', 'lock'],
        ['order:cancel', '해지는 앱에서 두 번 누르면 끝난다'],
        ['menu:prices', 'Prices change once a quarter'],
        ['web:pages', 'Recipe and order pages of the web shop are rendered on the server'],
        ['web:recipes', 'Recipe pages of the web shop are rendered on the server before the order'],
        ['web:orders', 'Order pages of the web shop are rendered on the server after the recipe'],
      ] as const)
        await memory.call('mama_save', { topic, decision, strength }, { session: topic });
      const pages = 'Render the recipe and order pages of the web shop on the server';
      for (const [task, others] of [
        [`${pages}. Make that our rule. Call me when done.`, []],
        [`${pages}. 카드 번호를 로그에 남기자.`, ['privacy:cards']],
      ] as const) {
        const { entries } = await memory.recall({ task });
        const found = entries.map(({ title }) => title).filter((title) => !title?.startsWith('web:'));
        assert.deepEqual(found, others, task);
      }
    });

    it('[T-5] [T-18] a lock of any scope that says enough of the task comes before what binds nobody', async () => {
      const memory = await engine.open();
      for (const [topic, decision, strength = 'normal'] of [
        ['user:profile', 'Profiles of a user are cached in memory for a minute'],
        ['app:memory', 'Data of users stays in process memory'],
        ['app:cache', 'Never cache user data', 'lock'],
        ['app:disk', 'A disk may hold data', 'lock'],
      ] as const)
        await memory.mama.save({ topic, decision, strength });
      const titles = async (task: string) => given(await memory.recall({ task })).map(({ title }) => title);
      const found = await titles('cache user data in memory');
      assert.equal(found[0], 'app:cache');
      // One word in four makes no lock of the task.
      assert.equal(found.at(-1), 'app:disk');
    });

    it('[S-1] of a task with several steps each is looked for by itself: the lock of a small one is found', async () => {
      const memory = await engine.open();
      // Neighbours of a session gain from each other, so there is something between.
      for (const [topic, decision, strength = 'normal'] of [
        ['ops:deploys', 'No deploy between 18:00 and 08:00: the night run depends on it', 'lock'],
        ['kitchen:waste', 'What is left goes to the food bank'],
        ['ops:alerts', 'Only what a customer feels wakes somebody', 'lock'],
        ['infra:cdn', 'CloudFront is for pictures; it never keeps answers of the API', 'lock'],
        ['kitchen:labels', 'Labels have the time of cooking'],
        ['menu:prices', 'Prices change once a quarter'],
        ['web:rendering', 'Home, recipe and order pages of the web shop are rendered on the server'],
        ['web:recipes', 'Recipe pages of the web shop are rendered on the server before the order'],
        ['web:orders', 'Order pages of the web shop are rendered on the server after the recipe'],
        ['web:home', 'The web shop is rendered on the server: home, recipe, order'],
      ] as const)
        await memory.mama.save({ topic, decision, strength });
      const steps = [
        'Render the home, recipe and order pages of the web shop on the server',
        'keep answers of the API at CloudFront',
        'deploy at 18:30',
      ];
      const topicsOf = async (task: string) =>
        given(await memory.recall({ task })).flatMap(({ title }) => title ?? []);
      for (const task of [
        steps.join('; '),
        steps.join('\n'),
        `${steps.join('. ')}.`,
        steps.map((step, at) => `${at + 1}. ${step}`).join(' '),
      ]) {
        const topics = await topicsOf(task);
        for (const topic of ['web:rendering', 'infra:cdn', 'ops:deploys'])
          assert(topics.includes(topic), task);
        assert(!topics.includes('ops:alerts'));
        assert.equal(new Set(topics).size, topics.length, 'each once');
      }
    });

    it('[S-1] gives what binds first, then what is known of every kind, each with status, scope, warning and why', async () => {
      const memory = await engine.open();
      const { cookies, axis, ui } = await furnish(memory);
      const answer = await memory.recall({ task: '로그인 토큰(token)을 저장하는 방법', domain: 'auth' });
      const { workspace, left_out } = answer;
      // The rest by name: a larger budget has them whole.
      assert.equal(given(answer).length, 6);
      const { entries } = await memory.recall({
        task: '로그인 토큰(token)을 저장하는 방법',
        domain: 'auth',
        token_budget: 3_000,
      });
      assert.equal(workspace, memory.workspace);
      assert.deepEqual(
        entries.slice(0, 2).map(({ id, because }) => [id, because]),
        [
          [axis.id, 'binds everything'],
          [cookies.id, 'binds auth (lock)'],
        ],
      );
      assert.match(entries[1]?.earlier_failure ?? '', /JWT를 로컬 저장소에 둔다.*A script could read them/);
      assert.deepEqual(
        new Set(entries.map(({ kind }) => kind)),
        new Set(['decision', 'observation', 'memo', 'checkpoint']),
      );
      const form = entries.find(({ id }) => id === ui.id);
      assert.deepEqual([form?.status, form?.scope], ['active', 'ui']);
      assert.match(form?.failed_basis?.[0] ?? '', /JWT를 로컬 저장소에 둔다/);
      assert(entries.slice(2).every(({ because }) => because === 'has words of the question'));
      assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length, 'each once');
      assert.deepEqual(left_out, { binding: 0, relevant: 0 });
    });

    it('[T-1] gives the rules of everywhere whole, and their reasons where the task has words of theirs', async () => {
      const memory = await engine.open();
      const rule = 'Text is in Korean and English. Logs are in English only';
      const reasons = { reasoning: 'Half of the operators read no Korean', scope: 'global' };
      const { decision } = await memory.decision.save({ text: rule, ...reasons, strength: 'axis' });
      const ask = async (task: string) => {
        const { entries, left_out } = await memory.recall({ task });
        const [first] = entries;
        assert.deepEqual([first?.id, first?.text], [decision.id, rule], task);
        return [first?.why, left_out.reasons];
      };
      assert.deepEqual(await ask('move the invoices to another bank'), [undefined, true]);
      assert.deepEqual(await ask('which logs do operators read'), [reasons.reasoning, undefined]);
      const answer = await memory.recall({ task: 'move the invoices to another bank' });
      assert.match(JSON.stringify(forModel('recall', answer)), /"why_of_other_rules":"decision_get"/);
    });

    it('[S-2] never takes more tokens than its budget, counts them truly, and says what it left out', async () => {
      const memory = await engine.openFast();
      for (let n = 0; n < 30; n++) {
        const text = `Token rule ${n}: <|endoftext|> 토큰 규칙은 ${'아주 긴 설명 🙂 '.repeat(n)}`;
        await memory.decision.save({
          text,
          scope: n % 2 ? 'auth' : 'global',
          strength: n % 3 ? 'axis' : 'normal',
        });
        await memory.mem.save({
          title: `token note ${n}`,
          content: `토큰 노트 ${n} ${'token '.repeat(3 * n)}`,
        });
      }
      for (const token_budget of [300, 301, 350, 500, 777, 1_500, 4_000, 50_000]) {
        const answer = await memory.recall({ task: '토큰 token rule', domain: 'auth', token_budget });
        const whole = estimateTokens(JSON.stringify(forModel('recall', answer)));
        assert(whole <= token_budget, `${whole} of ${token_budget}`);
        assert(answer.tokens === whole, `says ${answer.tokens}, takes ${whole}`);
        assert.equal(answer.token_budget, token_budget);
        const left = answer.left_out.binding + answer.left_out.relevant;
        assert(answer.entries.length >= 1);
        assert.equal(left === 0, token_budget >= 4_000, `${left} left out of ${token_budget}`);
      }
      const small = await memory.recall({ task: '토큰 token rule', domain: 'auth', token_budget: 1_000 });
      assert(
        small.entries.some(({ because }) => because.startsWith('has words')),
        'what binds does not fill it alone',
      );
    });

    it('[S-1] a memory with nothing on the task gives what binds, and an empty one nothing', async () => {
      const memory = await engine.open();
      assert.deepEqual((await memory.recall({ task: '아무것도' })).entries, []);
      await furnish(memory);
      const { entries } = await memory.recall({ task: 'zebra' });
      assert.deepEqual(
        entries.map(({ text }) => text),
        ['Errors fail fast'],
      );
    });

    it('[S-1] a domain that has no decision is said, with the scopes that have', async () => {
      const memory = await engine.open();
      await furnish(memory);
      const recalled = await memory.recall({ task: 'x', domain: 'atuh' });
      assert.deepEqual(recalled.scopes, ['auth', 'global', 'ui']);
      const told = 'No decision has this domain; there are auth, global, ui';
      assert.equal(forModel('recall', recalled).domain, told);
      assert.equal((await memory.recall({ task: 'x', domain: 'auth' })).scopes, undefined);
      const { entries } = await memory.recall({ task: 'x', domain: 'global' });
      assert.deepEqual(
        entries.map(({ because }) => because),
        ['binds everything'],
        'a global axis is listed once, also where that is the domain',
      );
    });

    it('[S-1] a project keeps the observations of others out', async () => {
      const memory = await engine.open();
      await memory.mem.save({ title: 'web cache', content: 'cache of the web', project: 'web' });
      const app = await memory.mem.save({ title: 'app cache', content: 'cache of the app', project: 'app' });
      const { entries } = await memory.recall({ task: 'cache', project: 'app' });
      assert.deepEqual(
        entries.map(({ id }) => id),
        [String(app.id)],
      );
    });

    it('[S-2] stays within its budget also when a model did not answer, and says that too', async () => {
      const embedder = { model: 'm', embed: () => Promise.reject(new Error('down')) };
      const memory = await engine.open({ embedder });
      for (let n = 0; n < 40; n++) await memory.mem.save({ title: `token ${n}`, content: `토큰 ${n}` });
      for (let token_budget = 300; token_budget < 340; token_budget++) {
        const answer = await memory.recall({ task: 'token', token_budget });
        const whole = estimateTokens(JSON.stringify(forModel('recall', answer)));
        assert(whole <= token_budget && answer.tokens === whole, `${whole} of ${token_budget}`);
        assert.match(answer.degraded ?? '', /words/);
      }
    });

    it('[S-2] stays within its budget also when it names scopes, however long their names are', async () => {
      const memory = await engine.open();
      for (let n = 0; n < 10; n++) {
        const scope = `${String(n)} 범위의 아주 긴 이름 `.repeat(13).slice(0, 200).trim();
        await memory.decision.save({ text: `Rule ${n}`, scope, strength: 'axis' });
      }
      for (const token_budget of [300, 1_500, 10_000]) {
        const answer = await memory.recall({ task: 'rule', domain: 'unknown', token_budget });
        const whole = estimateTokens(JSON.stringify(forModel('recall', answer)));
        assert(whole <= token_budget, `${whole} of ${token_budget}`);
        assert.equal(answer.scopes?.length ?? 0, { 300: 0, 1500: 2, 10000: 10 }[token_budget]);
      }
    });

    it('[S-2] a large budget holds more, and what was not even counted is said', async () => {
      const memory = await engine.openFast();
      for (let n = 0; n < 120; n++) await memory.mem.save({ title: `token ${n}`, content: `number ${n}` });
      const large = await memory.recall({ task: 'token', token_budget: 20_000 });
      assert.deepEqual([given(large).length, large.left_out.relevant, large.more], [120, 0, undefined]);
      assert(large.entries.length >= 40);
      const small = await memory.recall({ task: 'token', token_budget: 600 });
      assert(small.more === true && given(small).length < 60);
      assert.match(JSON.stringify(forModel('recall', small)), /"left_out":"[^"]*more/);
    });

    it('[S-1] what binds and failed comes first, however many warnings it has', async () => {
      const memory = await engine.open();
      const bases: string[] = [];
      for (let n = 0; n < 4; n++) {
        const { id } = await memory.mama.save({
          topic: `base ${n}`,
          decision: '아주 긴 근거가 되는 결정 '.repeat(20),
        });
        await memory.mama.update({ id, outcome: 'failed', reason: '길게 설명하는 실패의 이유 '.repeat(20) });
        bases.push(id);
      }
      await memory.decision.save({ text: 'A small axis', strength: 'axis', scope: 'global' });
      const axis = await memory.decision.save({
        text: '모든 것을 정하는 축 '.repeat(30),
        reasoning: `builds_on: ${bases.join(', ')}`,
        strength: 'axis',
        scope: 'global',
      });
      await memory.mama.update({
        id: axis.decision.id,
        outcome: 'failed',
        reason: '길게 설명하는 이유 '.repeat(30),
      });
      for (const token_budget of [700, 800, 900, 1_000, 1_500, 3_000]) {
        const { entries } = await memory.recall({ task: '결정', token_budget });
        assert.equal(entries[0]?.id, axis.decision.id, String(token_budget));
        assert.equal(entries[0]?.failed_basis?.length, 2);
      }
    });

    it('refuses a budget out of range and a task without text', async () => {
      const memory = await engine.open();
      await refuses(memory.recall({ task: 'x', token_budget: 299 }), 'invalid', 'token_budget', '300', '299');
      await refuses(memory.recall({ task: ' ' }), 'invalid', 'task');
    });
  });

  describe('search over everything', () => {
    it('[S-3] finds every kind at once, a chain once by its newest version', async () => {
      const memory = await engine.open();
      const { cookies, seen } = await furnish(memory);
      const { results, more } = await memory.search({ query: '토큰' });
      assert.deepEqual(
        results.map(({ kind }) => kind).sort(),
        ['checkpoint', 'decision', 'memo', 'observation'],
        'the decision answers with its evidence',
      );
      assert.equal(results.find(({ kind }) => kind === 'decision')?.id, cookies.id);
      assert.equal(more, false);
      const old = await memory.search({ query: 'JWT 로컬' });
      assert.deepEqual([old.results[0]?.id, old.results.length], [cookies.id, 1]);
      assert.deepEqual((await memory.search({ query: '토큰', limit: 1 })).more, true);
      await memory.delete({ ref: seen.id });
      const after = await memory.search({ query: '시계' });
      assert.deepEqual(after.results, []);
      await refuses(memory.search({ query: ' ' }), 'invalid', 'query');
    });

    it('[S-4] what was saved beside what answers, or is related to it, comes before what was not', async () => {
      const memory = await engine.open();
      const save = (session: string, title: string, content: string) =>
        memory.mem.save({ title, content, session_id: session });
      const alone = await save('x', 'one', 'The retry policy waits');
      await save('y', 'question', 'Which backoff does the retry policy of the queue use?');
      const beside = await save('y', 'two', 'The retry policy waits');
      const far = await save('z', 'three', 'The retry policy waits');
      const { results } = await memory.mem.search({ query: 'backoff of the queue retry policy', limit: 10 });
      const rank = (id: number) => results.findIndex((row) => row.id === id);
      assert(rank(beside.id) < rank(alone.id) && rank(beside.id) < rank(far.id));
      const [top] = results;
      await memory.mem.relate({ from_id: top?.id ?? 0, to_id: alone.id, relation_type: 'answered_by' });
      const again = await memory.mem.search({ query: 'backoff of the queue retry policy', limit: 10 });
      assert(
        again.results.findIndex((row) => row.id === alone.id) <
          again.results.findIndex((row) => row.id === far.id),
      );
    });

    it('[S-3] filters apply before anything is cut: one of many projects, one of many chains', async () => {
      const memory = await engine.openFast();
      for (let n = 0; n < 150; n++) {
        await memory.mem.save({
          title: `deploy ${n}`,
          content: `deploy token number ${n}`,
          project: 'other',
        });
      }
      const mine = await memory.mem.save({
        title: 'x',
        content: `deploy ${'and '.repeat(40)}`,
        project: 'mine',
      });
      for (const found of [
        (await memory.search({ query: 'deploy token', project: 'mine' })).results,
        (await memory.recall({ task: 'deploy token', project: 'mine' })).entries,
      ]) {
        assert.deepEqual(
          found.map(({ id }) => id),
          [String(mine.id)],
        );
      }
      for (let n = 0; n < 120; n++)
        await memory.mama.save({ topic: 'cache', decision: `The cache holds ${n}` });
      const other = await memory.mama.save({
        topic: 'other',
        decision: `The cache ${'and much else '.repeat(9)}`,
      });
      const { results, more } = await memory.search({ query: 'cache' });
      assert.deepEqual(
        [results.map(({ id }) => id).includes(other.id), results.length, more],
        [true, 2, false],
      );
      const { total, results: rows } = await memory.mama.search({ query: 'cache' });
      assert.deepEqual([total, rows.filter((row) => row.is_current).length], [2, 2]);
    });

    it('[S-3] of the checkpoints only the newest is an answer', async () => {
      const memory = await engine.open();
      await memory.mama.save({ type: 'checkpoint', summary: 'login half done' });
      await memory.mama.save({ type: 'checkpoint', summary: 'login done' });
      const { results } = await memory.search({ query: 'login' });
      assert.deepEqual(
        results.map(({ text }) => text),
        ['login done'],
      );
    });

    it('[S-3] [T-18] what somebody else left is found by its words, though another checkpoint is newer', async () => {
      const place = engine.place();
      const kim = await openMemory({ ...place, writer: { author: 'Kim' } });
      await kim.mama.save({ type: 'checkpoint', summary: 'waitlist: expiry begun' });
      await kim.mama.save({ type: 'checkpoint', summary: 'waitlist: expiry half done' });
      await kim.close();
      const lee = await openMemory({ ...place, writer: { author: 'Lee' } });
      await lee.mama.save({ type: 'checkpoint', summary: 'billing done' });
      const { entries } = await lee.recall({ task: 'the waitlist expiry' });
      assert.deepEqual(
        entries.map(({ text }) => text),
        ['waitlist: expiry half done'],
      );
      await lee.close();
    });

    it('[S-3] a decision is found by the words of its evidence alone', async () => {
      const memory = await engine.open();
      const { cookies } = await furnish(memory);
      const { results } = await memory.mama.search({ query: '주입' });
      assert.deepEqual([results[0]?.id, results[0]?.similarity], [cookies.id, 1]);
    });
  });
}
