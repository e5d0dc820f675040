import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forModel, type Memory } from '../../src/index.ts';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { COUNT, FAILED, filledLines, OF_SCOPE, VERSIONS } from '../support/fill-pages.ts';
import { named } from '../support/named.ts';
import { inTurn, isTried, ONE_OF } from '../support/part.ts';

const SMALL = [1, 7];
const LARGE = 50;

interface Listing {
  name: string;
  operation: string;
  question: object;
  /** Every row, of a page or of several. */
  rows(page: Answer): Row[];
  /** How many rows all pages have; those that stand, where the ranking says which others are shown. */
  count: number;
}
// biome-ignore lint/suspicious/noExplicitAny: six shapes of answers, read by the names of their lists
type Answer = any;
// biome-ignore lint/suspicious/noExplicitAny: as above
type Row = any;

const results = (page: Answer): Row[] => page.results;
const links = (page: Answer): Row[] => page.links;
const decisions = (question: object, count: number, name: string): Listing => ({
  name: `mama_search ${name}`,
  operation: 'mama_search',
  question,
  rows: results,
  count,
});

const LISTINGS: Listing[] = [
  decisions({}, COUNT + FAILED, 'the newest'),
  decisions({ history: true }, VERSIONS, 'the newest versions'),
  decisions({ outcome_filter: 'failed' }, FAILED, 'the newest that failed'),
  decisions({ domain: 'ui' }, OF_SCOPE + 4, 'the newest of a scope'),
  decisions({ query: 'token 토큰' }, COUNT, 'by words'),
  decisions({ query: 'token 토큰', history: true }, VERSIONS, 'versions by words'),
  { name: 'mem_search the newest', operation: 'mem_search', question: {}, rows: results, count: COUNT + 1 },
  {
    name: 'mem_search by words',
    operation: 'mem_search',
    question: { query: '토큰' },
    rows: results,
    count: COUNT,
  },
  { name: 'search', operation: 'search', question: { query: '공통' }, rows: results, count: COUNT },
  {
    name: 'memo_list',
    operation: 'memo_list',
    question: {},
    rows: (page) => page.memos,
    count: COUNT,
  },
  {
    name: 'memo_list of a keyword',
    operation: 'memo_list',
    question: { keyword: 'even' },
    rows: (page) => page.memos,
    count: COUNT / 2,
  },
  {
    name: 'memo_list links',
    operation: 'memo_list',
    question: { view: 'links' },
    rows: links,
    count: COUNT + COUNT / 2,
  },
  {
    name: 'memo_list links of a keyword',
    operation: 'memo_list',
    question: { view: 'links', keyword: 'even' },
    rows: links,
    count: COUNT,
  },
  {
    name: 'mem_relations outgoing',
    operation: 'mem_relations',
    question: { observation_id: 1 },
    rows: (page) => page.outgoing,
    count: COUNT,
  },
  {
    name: 'mem_relations incoming',
    operation: 'mem_relations',
    question: { observation_id: 1 },
    rows: (page) => page.incoming,
    count: 20,
  },
];

/** The pages of a listing, to the end. @param between runs before each page but the first */
async function walk(
  memory: Memory,
  { operation, question }: Pick<Listing, 'operation' | 'question'>,
  limit: number,
  between?: () => Promise<unknown>,
): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let cursor: string | undefined; ; ) {
    const page: Answer = await memory.call(operation, { ...question, limit, ...(cursor && { cursor }) });
    pages.push(page);
    cursor = page.next_cursor ?? page.nextCursor;
    if (cursor === undefined) return pages;
    assert(pages.length < 1_000, 'it never ends');
    await between?.();
  }
}

/** Every listing pages with a cursor; nothing is unreachable. */
export function pages(engine: EngineUnderTest): void {
  describe('pages', () => {
    it('[W-6] pages of any size are all of a listing, once each, in one order; a foreign cursor is refused', async () => {
      const memory = await engine.openFast();
      await memory.import(await filledLines());
      const tried = LISTINGS.filter((_, index) => isTried(index));
      for (const [index, listing] of tried.entries()) {
        const { name, rows } = listing;
        const walked = [];
        for (const limit of [LARGE, ...inTurn(SMALL, index, ONE_OF)]) {
          const pages = await walk(memory, listing, limit);
          for (const page of pages) assert(rows(page).length <= limit, name);
          if (name === 'mama_search by words' && limit > 1) assertWhole(pages);
          walked.push(pages.flatMap(rows));
        }
        const [large = [], ...small] = walked;
        assert.equal(
          new Set(large.map((row) => JSON.stringify(row))).size,
          large.length,
          `${name}: once each`,
        );
        const isByWords = name === 'mama_search by words';
        const counted = isByWords ? large.filter((row) => row.is_current) : large;
        assert.equal(counted.length, listing.count, name);
        for (const each of small) assert.deepEqual(each, large, name);
      }
      await retrievesAll(memory);
      await refusesForeign(memory);
    });

    it('[W-6] what is saved between pages of the newest neither repeats nor hides anything', async () => {
      const memory = await engine.openFast();
      await memory.import(await filledLines());
      let saved = 0;
      let turn = 0;
      /** A new record of each kind, another text of one that was shown, and of one that was not. */
      const save = async () => {
        // Twice at the beginning of each walk: what the walk before saved stands on its first page.
        if (turn++ >= 2) return;
        const n = saved++;
        const waiting = 3 * n + 1;
        for (const topic of [`new:${n}`, `new:${n - 1}`, `t:${waiting}`])
          await memory.mama.save({
            topic,
            decision: `later ${n}`,
            scope: 'else',
            reasoning: 'Measured anew',
            ...(await named(memory, topic)),
          });
        for (const key of [`new${n}`, `new${n - 1}`, `k${waiting}`])
          await memory.mem.save({ title: key, content: `later ${n}`, topic_key: key });
        const id = (await memory.mem.save({ title: 'beside', content: `later still ${n}` })).id;
        await memory.mem.relate({ from_id: 1, to_id: id, relation_type: 'relates_to' });
        await memory.mem.relate({ from_id: id, to_id: 1, relation_type: 'relates_to' });
        await memory.memo.save({ fullText: `later ${n}`, keywords: ['even'] });
      };
      const identities: [string, (page: Answer) => unknown[]][] = [
        ['mama_search the newest', (page) => [...new Set(results(page).map(({ topic }) => topic))]],
        ['mama_search the newest versions', (page) => results(page).map(({ id }) => id)],
        ['mama_search the newest that failed', (page) => results(page).map(({ id }) => id)],
        ['mem_search the newest', (page) => results(page).map(({ id }) => id)],
        ['memo_list', (page) => page.memos.map(({ infoId }: Row) => infoId)],
        ['memo_list of a keyword', (page) => page.memos.map(({ infoId }: Row) => infoId)],
        ['mem_relations outgoing', (page) => page.outgoing.map(({ id }: Row) => id)],
        ['mem_relations incoming', (page) => page.incoming.map(({ id }: Row) => id)],
      ];
      for (const [name, identitiesOf] of identities) {
        const listing = LISTINGS.find((each) => each.name === name) as Listing;
        turn = 0;
        const before = (await walk(memory, listing, 50)).flatMap(identitiesOf);
        const meanwhile = (await walk(memory, listing, 9, save)).flatMap(identitiesOf);
        assert.deepEqual(meanwhile, before, name);
      }
      // Relations that exploration finds meanwhile are in the listing, where they belong; what was there is there once.
      const links = { operation: 'memo_list', question: { view: 'links' } };
      const linkOf = ({ links }: Answer) => links.map(({ infoId, keyword }: Row) => `${infoId} ${keyword}`);
      turn = 0;
      const before = (await walk(memory, links, 50)).flatMap(linkOf);
      const meanwhile = (await walk(memory, links, 50, save)).flatMap(linkOf);
      assert.deepEqual(
        meanwhile.filter((link) => before.includes(link)),
        before,
      );
      assert.equal(new Set(meanwhile).size, meanwhile.length);
    });

    it('[W-6] a page whose rest was deleted is empty, and says how many there are', async () => {
      const memory = await engine.open(fixed());
      for (const title of ['one', 'two', 'three']) await memory.mem.save({ title, content: title });
      const { next_cursor: cursor } = await memory.mem.search({ limit: 2 });
      await memory.delete({ ref: 1 });
      const { results, total, next_cursor } = await memory.mem.search({ limit: 2, cursor });
      assert.deepEqual([results, total, next_cursor], [[], 2, undefined]);
    });

    it('[W-6] a model reads how much more there is, and no cursor', async () => {
      const memory = await engine.open(fixed());
      const ids = [];
      for (const n of [1, 2, 3]) {
        await memory.mama.save({
          topic: `global:${n}`,
          decision: `note ${n}`,
          scope: 'global',
          strength: 'axis',
        });
        ids.push((await memory.mem.save({ title: `note ${n}`, content: `text ${n}` })).id);
        await memory.memo.save({ fullText: `note ${n}`, keywords: ['note'] });
      }
      for (const to_id of [2, 3]) await memory.mem.relate({ from_id: 1, to_id, relation_type: 'relates_to' });
      const questions: [string, object, RegExp][] = [
        ['mama_search', {}, /"total":3/],
        ['mem_search', {}, /"total":3/],
        ['search', { query: 'note' }, /"more":true/],
        ['memo_list', {}, /"total":3/],
        ['mem_relations', { observation_id: 1 }, /"total":\{"outgoing":2/],
        ['decision_retrieve', {}, /2 of the global axes and locks/],
      ];
      for (const [operation, question, more] of questions) {
        const result = await memory.call(operation, { ...question, limit: 1 });
        assert.match(JSON.stringify(result), /"next_?[cC]ursor":"/, operation);
        const read = JSON.stringify(forModel(operation, result));
        assert.match(read, more);
        assert.doesNotMatch(read, /cursor/i);
      }
    });
  });
}

/** No chain stands on two pages. */
function assertWhole(pages: Answer[]): void {
  const topics = pages.flatMap((page) => [...new Set(results(page).map(({ topic }) => topic))]);
  assert.equal(new Set(topics).size, topics.length);
}

/** Each tier comes whole and in its order; the limit is shared anew among what is left of them (D-21). */
async function retrievesAll(memory: Memory): Promise<void> {
  const listing = { operation: 'decision_retrieve', question: { domain: 'ui' } };
  const whole = await memory.decision.retrieve({ domain: 'ui', limit: 1_000 });
  assert.deepEqual([whole.decisions.length > (2 * OF_SCOPE) / 3, whole.nextCursor], [true, undefined]);
  const tiers = [...new Set(whole.decisions.map(({ tier }) => tier))];
  assert.equal(tiers.length, 4);
  for (const limit of [...SMALL, LARGE]) {
    const pages = await walk(memory, listing, limit);
    const all: typeof whole.decisions = pages.flatMap((page) => page.decisions);
    for (const tier of tiers) {
      const of = (list: typeof all) => list.filter((each) => each.tier === tier);
      assert.deepEqual(of(all), of(whole.decisions), `${tier}, ${limit} a page`);
    }
    assert.equal(all.length, whole.decisions.length);
    const left = pages.map((page) => page.omitted.overLimit);
    assert.deepEqual(
      left,
      pages.map(
        (_, index) => all.length - pages.slice(0, index + 1).flatMap((page) => page.decisions).length,
      ),
    );
  }
}

/** A cursor belongs to its listing and its question, but to no limit. */
async function refusesForeign(memory: Memory): Promise<void> {
  const cursors = new Map<string, string>();
  for (const { operation, question } of [
    ...LISTINGS,
    { operation: 'decision_retrieve', question: { domain: 'ui' } },
  ]) {
    const page: Answer = await memory.call(operation, { ...question, limit: 1 });
    cursors.set(page.next_cursor ?? page.nextCursor, JSON.stringify([operation, question]));
  }
  for (const { operation, question } of LISTINGS) {
    for (const [cursor, of] of cursors) {
      const call = memory.call(operation, { ...question, cursor, limit: 5 });
      if (of === JSON.stringify([operation, question])) await call;
      else await refuses(call, 'invalid', operation, 'cursor', 'answer');
    }
    for (const cursor of ['nonsense', '1.2.3', '안녕', '-1']) {
      await refuses(memory.call(operation, { ...question, cursor }), 'invalid', 'answer', cursor);
    }
    await refuses(
      memory.call(operation, { ...question, cursor: 'a'.repeat(101) }),
      'invalid',
      'cursor',
      '100',
    );
  }
  const { memos, nextCursor } = await memory.memo.list({ limit: 1 });
  const infoId = memos[0]?.infoId;
  await refuses(memory.memo.list({ infoId, cursor: nextCursor }), 'invalid', 'cursor');
}
