import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { estimateTokens } from '../../src/domain/text/tokens.ts';
import { forModel, type Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';

const WAYS = ['search', 'mama_search', 'mem_search', 'recall'] as const;
type Way = (typeof WAYS)[number];

/** What a model is given: whole answers, names, and what is said before. */
interface Given {
  note?: string;
  answered?: false;
  whole: Record<string, unknown>[];
  names: string[];
  others: string[];
  others_named?: string;
  total?: number;
}

async function ask(memory: Memory, way: Way, query: string, more: object = {}): Promise<Given> {
  const input = way === 'recall' ? { task: query, ...more } : { query, ...more };
  const { entries, results, ...given } = forModel(way, await memory.call(way, input));
  return { names: [], others: [], ...given, whole: (entries ?? results ?? []) as Given['whole'] } as Given;
}

/** Saves each in a session of its own: what is saved next to a record would lift it. */
async function save(memory: Memory, topic: string, decision: string, more: object = {}) {
  const { id } = await memory.call('mama_save', { topic, decision, ...more }, { session: topic });
  return id as string;
}
const note = (memory: Memory, title: string, content: string) =>
  memory.call('mem_save', { title, content }, { session: title });

/** Many records that all answer "invoices by mail". */
async function furnish(memory: Memory, count = 12) {
  for (let n = 0; n < count; n += 1) {
    await save(memory, `billing:rule-${n}`, `Invoices go out by mail, as rule ${n} of the department says`);
    await note(memory, `Invoices by mail, case ${n}`, `Case ${n} of invoices that came back by mail`);
  }
}

/** What a search gives whole, and what by name; and what it says where it has no answer. */
export function wholeAndNames(engine: EngineUnderTest): void {
  describe('whole answers and names', () => {
    it('[RE-7] a whole answer has the sentence that says what was rejected, what failed, or what is asked', async () => {
      const memory = await engine.open();
      const filler = 'The team of the depot looked at several ways to print labels for a week. '.repeat(6);
      const rejected = 'Rejected: ZPL over raw sockets, because two depots lost a day of parcels.';
      const asked = 'Thermal paper curls above 30 degrees.';
      await save(memory, 'depot:labels', 'Labels are printed from PDF', {
        reasoning: `${filler}${rejected} ${filler}${asked} ${filler}`,
      });
      for (const way of WAYS.filter((each) => each !== 'mem_search')) {
        const [found] = (await ask(memory, way, 'labels of the depot: does thermal paper curl')).whole;
        const why = String(found?.why);
        assert(why.includes(rejected) && why.includes(asked), `${way}: ${why}`);
        assert.match(why, /… .*… \[decision_get has all\]$/);
        assert(why.length < 350, why);
      }
      const lesson = `${filler}${filler}거절: the spool must never be shared between depots.`;
      await memory.call('mama_update', { id: 'depot:labels', outcome: 'failed', reason: lesson });
      for (const way of WAYS.filter((each) => each !== 'mem_search')) {
        const [found] = (await ask(memory, way, 'labels printed')).whole;
        assert.match(String(found?.outcome_warning), /never be shared between depots/, way);
      }
    });

    it('[RE-7] an answer that the limit or the room for names cuts says how to get the rest', async () => {
      const memory = await engine.open();
      await furnish(memory);
      const leftOut = async (way: Way | 'search' | 'memo_list', input: object) => {
        const field = way === 'recall' ? 'task' : 'query';
        const question = way === 'memo_list' ? {} : { [field]: 'invoices by mail' };
        return forModel(way, await memory.call(way, { ...question, ...input })).left_out;
      };
      const more = 'more: set limit (at most 50), or ask in narrower words';
      for (const way of ['mama_search', 'mem_search', 'search'] as const) {
        assert.equal(await leftOut(way, { limit: 5 }), more, way);
        assert.equal(await leftOut(way, { limit: 30 }), undefined, way);
        if (way !== 'search') assert.equal(await leftOut(way, { limit: 2, query: undefined }), more, way);
      }
      for (const n of [1, 2])
        await memory.call('memo_save', { fullText: `Memo ${n}`, keywords: [`memo ${n}`] });
      assert.equal(await leftOut('memo_list', { limit: 1 }), 'more: raise limit');
      assert.equal(await leftOut('memo_list', {}), undefined);
      assert.match(
        String(await leftOut('recall', { token_budget: 400 })),
        /: raise token_budget, or search$/,
      );
    });

    it('[RE-7] the active version has the whole reason for which an earlier one failed', async () => {
      const memory = await engine.open();
      const lesson = `${'Two couriers held one slot for a whole afternoon. '.repeat(6)}From now on every hold ends after 90 s.`;
      const id = await save(memory, 'courier:slot', 'A slot is held by a lock of its row');
      await memory.call('mama_update', { id, outcome: 'failed', reason: lesson });
      await save(memory, 'courier:slot', 'A slot is held in the queue of the courier');
      for (const way of WAYS.filter((each) => each !== 'mem_search')) {
        const [found] = (await ask(memory, way, 'queue of the courier slot')).whole;
        assert(String(found?.earlier_failure).includes(lesson), `${way}: ${found?.earlier_failure}`);
      }
    });

    it('[RE-7] recall reads a wording on each line as one question, and numbered items as steps', async () => {
      const memory = await engine.open();
      await save(memory, 'ward:beds', 'A bed of the ward is assigned by the charge nurse alone');
      await save(memory, 'ward:transfer', 'Patients move between wards after the evening round');
      await save(memory, 'ward:night', 'The pager is carried by one nurse at night', { strength: 'lock' });
      await save(memory, 'menu:diet', 'The kitchen prints the diet of a patient on each tray');
      const lines = [
        'assigning a free bed of the ward to patients who arrive late after surgery in another hospital',
        'nurse with a pager',
        'diet printed on a tray',
      ];
      const topics = async (task: string) =>
        (await ask(memory, 'recall', task)).whole.map(({ topic }) => topic);
      const wordings = lines.slice(0, 2).join('\n');
      assert.equal((await topics(wordings))[0], 'ward:beds');
      const steps = lines.map((line, at) => `${at + 1}. ${line}`).join('\n');
      assert((await topics(steps)).includes('menu:diet'), String(await topics(steps)));
    });

    it('[RE-7] three answers are whole, the others are names of at most 400 tokens', async () => {
      const memory = await engine.open();
      await furnish(memory, 30);
      for (const way of WAYS) {
        const { whole, names, answered } = await ask(memory, way, 'invoices by mail');
        assert.deepEqual([whole.length, answered], [3, undefined], way);
        assert(names.length >= 12, `${way}: ${names.length}`);
        assert(estimateTokens(JSON.stringify(names)) <= 402, way);
        for (const each of whole) assert.equal(typeof each.similarity, 'number', way);
        for (const name of names)
          assert.match(
            name,
            /^(?:[0-9a-f]{8,} billing:rule-\d+: Invoices go out|#\d+ Invoices by mail)/,
            way,
          );
      }
      const [first] = (await ask(memory, 'mama_search', 'invoices by mail')).whole;
      for (const field of ['id', 'topic', 'decision', 'similarity', 'created_at', 'outcome', 'edges'])
        assert(first && field in first, `[G-5] ${field}`);
    });

    it('[RE-7] a name has at most 14 tokens of words, and a mark before it; without a topic its words', async () => {
      const memory = await engine.open();
      const ids = {
        failed: await save(
          memory,
          'a:failed',
          'The greenhouse is heated by a stove that burns wood and straw from our own fields',
        ),
        withdrawn: await save(memory, 'a:withdrawn', 'The greenhouse is heated by the sun alone'),
        replaced: await save(memory, 'a:replaced', 'The greenhouse is heated by oil'),
        lock: await save(memory, 'a:lock', 'The greenhouse is heated by day', { strength: 'lock' }),
        axis: await save(memory, 'a:axis', 'The greenhouse is heated gently', { strength: 'axis' }),
      };
      await memory.mama.update({ id: ids.failed, outcome: 'failed', reason: 'It smoked' });
      const ended = { id: ids.withdrawn, withdrawn: true, reasoning: 'Nobody wants it' };
      ids.withdrawn = (await memory.decision.revise(ended)).decision.id;
      await save(memory, 'a:replaced', 'The greenhouse is heated by gas');
      const { decision } = await memory.decision.save({ text: 'The greenhouse is heated, no word more' });
      const query = 'how is the greenhouse heated, by oil or wood';
      const all = await memory.mama.search({ query, limit: 20 });
      const names = new Map<string, string>();
      // Each may be among the whole ones: as if it came after them.
      const { results } = all;
      for (const row of results) {
        const pad = results.filter(({ id }) => id !== row.id).slice(0, 3);
        const told = forModel('mama_search', { ...all, results: [...pad, row] }) as unknown as Given;
        names.set(row.id, told.names[0] ?? '');
      }
      const nameOf = (id: string) => names.get(id)?.replace(/[0-9a-f]{8,}/, 'ID');
      assert.match(nameOf(ids.failed) ?? '', /^✗ ID a:failed: The greenhouse is heated by a stove that .*…$/);
      assert.match(nameOf(ids.withdrawn) ?? '', /^⊘ ID a:withdrawn: The greenhouse is heated by the sun/);
      assert.equal(nameOf(ids.replaced), '↩ ID a:replaced: The greenhouse is heated by oil');
      assert.equal(nameOf(ids.lock), 'lock ID a:lock: The greenhouse is heated by day');
      assert.equal(nameOf(ids.axis), 'axis ID a:axis: The greenhouse is heated gently');
      assert.equal(nameOf(decision.id), 'ID The greenhouse is heated, no word more');
      for (const name of names.values())
        assert(countTokens(name.replace(/^.*?[0-9a-f]{8,} (?:a:\w+: )?/, '')) <= 14, name);
    });

    it('[RE-7] limit and cursor count whole ones and names together', async () => {
      const memory = await engine.open();
      await furnish(memory);
      for (const way of ['search', 'mama_search', 'mem_search'] as const) {
        const query = 'invoices by mail';
        const { whole, names } = await ask(memory, way, query, { limit: 5 });
        assert.deepEqual([whole.length, names.length], [3, 2], way);
        const first = await memory.call(way, { query, limit: 5 });
        const next = await memory.call(way, { query, limit: 5, cursor: first.next_cursor });
        const both = await memory.call(way, { query, limit: 10 });
        assert.deepEqual([...(first.results as object[]), ...(next.results as object[])], both.results, way);
      }
    });

    it('[RE-7] names end where closeness falls under a third of the best', async () => {
      const memory = await engine.open();
      await save(memory, 'sea:harbour', 'Harbour pilots board at the outer buoy');
      for (let n = 0; n < 4; n += 1) await save(memory, `sea:near-${n}`, `Harbour pilots board ship ${n}`);
      for (let n = 0; n < 8; n += 1)
        await save(
          memory,
          `land:far-${n}`,
          `A board of ${n} people meets on Mondays and talks of many things`,
        );
      const { whole, names } = await ask(memory, 'mama_search', 'harbour pilots board');
      assert.deepEqual([whole.length, names.length], [3, 2], names.join());
    });

    it('[RE-7] an earlier version that answers is named as replaced, wherever the newest stands', async () => {
      const memory = await engine.open();
      await save(memory, 'queue:engine', 'RabbitMQ carries the jobs of the nightly export');
      await save(memory, 'queue:engine', 'Kafka moves everything');
      for (const way of ['search', 'recall'] as const) {
        const { names } = await ask(memory, way, 'RabbitMQ for the jobs of the nightly export');
        assert.match(names[0] ?? '', /^↩ [0-9a-f]{8,} queue:engine: RabbitMQ carries the jobs/, way);
      }
      // Also where the newest answers better than it: what was decided first is asked in the words of both.
      await save(memory, 'queue:engine', 'Kafka carries the jobs: RabbitMQ lost some of the nightly export');
      for (const way of ['search', 'recall'] as const) {
        const { whole, names } = await ask(memory, way, 'Kafka or RabbitMQ: what carries the jobs');
        assert.match(JSON.stringify(whole[0]), /Kafka carries the jobs/, way);
        assert.match(names[0] ?? '', /^↩ [0-9a-f]{8,} queue:engine: RabbitMQ carries the jobs/, way);
      }
    });

    it('[RE-7] recall tells the words of the rules and failures that no entry shows, the nearest first', async () => {
      const memory = await engine.open();
      const agent = { client: 'claude-code 2.1' };
      const rule = (topic: string, decision: string, more: object = {}, writer: object = agent) =>
        memory.call(
          'mama_save',
          { topic, decision, strength: 'lock', ...more },
          { session: topic, ...writer },
        );
      await rule('files:named', 'Generated code is never touched', { files: 'src/gen/**' });
      await rule('old:agent', 'Keys rotate each spring');
      await rule(
        'hint:named',
        'The blue one stays closed until the man from the insurance has looked into each of its drawers',
        { hints: ['open cabinet seven'] },
      );
      await rule('법:보관', '영수증은 오 년 동안 보관한다');
      await rule('pay-web:colour', 'Buttons are green');
      await rule('old:person', 'Nobody deploys alone', {}, { client: 'cli' });
      await rule('new:agent', 'Dates are written in full');
      const { id } = await memory.call(
        'mama_save',
        { topic: 'mail:burst', decision: 'Mails go out at once', reasoning: 'Simple' },
        { session: 'f', ...agent },
      );
      await memory.call('mama_update', { id, outcome: 'failed', reason: 'The provider blocked us' });
      const task = 'open the cabinet number seven and change src/gen/api.ts';
      const { others, whole } = await ask(memory, 'recall', task, { domain: 'pay', token_budget: 1_500 });
      const topics = others.map((line) => /[0-9a-f]{8,} ([^ ]+): /.exec(line)?.[1]);
      // A hint finds its rule; a file, another language, the domain's neighbour, a person's, then the newest.
      assert.deepEqual(
        whole.map(({ topic }) => topic),
        ['hint:named'],
      );
      assert.deepEqual(topics, [
        'files:named',
        '법:보관',
        'pay-web:colour',
        'old:person',
        'mail:burst',
        'new:agent',
        'old:agent',
      ]);
      assert.match(others.join('\n'), /lock [0-9a-f]+ old:agent: Keys rotate each spring$/m);
      // Reasons come after all words.
      assert.match(
        others.join('\n'),
        /✗ [0-9a-f]+ mail:burst: Mails go out at once — The provider blocked us$/m,
      );
      // What the asker knows comes as a topic.
      const known = await ask(memory, 'recall', task, { known: [id] });
      assert(!known.others.join().includes('Mails go out'));
      assert.match(known.others_named ?? '', /^mail:burst: decision_get/);
      // But for what a hint or a file names.
      const named = others.find((line) => line.includes('files:named')) as string;
      const ids = others.map((line) => /([0-9a-f]{8,}) /.exec(line)?.[1] as string);
      const all = await Promise.all(ids.map(async (id) => (await memory.decision.get({ id })).decision.id));
      const again = await ask(memory, 'recall', task, { domain: 'pay', token_budget: 1_500, known: all });
      assert.deepEqual(
        again.others.map((line) => line.split(' — ')[0]),
        [named.split(' — ')[0]],
      );
      // What an entry shows is not told again.
      const found = await ask(memory, 'recall', 'may keys rotate each spring');
      assert.match(JSON.stringify(found.whole), /Keys rotate each spring/);
      assert(!found.others.join().includes('Keys rotate'));
    });

    it('[RE-7] where something was found they take at most half of the budget; what has no room is named, then counted', async () => {
      const memory = await engine.openFast();
      for (let n = 0; n < 60; n += 1)
        await save(memory, `area-${n}:rule`, `Machine ${n} is oiled by hand on the first day of the month`, {
          strength: 'lock',
        });
      await save(memory, 'ui:font', 'The page uses one serif font');
      const ofOthers = ({ others, others_named = '' }: Given) =>
        estimateTokens(JSON.stringify(others)) + estimateTokens(others_named);
      const found = await ask(memory, 'recall', 'the serif font of the page');
      assert.equal(found.whole.length, 1);
      assert(ofOthers(found) <= 750, String(ofOthers(found)));
      const count = /(\d+) more/.exec(found.others_named ?? '')?.[1];
      const named = found.others_named?.split(/[,;] /).filter((each) => each.startsWith('area-')).length ?? 0;
      assert.equal(found.others.length + named + Number(count), 60);
      const none = await ask(memory, 'recall', 'giraffes');
      assert(ofOthers(none) > 750, String(ofOthers(none)));
    });
  });

  describe('an answer that says no', () => {
    it('[RE-8] says how much was looked at, in which languages, and what could not be compared', async () => {
      const memory = await engine.open();
      await furnish(memory, 3);
      await save(memory, '운영:배포', '금요일에는 배포하지 않는다', { strength: 'lock' });
      await note(memory, '서버 시계', '시계가 어긋나면 토큰이 거절된다');
      const of = { search: 'record', recall: 'record', mama_search: 'decision', mem_search: 'note' };
      const counts = { search: 8, recall: 8, mama_search: 4, mem_search: 4 };
      for (const way of WAYS) {
        const { note: said = '', answered, whole, names } = await ask(memory, way, 'zebra giraffe okapi');
        const looked = `No ${of[way]} shares enough of these words (${counts[way]} looked at, English and Korean).`;
        assert(said.startsWith(looked), said);
        assert.match(said, /Ask in other words, with other names for it, in each language\./);
        assert.deepEqual([answered, whole, names], [false, [], []], way);
        const isNamed = way === 'search' || way === 'mama_search';
        assert.equal(said.includes('Not compared, in another language: 운영:배포.'), isNamed, said);
      }
      const { others } = await ask(memory, 'recall', 'zebra giraffe okapi');
      assert.match(others.join(), /운영:배포: 금요일에는 배포하지 않는다/, 'recall tells its words');
      // A question in both languages can be compared with a rule in either.
      await save(memory, 'run:night', 'Nobody deploys at night', { strength: 'lock' });
      for (const [query, uncompared] of [
        ['zebra giraffe', '운영:배포'],
        ['얼룩말 기린', 'run:night'],
        ['zebra giraffe\n얼룩말 기린', undefined],
      ] as const) {
        const { note: said = '' } = await ask(memory, 'mama_search', query);
        assert.equal(/Not compared, in another language: ([^.]*)\./.exec(said)?.[1], uncompared, said);
      }
    });

    it('[RE-8] gives nothing whole where the best is weak: at most ten names', async () => {
      const memory = await engine.open();
      await furnish(memory, 30);
      const question = 'which wallpaper charts giraffes of the department in the mobile dashboard by mail';
      for (const way of WAYS) {
        const { note: said = '', answered, whole, names } = await ask(memory, way, question);
        assert.deepEqual([answered, whole.length, names.length], [false, 0, 10], `${way}: ${said}`);
        assert.match(said, /^No (record|decision|note) shares enough of these words .* Nearest names:$/, way);
      }
    });

    it('[RE-8] only what is empty is called empty; what other kinds have is counted', async () => {
      const memory = await engine.open();
      for (const way of WAYS) {
        const { note: said } = await ask(memory, way, 'seats of the cinema');
        assert.match(said ?? '', /^No (record|decision|note) is recorded yet\.$/, way);
      }
      await note(memory, 'Seats of the cinema', 'The seats of the cinema are counted twice');
      await note(memory, 'Cinema seats', 'The seats of the cinema squeak');
      await memory.memo.save({ fullText: 'The seats of the cinema are red', keywords: ['seats', 'cinema'] });
      const query = 'seats of the cinema';
      const empty = await ask(memory, 'mama_search', query);
      assert.equal(empty.note, 'No decision is recorded yet. 2 notes and 1 memo share these words: recall.');
      await save(memory, 'snack:price', 'Popcorn costs the same everywhere');
      const other = await ask(memory, 'mama_search', query);
      const said =
        'No decision shares enough of these words (1 looked at, English). 2 notes and 1 memo do: recall. Ask in other words, with other names for it.';
      assert.equal(other.note, said);
      // Where something answers, other kinds are not asked.
      assert.equal((await ask(memory, 'mem_search', query)).note, undefined);
      assert.equal((await memory.mem.search({ query })).looked, undefined);
      // A listing says the same.
      const { looked } = await memory.mama.search({ outcome_filter: 'failed' });
      assert.deepEqual(
        [looked?.records, looked?.unfiltered, looked?.there],
        [0, 1, ['pending 1']],
        JSON.stringify(looked),
      );
    });

    it('[RE-8] what has a colon and is no filter, as a topic, is not said to leave anything out', async () => {
      const memory = await engine.open({ writer: { author: 'Kim Lee <kim@example.com>' } });
      await save(memory, 'snack:price', 'Popcorn costs the same everywhere');
      for (const query of ['gate:closing', '"scope:gate" closing']) {
        const { answered, looked } = await memory.search({ query });
        assert.deepEqual([answered, looked?.records, looked?.filter], [false, 1, undefined], query);
      }
      const { looked } = await memory.search({ query: 'by:"Kim Lee" closing' });
      assert.equal(looked?.filter, 'by "Kim Lee"');
    });

    it('[RE-8] a filter that excludes what answers says so, and names what there is', async () => {
      const memory = await engine.open({ writer: { author: 'Kim <kim@example.com>' } });
      await memory.mama.save({
        topic: 'seat:hold',
        decision:
          'A seat is held automatically while another person decides. Then whoever asks next may have it',
        date: '2024-03-01',
      });
      await save(memory, 'snack:price', 'Popcorn costs the same everywhere');
      await memory.mem.save({
        title: 'Seat held',
        content: 'A seat is held twice',
        project: 'app',
        type: 'bugfix',
      });
      await memory.mem.save({ title: 'Popcorn', content: 'Popcorn is salted', project: 'web' });
      const query = 'how long is a seat held';
      for (const [way, filter, said] of [
        [
          'mama_search',
          { domain: 'snack' },
          /Left out by domain "snack": [0-9a-f]+ seat:hold: A seat is held/,
        ],
        [
          'mama_search',
          { domain: 'snak' },
          /^No decision passes domain "snak" \(2 without it; there are snack 1, seat 1\)/,
        ],
        [
          'mama_search',
          { outcome_filter: 'failed' },
          /passes outcome_filter "failed" \(2 without it; there are pending 2\)/,
        ],
        ['mama_search', { since: '2025' }, /\(1 looked at.*Left out by since "2025": [0-9a-f]+ seat:hold/],
        ['mem_search', { project: 'web' }, /Left out by project "web": #1 Seat held/],
        ['mem_search', { type: 'pattern' }, /passes type "pattern" \(2 without it; there are .*bugfix 1/],
        [
          'search',
          { scope: 'snack' },
          /Left out by scope "snack": [^;]+seat:hold.*; #1 Seat held|Left out by scope "snack": #1 Seat held; [^;]+seat:hold/,
        ],
      ] as const) {
        const { note: told = '', answered } = await ask(memory, way, query, filter);
        assert.equal(answered, false);
        assert.match(told, said);
        assert.doesNotMatch(told, /is recorded yet|……/);
      }
    });
  });
}
