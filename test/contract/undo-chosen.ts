import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

const KIM = { author: 'Kim Minsu <minsu@example.com>', host: 'kim' };

/** V-2: undo that is mine, and of what was chosen. */
export function undoChosen(engine: EngineUnderTest): void {
  describe('undo of what was chosen', () => {
    /** A person at a terminal, and agents that save in the same name. */
    async function opened() {
      const memory = await engine.open({ writer: { ...KIM, client: 'cli' } });
      const as = (client: string, session: string) =>
        engine.reopen(memory, { writer: { ...KIM, client, session } });
      return { memory, claude: await as('claude-code 2.1', 'c1'), later: await as('claude-code 2.1', 'c2') };
    }
    const topics = async (memory: Awaited<ReturnType<typeof opened>>['memory']) =>
      (await memory.decision.list()).decisions.map(({ topic }) => topic).sort();

    it('[V-2] [K-6] undo takes back what was saved by the same program, and nothing of an agent in the same name', async () => {
      const { memory, claude } = await opened();
      await memory.mem.save({ title: 'My own', content: 'human note' });
      await claude.mama.save({ topic: 'agent:later', decision: 'X' });
      assert.equal((await memory.undo()).effects[0]?.name, 'My own');
      await refuses(memory.undo(), 'not_found', 'precedent undo via:claude');
      assert.deepEqual(await topics(memory), ['agent:later']);
      await memory.mama.save({ topic: 'mine', decision: 'A' });
      await claude.mama.save({ topic: 'mine', decision: 'B' });
      await refuses(memory.undo(), 'conflict', 'version 2', 'via claude-code');
    });

    it('[V-2] records by their names, whoever saved them; what stood before stands again, and redo brings them back', async () => {
      const { memory, claude } = await opened();
      await memory.mama.save({ topic: 'a', decision: 'good' });
      await claude.mama.save({ topic: 'a', decision: 'wrong', evidence: ['made up'] });
      const { id } = await claude.mem.save({ title: 'noise', content: 'all 42 tests pass' });
      await claude.mama.save({ topic: 'keep', decision: 'kept' });
      const what = ['a', `#${id}`];
      const would = await memory.undo({ what, dry_run: true });
      assert.deepEqual([would.done, would.saves, would.effects.length], [false, 2, 3]);
      const { saves } = await memory.undo({ what });
      assert.equal(saves, 2);
      assert.equal((await memory.decision.get({ id: 'a' })).decision.text, 'good');
      for (const query of ['wrong', 'made up', 'tests pass'])
        assert.deepEqual((await memory.search({ query })).results, [], query);
      assert.deepEqual((await memory.recall({ task: 'tests pass wrong made up' })).entries, []);
      await refuses(memory.undo({ what: [`#${id}`] }), 'not_found', 'undone before');
      const redone = await memory.undo({ redo: true, last: 2 });
      assert.equal(redone.saves, 2);
      assert.equal((await memory.decision.get({ id: 'a' })).decision.text, 'wrong');
      assert.equal((await memory.search({ query: 'tests pass' })).results.length, 1);
      await memory.undo({ what });
      assert.equal((await memory.decision.get({ id: 'a' })).decision.text, 'good', 'what was redone, too');
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[V-2] a session, and what passes a filter: all that was saved and changed there', async () => {
      const { memory, claude, later } = await opened();
      const { id } = await memory.mem.save({ title: 'mine', content: 'first' });
      await claude.mama.save({ topic: 'one', decision: 'A', evidence: ['e'] });
      await claude.mama.update({
        id: 'one',
        outcome: 'success',
        reason: 'What an undo copies is no record of others',
      });
      await claude.mama.save({ topic: 'one', decision: 'B' });
      await claude.mama.update({ id: 'one', outcome: 'failed', reason: 'slow' });
      await claude.mem.update({ id, content: 'second' });
      await claude.memo.save({ fullText: 'buy milk', keywords: ['milk'] });
      await later.mama.save({ topic: 'two', decision: 'C' });
      const { saves } = await memory.undo({ session: 'c1' });
      assert.equal(saves, 6);
      const { names, total } = await memory.list.names({ kind: 'sessions', limit: 2 });
      assert.equal(total, 2);
      assert.deepEqual(
        names.map(({ name, count, undone }) => [name, count, undone]),
        [
          ['c2', 1, 0],
          ['c1', 6, 6],
        ],
      );
      assert.deepEqual(await topics(memory), ['two']);
      assert.equal((await memory.mem.getObservation({ id })).content, 'first');
      assert.equal((await memory.memo.list()).total, 0);
      await memory.undo({ what: ['via:claude', 'kind:decision'] });
      assert.deepEqual(await topics(memory), []);
      assert.deepEqual(
        (await memory.list.names({ kind: 'topics' })).names,
        [],
        'however many versions each had',
      );
      await refuses(memory.undo({ what: ['via:claude'] }), 'not_found', 'nothing');
      await memory.undo({ redo: true, last: 7 });
      assert.deepEqual(await topics(memory), ['one', 'two']);
      assert.equal((await memory.decision.get({ id: 'one' })).decision.outcome, 'failed');
      assert.equal((await memory.mem.getObservation({ id })).content, 'second');
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[V-2] nothing is undone on which something else depends, of the same agent too; chosen together it is', async () => {
      const { memory, claude, later } = await opened();
      const { id } = await claude.mama.save({ topic: 'base', decision: 'A' });
      await later.mama.save({ topic: 'top', decision: 'B', reasoning: `builds_on: ${id}` });
      await refuses(memory.undo({ session: 'c1' }), 'conflict', 'decision top', 'Nothing was changed');
      await claude.mama.save({ topic: 'base', decision: 'A2' });
      await refuses(memory.undo({ what: ['base@1'] }), 'conflict', 'version 2', 'via claude-code');
      assert.deepEqual(await topics(memory), ['base', 'top']);
      await memory.undo({ what: ['via:agent'] });
      assert.deepEqual(await topics(memory), []);
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[V-2] [T-6] a lock is undone by a call that names its version, and by no other', async () => {
      const { memory, claude } = await opened();
      const { id } = await claude.mama.save({ topic: 'pay', decision: 'Floats', strength: 'lock' });
      const would = await memory.undo({ what: ['pay'], dry_run: true });
      assert.equal(would.effects[0]?.strength, 'lock');
      assert.deepEqual(would.needs, { replaces: [id], reasoning: false });
      const named = await memory.undo({ what: ['pay'], dry_run: true, replaces: [id] });
      assert.equal(named.needs, undefined);
      for (const what of [['pay'], ['via:claude']])
        await refuses(memory.undo({ what }), 'conflict', 'Floats', id.slice(0, 8));
      await memory.undo({ what: ['via:claude'], replaces: [id] });
      await memory.undo({ redo: true });
      await memory.undo({ what: [(await memory.decision.get({ id: 'pay' })).decision.id] });
      assert.deepEqual(await topics(memory), []);
      // Of a chain the version that is active now is named, and none that it replaced.
      const lock = { topic: 'net', strength: 'lock', reasoning: 'Few connections' } as const;
      const first = await claude.mama.save({ ...lock, decision: 'HTTP/2' });
      const second = await claude.mama.save({ ...lock, decision: 'HTTP/3', replaces: first.id });
      await memory.undo({ what: ['via:claude'], replaces: [second.id] });
      assert.deepEqual(await topics(memory), []);
    });

    it('[V-2] [D-20] a lock or an axis older than an hour is undone with a reason, and not without', async () => {
      const time = { now: Date.parse('2026-11-20T09:00:00Z') };
      const memory = await engine.open({ clock: () => time.now, writer: { ...KIM, client: 'cli' } });
      for (const strength of ['lock', 'axis'] as const) {
        const { id } = await memory.mama.save({ topic: strength, decision: 'Cents', strength, scope: 'pay' });
        time.now += 2 * 3_600_000;
        await refuses(memory.undo({ what: [id] }), 'conflict', 'reason', 'Cents');
        assert.deepEqual(await topics(memory), [strength]);
        await memory.undo({ what: [id], reasoning: 'Nobody decided it' });
        assert.deepEqual(await topics(memory), []);
      }
      const reasoned = { topic: 'net', strength: 'axis', reasoning: 'Few connections' } as const;
      await memory.mama.save({ ...reasoned, decision: 'HTTP/2' });
      await memory.mama.save({ ...reasoned, decision: 'HTTP/3', reasoning: 'New' });
      await memory.undo({ what: ['net'], reasoning: 'Too new' });
      const { decision } = await memory.decision.get({ id: 'net' });
      assert.deepEqual(
        [decision.text, decision.reasoning],
        ['HTTP/2', 'Few connections\n\nBrought back: Too new'],
        'first why it holds',
      );
    });

    it('[V-2] what is asked for is said once, and is there', async () => {
      const { memory, claude } = await opened();
      await claude.mama.save({ topic: 'one', decision: 'A' });
      await refuses(memory.undo({ what: ['one'], redo: true }), 'invalid', 'redo');
      await refuses(memory.undo({ what: ['one'], last: 2 }), 'invalid', 'last');
      await refuses(memory.undo({ what: ['nothing:here'] }), 'not_found', 'nothing:here');
      await refuses(memory.undo({ what: ['via:nobody'] }), 'not_found', 'a program');
      await claude.mama.save({ topic: 'types:id', decision: 'B' });
      assert.equal(
        (await memory.undo({ what: ['types:id'] })).saves,
        1,
        'a topic that looks nearly like a part',
      );
    });

    it('[V-2] what was withdrawn comes behind what is active, in every search', async () => {
      const { memory } = await opened();
      await memory.mama.save({
        topic: 'auth:token',
        decision: 'Keep tokens in an HttpOnly session cookie',
        reasoning: 'A script reads local storage',
      });
      await memory.mama.save({
        topic: 'auth:jwt-storage',
        decision: 'Keep JWTs in localStorage',
        reasoning: 'Local storage is simple for tokens',
      });
      const query = 'why not local storage for tokens?';
      const first = async () => [
        (await memory.search({ query })).results[0]?.title,
        (await memory.mama.search({ query })).results[0]?.topic,
      ];
      assert.deepEqual(await first(), ['auth:jwt-storage', 'auth:jwt-storage']);
      await memory.decision.revise({ id: 'auth:jwt-storage', withdrawn: true, reasoning: 'Invented' });
      assert.deepEqual(await first(), ['auth:token', 'auth:token']);
    });
  });
}
