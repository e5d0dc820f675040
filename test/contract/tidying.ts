import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { filesOf, takeRecords } from '../support/exported.ts';
import { exported } from '../support/stream.ts';

const KIM = { author: 'Kim Minsu', client: 'cli' };
const LEE = { author: 'Lee Jiwoo', client: 'cli' };
const NOW = Date.parse('2026-11-20T09:00:00Z');
const DAY = 86_400_000;

/** TR-3: housekeeping keeps who, when, why and how it went. */
export function tidying(engine: EngineUnderTest): void {
  /** A lock that Kim decided, which worked; ten days later Lee keeps house. */
  async function decided() {
    const kim = await engine.open({ clock: () => NOW - 10 * DAY, writer: KIM });
    const { id } = await kim.mama.save({
      ...{ topic: 'auth:token', decision: 'Sessions live in cookies', reasoning: 'Scripts cannot read them' },
      ...{ strength: 'lock' as const, scope: 'auth', files: 'src/auth/**' },
    });
    await kim.mama.update({ id, outcome: 'success', reason: 'no theft in a year' });
    return { id, lee: await engine.reopen(kim, { clock: () => NOW, writer: LEE }) };
  }

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
      const why = 'Scripts cannot read them\n\nauth is a part of web now';
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
