import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

async function startOf(memory: Memory) {
  const { start } = await memory.briefing.get({ at: 'start' });
  assert(start);
  return start;
}

/** What hooks tell agents unasked, as operations: a hook of another machine asks a server for it. */
export function briefing(engine: EngineUnderTest): void {
  describe('briefing', () => {
    it('[A-2] of what failed for no reason that was given, the reason of the decision is not named as that of its failure', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({ topic: 'p', decision: 'Poll', reasoning: 'Simple to do' });
      await memory.mama.update({ id, outcome: 'failed' });
      assert.match(JSON.stringify((await startOf(memory)).failed), /why “Simple to do”/);
      await memory.mama.update({ id, outcome: 'failed', reason: 'Too many requests' });
      assert.match(JSON.stringify((await startOf(memory)).failed), /failed because “Too many requests”/);
    });

    it('[A-2] [H-1] a start tells what binds, what failed and where work stood, as lines with their ids', async () => {
      const memory = await engine.open();
      const none = await startOf(memory);
      assert.deepEqual(
        [none.rules, none.scopes, none.failed, none.checkpoint, none.topics],
        [[], [], [], null, []],
      );
      const axis = await memory.mama.save({
        topic: 'all:utc',
        decision: 'Times are UTC',
        scope: 'global',
        strength: 'axis',
      });
      const { id } = await memory.mama.save({ topic: 'auth:token', decision: 'JWT' });
      // Neither what worked, nor what failed long ago, nor a mistake.
      const worked = await memory.mama.save({ topic: 'ui:colour', decision: 'Blue' });
      await memory.mama.update({ id: worked.id, outcome: 'success' });
      const [date, outcome] = ['2024-01-01', 'failed'] as const;
      const old = await memory.mama.save({ topic: 'ui:old', decision: 'Frames', date });
      await memory.mama.update({ id: old.id, outcome, reason: 'Nobody has them', date });
      const mistake = await memory.mama.save({ topic: 'ui:mistake', decision: 'Flash' });
      await memory.undo();
      await memory.mama.update({ id: mistake.id, outcome, reason: 'It was never meant' });
      await memory.mama.save({ type: 'checkpoint', summary: 'Long ago', date });
      assert.equal((await startOf(memory)).checkpoint, null);
      for (const reason of ['Too large', 'A script could read it'])
        await memory.mama.update({ id, outcome: 'failed', reason });
      const point = await memory.mama.save({ type: 'checkpoint', summary: 'Half of it' });
      const lock = { decision: '케이블은 90도에서 끊는다', strength: 'lock' } as const;
      for (const topic of ['safety:cable <b>', 'all:keys'])
        await memory.mama.save({ ...lock, topic, scope: topic === 'all:keys' ? 'global' : 'safety' });
      const start = await startOf(memory);
      assert.deepEqual(
        start.rules.map(({ name, everywhere, scope }) => [name, everywhere, scope]),
        [
          ['[axis] all:utc', true, 'global'],
          ['[lock] all:keys', true, 'global'],
          ['[lock] safety:cable ‹b›', false, 'safety'],
        ],
      );
      assert.deepEqual(start.scopes, [
        { scope: 'global', count: 2 },
        { scope: 'safety', count: 1 },
      ]);
      assert.deepEqual([start.failures, start.failed.map(({ id }) => id)], [1, [id]]);
      assert.deepEqual([start.topics, start.decided], [['ui:colour'], 1]);
      assert.equal(start.rules[0]?.id, axis.id);
      assert.equal(start.rules[0]?.line, '- [axis · unreviewed · global] all:utc: “Times are UTC”');
      assert.equal(start.failed[0]?.line, '- [FAILED] auth:token: “JWT”');
      assert.equal(start.failed[0]?.why, 'failed because “A script could read it”');
      assert.equal(start.checkpoint?.id, point.id);
    });

    it('[A-2] [H-1] a prompt, or its words, is told what is telling and what it asks for', async () => {
      const memory = await engine.open({ writer: { author: 'Kim', client: 'a' } });
      const { id } = await memory.mama.save({
        topic: 'auth:token',
        decision: 'The login token is kept in a cookie of the browser',
      });
      await memory.mama.save({ topic: 'ui:colour', decision: 'Blue' });
      const prompt = 'Where is the login token kept in the browser?';
      const told = await memory.briefing.get({ at: 'prompt', prompt });
      assert.deepEqual(
        told.facts.map((fact) => fact.id),
        [id],
      );
      const words = await memory.briefing.get({ at: 'prompt', words: ['login', 'token', 'browser'] });
      assert.deepEqual(words.facts, told.facts);
      for (const name of [id.slice(0, 8), id, 'auth:token@1']) {
        const { facts } = await memory.briefing.get({ at: 'prompt', words: [], names: [name] });
        assert.deepEqual(
          facts.map((fact) => fact.id),
          [id],
          name,
        );
      }
      assert.deepEqual((await memory.briefing.get({ at: 'prompt', prompt: 'go on' })).facts, []);
      assert.equal(
        (await memory.briefing.get({ at: 'prompt', prompt: 'note this down as a memo' })).trigger,
        'memo',
      );
      const more = () => memory.briefing.get({ at: 'prompt', words: [], trigger: 'expand' });
      assert.equal((await more()).trigger, null, 'there is no memo yet');
      await memory.memo.save({ fullText: 'm', keywords: ['unity'] });
      assert.equal((await more()).trigger, 'expand');
      await refuses(
        memory.briefing.get({ at: 'error' }),
        'invalid',
        '"lines" with at "error"; it is missing',
      );
      await refuses(memory.briefing.get({ at: 'start', prompt }), 'invalid', 'belong to at "prompt"');
      for (const input of [{}, { prompt, words: ['login'] }])
        await refuses(
          memory.briefing.get({ at: 'prompt', ...input }),
          'invalid',
          'Expected "prompt" or "words"',
        );
    });

    it('[T-1] a rule is quoted whole; one that is too long is cut with "…", and what matches is in it', async () => {
      const memory = await engine.open();
      const text = 'Redis may be used for rate limits. It must never hold bookings';
      await memory.mama.save({ topic: 'cache:redis', decision: text, strength: 'lock' });
      const told = async (prompt: string) =>
        (await memory.briefing.get({ at: 'prompt', prompt })).facts.map(({ line }) => line);
      for (const line of await told('Shall we keep the bookings in Redis for speed?'))
        assert.match(line, /“Redis may be used for rate limits\. It must never hold bookings”/);
      const korean = '예약 API는 전부 REST로 만든다. GraphQL은 쓰지 않는다';
      await memory.mama.save({ topic: 'api:style', decision: korean, strength: 'axis', scope: 'global' });
      assert.match((await startOf(memory)).rules[0]?.line ?? '', new RegExp(`“${korean}”`));
      const long = `${'The order of the columns follows the table of the database. '.repeat(12)}Exports never hold the zebra column of customers.`;
      await memory.mama.save({ topic: 'export:columns', decision: long, strength: 'lock' });
      const [line = ''] = await told('Add the zebra column of customers to the exports');
      assert.match(line, /“… Exports never hold the zebra column of customers\.”/);
      assert.equal(
        (await told('Which order follows the columns of the database table in an export?')).length,
        1,
      );
    });

    it('[T-11] words of a program ask for no memo, and the lock that such a prompt breaks is told', async () => {
      const memory = await engine.open();
      await memory.memo.save({ fullText: 'm', keywords: ['unity'] });
      for (const [topic, decision] of [
        ['legal:privacy', '주민등록번호는 어디에서도 받지 않는다'],
        ['booking:standing', 'Standing tickets are never oversold'],
      ] as const)
        await memory.mama.save({ topic, decision, strength: 'lock' });
      for (const [prompt, lock] of [
        ['저장 버튼을 누르면 폼을 닫아줘'],
        ['save the form when the user leaves'],
        ['what is saved in slot_holds?'],
        ['주민등록번호 전체를 저장하는 칼럼을 추가해줘', 'legal:privacy'],
        ['allow a few standing tickets more than the hall has', 'booking:standing'],
      ] as const) {
        const { trigger, facts } = await memory.briefing.get({ at: 'prompt', prompt });
        const told = facts.map(({ line }) => /^- \[lock · .*?\] (\S+): /.exec(line)?.[1]);
        assert.deepEqual([trigger, told], [null, lock ? [lock] : []], prompt);
      }
    });

    it('[F-4] [T-10] of a prompt that names a file what binds it is told first, as before an edit', async () => {
      const memory = await engine.open();
      const files = 'src/auth/**';
      await memory.mama.save({ topic: 'auth:token', decision: 'Cookies only', strength: 'lock', files });
      await memory.mama.save({ topic: 'auth:style', decision: 'Short functions', files });
      await memory.mem.save({ title: 'token.ts', content: 'src/auth/token.ts was split from login.ts' });
      const told = async (prompt: string) =>
        (await memory.briefing.get({ at: 'prompt', prompt })).facts.map(({ id, line, why }) => [
          id,
          /: “(.*?)”/.exec(line)?.[1] ?? why,
        ]);
      const [[id, lock], note] = (await told('Please shorten src/auth/token.ts a little')) as [
        string[],
        string[],
      ];
      assert.deepEqual([lock, note], ['Cookies only', ['#1', '“src/auth/token.ts was split from login.ts”']]);
      assert.deepEqual(await told('./src/auth/new.ts 를 만들어줘'), [[id, 'Cookies only']]);
      // However many bind it, what the prompt asks for comes, too.
      for (const n of ['one', 'two', 'three'])
        await memory.mama.save({ topic: `auth:${n}`, decision: `Rule ${n}`, strength: 'lock', files });
      const smtp = await memory.mama.save({ topic: 'mail:smtp', decision: 'Mail by SMTP' });
      const all = await told('Change src/auth/a.ts so that it sends with mail:smtp');
      assert.deepEqual([all.length, all.at(-1)?.[0]], [5, smtp.id]);
      assert.deepEqual(await told('Please shorten src/pay/token.ts a little'), []);
    });

    it('[T-10] the beginning of an id that nothing has tells nothing, however close another one is', async () => {
      const newId = () => crypto.randomUUID().replace(/^.{8}/, 'a1b2c3d4');
      const memory = await engine.open({ newId });
      await memory.mama.save({ topic: 'auth:token', decision: 'Cookies only' });
      const told = async (id: string) =>
        (await memory.briefing.get({ at: 'prompt', prompt: `why ${id}?` })).facts.length;
      assert.deepEqual([await told('a1b2c3d3'), await told('a1b2c3d4'), await told('a1b2c3d5')], [0, 1, 0]);
    });

    it('[T-5] a rule of everywhere that was saved twice is warned of, and told once at the start', async () => {
      const memory = await engine.open();
      const rule = { text: 'Errors fail fast', strength: 'axis', scope: 'global' } as const;
      await memory.decision.save(rule);
      const { warnings } = await memory.decision.save(rule);
      assert.match(warnings.join(), /close to the axis: “Errors fail fast”/);
      const { rules, scopes } = await startOf(memory);
      assert.equal(rules.length, 1, rules.map(({ line }) => line).join());
      assert.deepEqual(scopes, [{ scope: 'global', count: 1 }]);
    });

    it('[T-2] [T-5] of a rule that failed the start says what it is, and recall that it stands until it is replaced', async () => {
      const memory = await engine.open();
      const rule = { topic: 'api:form', decision: 'Every API is GraphQL', scope: 'global' } as const;
      const { id } = await memory.mama.save({ ...rule, strength: 'axis' });
      await memory.mama.update({ id, outcome: 'failed', reason: 'Caching was impossible' });
      const { rules, failed } = await startOf(memory);
      assert.deepEqual([rules.length, failed], [1, []]);
      assert.match(rules[0]?.line ?? '', /^- \[FAILED · axis · global\] /);
      assert.match(rules[0]?.why ?? '', /^failed because “Caching/);
      const { entries } = await memory.recall({ task: 'add an endpoint' });
      assert.deepEqual(
        entries.map(({ because, status }) => [because, status]),
        [['binds everything until it is replaced: it failed', 'failed']],
      );
    });

    it('[M-11] of the words of a prompt those that are known or repeated are recorded', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'api:pagination', decision: 'By a cursor' });
      const record = (words: string[], repeated: string[] = []) =>
        memory.briefing.record({ words, repeated, session_id: 's' });
      assert.deepEqual((await record(['zebra', 'pagination'])).recorded, ['pagination']);
      assert.deepEqual((await record(['zebra', 'okapi'], ['zebra'])).recorded, ['zebra']);
      assert.deepEqual((await record(['okapi'])).recorded, []);
      const { keywords } = await memory.keywords.record({ keywords: ['zebra', 'okapi'], sessionId: 's' });
      assert.deepEqual(keywords, [
        { name: 'zebra', visits: 2 },
        { name: 'okapi', visits: 1 },
      ]);
    });

    it('[CC-2] a hook or a check learns what holds no longer, and what replaced it', async () => {
      const memory = await engine.open();
      const save = (decision: string, topic = 'auth:ttl') => memory.mama.save({ topic, decision });
      await save('Tokens live for 10 minutes');
      await save('Tokens live for 7 minutes');
      const { id } = await save('Tokens live for 5 minutes');
      const mail = await save('Mail goes through Postfix', 'mail:smtp');
      await memory.mama.update({ id: mail.id, outcome: 'failed', reason: 'Spam' });
      await save('Pages are cached', 'page:cache');
      await memory.decision.revise({
        id: (await save('Logs are kept', 'log:days')).id,
        withdrawn: true,
        reasoning: 'Too dear',
      });
      const { corrected } = await memory.briefing.list({ kind: 'corrections' });
      assert(corrected);
      const { corrections, counts, documents } = corrected;
      const shown = corrections.map(({ topic, how, version, newest, old, next }) => [
        ...[topic, how, version, newest, old, next],
      ]);
      assert.deepEqual(shown.sort(), [
        ['auth:ttl', 'replaced', 1, 3, 'Tokens live for 10 minutes', 'Tokens live for 5 minutes'],
        ['auth:ttl', 'replaced', 2, 3, 'Tokens live for 7 minutes', 'Tokens live for 5 minutes'],
        ['log:days', 'withdrawn', 2, 2, 'Logs are kept', undefined],
        ['mail:smtp', 'failed', 1, 1, 'Mail goes through Postfix', undefined],
      ]);
      assert.equal(corrections.filter((each) => each.id === id).length, 2);
      assert.ok(documents > 0 && Object.keys(counts).length > 0);
    });
  });
}
