import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { filesOf, takeRecords } from '../support/exported.ts';
import { ACTS, DAY, decide, KIM, LEE, NOW } from '../support/housekeeping.ts';
import { exported } from '../support/stream.ts';

/** TR-3: housekeeping keeps who, when, why and how it went. */
export function tidying(engine: EngineUnderTest): void {
  /** A lock that Kim decided, which worked; ten days later Lee keeps house. */
  async function decided() {
    const kim = await engine.open({ clock: () => NOW - 10 * DAY, writer: KIM });
    const id = await decide(kim);
    return { id, lee: await as(LEE, kim) };
  }
  /** The same memory, written by another one. */
  const as = (writer: typeof KIM & { session?: string }, before: Memory) =>
    engine.reopen(before, { clock: () => NOW, writer });

  /** What readers say of the decision that is active. */
  async function read(memory: Memory) {
    const { decision } = await memory.decision.get({ id: 'auth:token' });
    const { decisions } = await memory.decision.list({});
    const { results } = await memory.mama.search({ query: 'cookies' });
    const { decision: shown } = await memory.show({ ref: 'auth:token' });
    const [version] = shown?.versions ?? [];
    const first = [
      [decision.author, decision.createdAt.slice(0, 10), decision.outcome, decision.reasoning],
      [decisions[0]?.author, decisions[0]?.createdAt.slice(0, 10), decisions[0]?.outcome, decision.reasoning],
      [results[0]?.author, results[0]?.created_at.slice(0, 10), results[0]?.outcome, results[0]?.reasoning],
      [version?.author, version?.created_at.slice(0, 10), version?.outcomes[0]?.outcome, version?.reasoning],
    ];
    for (const each of first) assert.deepEqual(each, first[0]);
    return {
      who: first[0],
      tidied: [decision, decisions[0], results[0], version].map((each) => told(each?.tidied)),
    };
  }
  /** Such as `worded by Lee Jiwoo, 2026-11-20`. */
  const told = (tidied?: { how: string; at: string; author?: string | undefined }) =>
    tidied && `${tidied.how} by ${tidied.author}, ${tidied.at.slice(0, 10)}`;
  const KIMS = ['Kim Minsu', '2026-11-10', 'success', 'Scripts cannot read them'];
  const inAll = (how: string) => Array.from({ length: 4 }, () => how);

  describe('a tidying', () => {
    it('[TR-3] a corrected full stop keeps author, date, reason and outcome, and counts as decided nowhere', async () => {
      const { lee, id } = await decided();
      await lee.decision.revise({ id, text: 'Sessions live in cookies.', tidy: true, replaces: id });
      assert.deepEqual(await read(lee), { who: KIMS, tidied: inAll('worded by Lee Jiwoo, 2026-11-20') });
      const listed = async (filter: string) =>
        (await lee.decision.list({ filter })).decisions.map(({ text, version }) => [text, version]);
      assert.deepEqual(await listed('since:5d'), []);
      assert.deepEqual(await listed('by:Lee'), []);
      assert.deepEqual(await listed('by:Kim'), [['Sessions live in cookies.', 2]]);
      assert.deepEqual(await listed('state:any'), [['Sessions live in cookies.', 2]]);
      assert.deepEqual(await listed('outcome:success since:2w'), [['Sessions live in cookies.', 2]]);
      const { entries } = await lee.timeline({ kind: ['decision'] });
      assert.deepEqual(
        entries.map(({ what, author }) => [what, author]),
        [
          ['worded', 'Lee Jiwoo'],
          ['decided', 'Kim Minsu'],
        ],
      );
      const { versions } = await lee.decision.get({ id: 'auth:token' });
      assert.deepEqual(
        versions.map(({ text }) => text),
        ['Sessions live in cookies', 'Sessions live in cookies.'],
        'nothing is overwritten',
      );
      // How it goes from now on is said of what was decided, in each wording.
      await lee.mama.update({ id: 'auth:token', outcome: 'failed', reason: 'stolen after all' });
      const { decision } = await lee.decision.get({ id: 'auth:token' });
      assert.deepEqual([decision.outcome, decision.earlierFailure], ['failed', undefined]);
      await lee.undo();
      assert.equal((await read(lee)).who?.[2], 'success');
      assert.deepEqual((await lee.inspect()).problems, []);
    });

    it('[TR-3] [T-6] other files, another scope and an undo keep them, and move no lock that is not named', async () => {
      const { lee, id } = await decided();
      const move = { id, scope: 'web', reasoning: 'auth is a part of web now' };
      await refuses(lee.decision.revise(move), 'conflict', 'lock');
      await lee.decision.revise({ ...move, replaces: id });
      const why = 'Scripts cannot read them\n\nMoved: auth is a part of web now';
      const moved = { who: [...KIMS.slice(0, 3), why], tidied: inAll('moved by Lee Jiwoo, 2026-11-20') };
      assert.deepEqual(await read(lee), moved);
      await lee.decision.revise({ id: 'auth:token', addFiles: 'src/session.ts' });
      assert.deepEqual(await read(lee), moved);
      const { id: active } = (await lee.decision.get({ id: 'auth:token' })).decision;
      await refuses(
        lee.rename({ kind: 'scope', from: 'web', to: 'ui', reasoning: 'one name', join: true }),
        'conflict',
        'lock',
      );
      await lee.rename({
        kind: 'scope',
        from: 'web',
        to: 'ui',
        reasoning: 'one name',
        replaces: [active],
        join: true,
      });
      assert.deepEqual((await read(lee)).who?.slice(0, 3), KIMS.slice(0, 3));
      await lee.undo({ last: 3 });
      const back = await read(lee);
      assert.deepEqual([back.who, back.tidied[0]], [KIMS, 'brought back by Lee Jiwoo, 2026-11-20']);
      await lee.undo({ redo: true, last: 3 });
      assert.deepEqual((await read(lee)).who?.slice(0, 3), KIMS.slice(0, 3));
      assert.deepEqual((await lee.inspect()).problems, []);
    });

    it('[TR-3] an undo says by whom, and its reason is said as that, once; what was redone is not undone', async () => {
      const { lee, id } = await decided();
      await lee.mama.save({ topic: 'ui:grid', decision: 'Four pixels' });
      const agent = await engine.reopen(lee, {
        clock: () => NOW,
        writer: { author: 'Kim Minsu', client: 'claude-code', session: 'c1' },
      });
      const decision = 'Sessions live nowhere';
      const { id: bad } = await agent.mama.save({
        ...{ topic: 'auth:token', decision, reasoning: 'so', replaces: id },
      });
      const undone = async () =>
        (await lee.decision.list({ filter: 'is:mistaken' })).decisions.map((each) => [
          ...[each.text, each.author, each.undone?.author, each.undone?.at.slice(0, 10)],
        ]);
      const counted = async () =>
        (await lee.list.names({ kind: 'sessions' })).names.map(({ count, undone }) => [count, undone]);
      const why = async () => (await lee.decision.get({ id: 'auth:token' })).decision.reasoning;
      await lee.undo({ what: [bad], replaces: [bad], reasoning: 'it was wrong' });
      assert.equal(await why(), 'Scripts cannot read them\n\nBrought back: it was wrong');
      assert.deepEqual(await undone(), [[decision, 'Kim Minsu', 'Lee Jiwoo', '2026-11-20']]);
      assert.deepEqual(await counted(), [[1, 1]]);
      const active = (await lee.decision.get({ id: 'auth:token' })).decision.id;
      await lee.undo({ redo: true, replaces: [active], reasoning: 'after all' });
      assert.deepEqual([await undone(), await counted()], [[], [[1, 0]]]);
      const { id: again } = (await lee.decision.get({ id: 'auth:token' })).decision;
      await lee.undo({ what: [bad], replaces: [again], reasoning: 'it is wrong' });
      assert.equal(await why(), 'Scripts cannot read them\n\nBrought back: it is wrong');
      assert.deepEqual(await undone(), [[decision, 'Kim Minsu', 'Lee Jiwoo', '2026-11-20']]);
      // A first version that is undone and redone is as it was.
      await lee.undo({ what: ['ui:grid'] });
      await lee.undo({ redo: true });
      assert.equal((await undone()).length, 1);
    });

    /** The decider, the date, the reason and the outcome, as each view says them. */
    async function said(memory: Memory): Promise<Record<string, unknown>> {
      const [decision] = (await memory.decision.list({ filter: 'cookies' })).decisions;
      const { id = '', topic, scope } = decision ?? {};
      const day = (at?: string) => at?.slice(0, 10);
      const why = (reasoning?: string | null) => reasoning?.split('\n')[0];
      const get = (await memory.decision.get({ id })).decision;
      const [version] = (await memory.show({ ref: topic ?? id })).decision?.versions ?? [];
      const [found] = (await memory.mama.search({ query: 'sessions cookies' })).results;
      const rule = (await memory.decision.retrieve({ domain: scope ?? '' })).decisions.find(
        (each) => each.id === id,
      );
      const by = async (filter: string) =>
        (await memory.decision.list({ filter: `cookies ${filter}` })).total;
      const { entries } = await memory.timeline({ kind: ['decision'] });
      const decided = entries.filter(
        ({ what, text }) => ['decided', 'revised'].includes(what) && text.includes('cookies'),
      );
      const start = JSON.stringify(await memory.call('briefing_get', { at: 'start' }));
      const recalled = (await memory.recall({ task: 'where do sessions live: cookies' })).entries.find(
        (each) => each.id === id,
      );
      const due = (await memory.review()).groups.flatMap(({ items }) => items).find((each) => each.id === id);
      return {
        list: [decision?.author, day(decision?.createdAt), decision?.outcome],
        get: [get.author, day(get.createdAt), get.outcome, why(get.reasoning)],
        why: [
          ...[version?.author, day(version?.created_at), version?.outcomes[0]?.outcome],
          why(version?.reasoning),
        ],
        search: [found?.author, day(found?.created_at), found?.outcome, why(found?.reasoning)],
        retrieve: [day(rule?.createdAt), rule?.outcome, why(rule?.reasoning)],
        recall: [
          recalled?.author,
          day(recalled?.when),
          recalled?.outcome,
          recalled?.why?.slice(0, KIMS[3]?.length),
        ],
        review: [due?.author, day(due?.at), due?.why],
        'at the start': [start.includes('Scripts cannot read them'), start.includes('2026-11-20')],
        'by:Kim': await by('by:Kim'),
        'by:Lee': await by('by:Lee'),
        'since:5d': await by('since:5d'),
        log: decided.map(({ author, at }) => [author, day(at)]),
      };
    }
    const HELD = {
      list: KIMS.slice(0, 3),
      get: KIMS,
      why: KIMS,
      search: KIMS,
      retrieve: KIMS.slice(1),
      recall: ['Kim Minsu', '2026-11-10', 'success: no theft in a year', KIMS[3]],
      review: ['Kim Minsu', '2026-11-10', KIMS[3]],
      'at the start': [true, false],
      'by:Kim': 1,
      'by:Lee': 0,
      'since:5d': 0,
      log: [KIMS.slice(0, 2)],
    };
    for (const [act, keepHouse] of Object.entries(ACTS))
      it(`[TR-3] after ${act}, every view says who decided, when, why and how it went, also after a sync`, async (test) => {
        const { id, lee } = await decided();
        await keepHouse(lee, id, as);
        const folder = mkdtempSync(join(tmpdir(), 'precedent-kept-'));
        test.after(() => rmSync(folder, { recursive: true, force: true }));
        const other = await engine.open({ clock: () => NOW, writer: LEE });
        await lee.sync(folder);
        await other.sync(folder);
        for (const memory of [lee, other]) assert.deepEqual(await said(memory), HELD);
      });

    it('[TR-3] a move to everywhere, another text and another strength decide anew', async () => {
      const { lee, id } = await decided();
      const others = [
        { scope: 'global', reasoning: 'everywhere' },
        { text: 'Tokens live in cookies', reasoning: 'so' },
        { strength: 'normal', reasoning: 'so' },
      ] as const;
      let replaces: string = id;
      for (const change of others) {
        const { decision } = await lee.decision.revise({ id: replaces, ...change, replaces });
        assert.deepEqual([decision.tidied, decision.createdAt.slice(0, 10)], [undefined, '2026-11-20']);
        replaces = decision.id;
      }
      const tidy = lee.decision.revise({ id: replaces, text: 'x', strength: 'axis', tidy: true });
      await refuses(tidy, 'invalid', 'tidy');
    });

    it('[TR-3] a topic that was joined shows who decided what it said, and who joined it', async () => {
      const { id, lee } = await decided();
      await lee.mama.save({ topic: 'web:session', decision: 'Sessions end after a day' });
      await lee.rename({
        from: 'auth:token',
        to: 'web:session',
        reasoning: 'one thing',
        replaces: [id],
        join: true,
      });
      const { decisions } = await lee.decision.list({ filter: 'state:withdrawn' });
      assert.deepEqual(
        decisions.map((each) => [each.author, each.createdAt.slice(0, 10), each.outcome, told(each.tidied)]),
        [['Kim Minsu', '2026-11-10', 'success', 'joined by Lee Jiwoo, 2026-11-20']],
      );
      const { entries } = await lee.timeline({ kind: ['decision'] });
      assert.deepEqual(
        entries.map(({ what, author, why }) => [what, author, why]),
        [
          ['joined', 'Lee Jiwoo', 'one thing'],
          ['decided', 'Lee Jiwoo', undefined],
          ['decided', 'Kim Minsu', 'Scripts cannot read them'],
        ],
      );
      const other = await engine.open({ clock: () => NOW, writer: LEE });
      await takeRecords(other, await filesOf(lee, { authors: true }));
      const [there] = (await other.decision.list({ filter: 'state:withdrawn' })).decisions;
      assert.deepEqual([there?.outcome, there?.tidied?.how], ['success', 'joined']);
      for (const memory of [lee, other]) assert.deepEqual((await memory.inspect()).problems, []);
      await lee.undo();
      assert.deepEqual((await read(lee)).who, KIMS);
    });

    it('[TR-3] a renamed topic says by each of its names what it was called, by whom and until when', async (test) => {
      const { id, lee } = await decided();
      const toSession = { from: 'auth:token', to: 'auth:session', replaces: [id] };
      const { warnings } = await lee.rename({ ...toSession, reasoning: 'clearer' });
      assert.deepEqual(warnings, ['The reason was not kept: of a renaming, the log keeps who and when.']);
      await lee.mama.save({ topic: 'web:form', decision: 'Forms have a token' });
      assert.equal(
        (await lee.rename({ from: 'web:form', to: 'web:forms' })).warnings,
        undefined,
        'nothing was lost',
      );
      const folder = mkdtempSync(join(tmpdir(), 'precedent-renamed-'));
      test.after(() => rmSync(folder, { recursive: true, force: true }));
      const other = await engine.open({ clock: () => NOW, writer: LEE });
      await lee.sync(folder);
      await other.sync(folder);
      for (const memory of [lee, other])
        for (const topic of ['auth:token', 'auth:session']) {
          const { decision } = await memory.show({ ref: topic });
          assert.deepEqual(decision?.renamed, [
            { from: 'auth:token', at: '2026-11-20T09:00:00.000Z', author: LEE.author },
          ]);
          const { entries } = await memory.timeline({ topic });
          assert.deepEqual(
            entries.map(({ what, author, text }) => [what, author, text]),
            [
              ['renamed', LEE.author, 'topic: auth:token → auth:session'],
              ['worked', KIM.author, 'no theft in a year'],
              ['decided', KIM.author, 'Sessions live in cookies'],
            ],
          );
        }
    });

    it('[TR-3] the log of a topic says that an outcome of it was undone, and finds a rewritten note by its new words', async () => {
      const { lee } = await decided();
      await lee.mama.update({ id: 'auth:token', outcome: 'failed', reason: 'stolen' });
      await lee.undo();
      const { id } = await lee.mem.save({ title: 'Theft', content: 'Not one' });
      await lee.mem.update({ id, content: 'None at all' });
      const logged = async (filter: string) =>
        (await lee.timeline({ filter })).entries.map(({ what }) => what).sort();
      assert.deepEqual(await logged('topic:auth:token'), ['decided', 'failed', 'undone', 'worked']);
      assert.deepEqual(await logged('none'), ['noted', 'rewritten']);
      assert.deepEqual(await logged('one'), []);
    });

    it('[TR-3] a person who corrects the wording is not warned as at a decision; a program is', async () => {
      const lee = await engine.open({ clock: () => NOW, writer: LEE });
      await lee.decision.save({
        topic: 'auth:login',
        text: 'Sessions live in the database, never in a cookie',
        strength: 'lock',
      });
      const own = await lee.decision.save({
        topic: 'auth:token',
        text: 'Sesions live in a cookie, never in the database',
      });
      assert(own.similar?.length, 'they are close');
      const said = await lee.decision.revise({
        id: 'auth:token',
        text: 'Sessions live in a cookie, never in the database',
        tidy: true,
      });
      assert.deepEqual([said.warnings, said.similar], [[], undefined]);
      const agent = await engine.reopen(lee, {
        clock: () => NOW,
        writer: { author: 'Kim Minsu', client: 'claude-code' },
      });
      await agent.decision.save({
        topic: 'auth:form',
        text: 'Sesions of forms live in a cookie, never in the database',
      });
      const told = await agent.decision.revise({
        id: 'auth:form',
        text: 'Sessions of forms live in a cookie, never in the database',
        tidy: true,
      });
      assert(told.similar?.length);
    });

    it('[TR-3] [Z-14] a program does not word anew what a person decided', async () => {
      const { id, lee } = await decided();
      const agent = await engine.reopen(lee, {
        clock: () => NOW,
        writer: { author: 'Kim Minsu', client: 'claude-code' },
      });
      const tidy = agent.decision.revise({ id, text: 'Sessions live nowhere.', tidy: true, replaces: id });
      await refuses(tidy, 'conflict', 'person');
    });

    it('[TR-3] it is the same after export and import, in decision records and through sync', async (test) => {
      const { lee, id } = await decided();
      await lee.decision.revise({ id, text: 'Sessions live in cookies.', tidy: true, replaces: id });
      const said = await read(lee);
      const other = await engine.open({ clock: () => NOW, writer: LEE });
      await other.import(await exported(lee));
      assert.deepEqual(await read(other), said);
      const folder = mkdtempSync(join(tmpdir(), 'precedent-tidy-'));
      test.after(() => rmSync(folder, { recursive: true, force: true }));
      const third = await engine.open({ clock: () => NOW, writer: LEE });
      await lee.sync(folder);
      await third.sync(folder);
      assert.deepEqual(await read(third), said);
      assert.deepEqual((await third.inspect()).problems, []);
      const fourth = await engine.open({ clock: () => NOW, writer: LEE });
      await takeRecords(fourth, await filesOf(lee, { authors: true }));
      const [own, brought] = [said, await read(fourth)].map(({ who, tidied }) => [
        who,
        tidied[0]?.slice(0, 9),
      ]);
      assert.deepEqual(brought, own, 'records name the author of each version');
    });
  });
}
