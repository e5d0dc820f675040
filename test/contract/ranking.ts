import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forModel, type Memory } from '../../src/index.ts';
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

    it('[Q-7] what was decided against is found, behind what is active and answers as well, and says so first', async () => {
      const memory = await engine.open();
      const save = async (topic: string, decision: string) =>
        (await memory.mama.save({ topic, decision, reasoning: `It fits ${topic.replace(':', ' ')}` })).id;
      const withdrawn = await save('api:graphql', 'The public API of the shop is GraphQL');
      await memory.decision.revise({ id: withdrawn, withdrawn: true, reasoning: 'Caches cannot read it' });
      const failed = await save('api:soap', 'Partners call the shop over SOAP');
      await memory.mama.update({ id: failed, outcome: 'failed', reason: 'Nobody has a client' });
      await save('ui:theme', 'Buttons are blue at noon');
      await save('ui:theme', 'Colours follow the system');
      for (const area of ['docs', 'edge', 'jobs']) await save(`api:${area}`, `The shop has a public ${area}`);
      const first = async (query: string) => {
        const { results } = await memory.mama.search({ query });
        const told = [
          forModel('mama_search', { results, total: 1 }).results,
          forModel('search', await memory.search({ query })).results,
        ].map((rows) => JSON.stringify((rows as object[])[0]));
        return { topic: results[0]?.topic, told, rows: results };
      };
      const graphql = await first('have we considered GraphQL for the public API of the shop?');
      assert.equal(graphql.topic, 'api:graphql');
      const soap = await first('SOAP for partners');
      for (const [found, said] of [
        [graphql.told, /withdrawn/],
        [soap.told, /outcome: failed/],
      ] as const)
        for (const told of found) assert(told.search(said) < told.indexOf('"decision":'), told);
      const { rows } = await first('buttons blue');
      const replaced = JSON.stringify(forModel('mama_search', { results: rows.slice(1), total: 1 }));
      assert.match(replaced, /"topic":"ui:theme","is_current":false,"decision":"Buttons/);

      await save('public:graphql', 'The public API of the shop is GraphQL');
      const again = await first('GraphQL for the public API of the shop');
      assert.deepEqual(
        again.rows.slice(0, 2).map(({ topic }) => topic),
        ['public:graphql', 'api:graphql'],
      );
    });

    it('finds what a mistyped word means when no record has that word, and the word itself when one has', async () => {
      const memory = await engine.open();
      const save = async (title: string) => (await memory.mem.save({ title, content: title })).id;
      const deployment = await save('The deployment of the gateway');
      await save('The kitchen opens at noon');
      for (const query of ['deploymnet', 'gatway', 'Deplyoment gateway'])
        assert.deepEqual(await found(memory, query), [deployment], query);
      assert.deepEqual(await found(memory, 'xeployment'), [], 'the first letter is as it was typed');
      const other = await save('A gatway with one letter less');
      assert.deepEqual(await found(memory, 'gatway'), [other]);
    });

    it('[T-8] no word is read as one that no record has, though it has the stem of a word there', async () => {
      const memory = await engine.open();
      const save = async (title: string) => (await memory.mem.save({ title, content: title })).id;
      for (const title of ['We intercept each request', 'Parts are supplied by two mills', 'Closed at night'])
        await save(title);
      for (const query of ['interceptor', 'suppliers', 'nightly']) {
        const { results, read_as } = await memory.mem.search({ query });
        assert.deepEqual([results.length, read_as], [0, undefined], query);
      }
      const suppliers = await save('The suppliers are in Busan');
      const { results, read_as } = await memory.mem.search({ query: 'supplers' });
      assert.deepEqual([results[0]?.id, read_as], [suppliers, { supplers: 'suppliers' }]);
    });

    it('a question in several wordings and two languages, in one long query, finds what its own words miss', async () => {
      const memory = await engine.open();
      const save = async (title: string) => (await memory.mem.save({ title, content: title })).id;
      const list = await save('A free slot is offered to the first of the waiting list for 15 minutes');
      const korean = await save('취소된 예약의 대기 명단은 병원별로 관리한다');
      for (const other of [
        'Somebody cancels: the fee is due',
        'Who gets paid, and what time is free of charge',
      ])
        for (let n = 0; n < 5; n++) await save(`${other}, case ${n}`);
      const question = 'Somebody cancels, who gets the freed time?';
      assert(!(await found(memory, question)).slice(0, 3).some((id) => id === list || id === korean));
      const wordings = [
        'How is a slot of the waiting list offered when an appointment is given up, and for how many minutes?',
        'Is there a queue of patients for a free slot, or is it offered to all of them at once?',
        '예약이 취소되면 빈 시간은 대기 명단의 누구에게 먼저 가나, 병원별로 다른가',
      ];
      const { results, answered } = await memory.mem.search({ query: [question, ...wordings].join('\n') });
      const ids = results.map(({ id }) => id);
      assert.deepEqual([new Set(ids.slice(0, 2)), answered], [new Set([list, korean]), undefined]);
    });

    it('log in and login, set up and setup find each other, and no log and no set before', async () => {
      const memory = await engine.open();
      const save = async (title: string) => (await memory.mem.save({ title, content: title })).id;
      const logs = await save('Logs are kept for thirty days');
      await save('Sets of users are kept in memory');
      const login = await save('People log in with a passkey');
      const setup = await save('The cluster is set up by Ansible');
      for (const query of ['login', 'how do people log in', 'logging in', 'who logged in'])
        assert.equal((await found(memory, query))[0], login, query);
      for (const query of ['setup', 'setting up the cluster', 'set up'])
        assert.equal((await found(memory, query))[0], setup, query);
      assert.equal((await found(memory, 'logs'))[0], logs);
    });

    it('finds an identifier by its words, and words by the identifier', async () => {
      const memory = await engine.open();
      const save = async (title: string, content: string) => (await memory.mem.save({ title, content })).id;
      const camel = await save('lookup', 'getUserById answers within 250ms, in SvelteKit');
      const snake = await save('lookup', 'get_user_by_id is slow');
      await save('kitchen', 'It opens at noon');
      assert.deepEqual(new Set(await found(memory, 'user by id')), new Set([camel, snake]));
      assert.deepEqual(await found(memory, 'getUserById'), [camel, snake]);
      for (const query of ['250', 'svelte kit']) assert.deepEqual(await found(memory, query), [camel], query);
    });
  });
}
