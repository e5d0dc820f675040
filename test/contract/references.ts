import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

/** U-1: what a record may be called. */
export function references(engine: EngineUnderTest): void {
  describe('references', () => {
    /** Ids that begin as they are given, and count up behind that. */
    const counting = (...beginnings: string[]) => {
      let made = 0;
      return () => `${beginnings[made] ?? '99999999'}-0000-4000-8000-${String(++made).padStart(12, '0')}`;
    };
    const textOf = async (memory: Memory, id: string) => {
      const { decision } = await memory.decision.get({ id });
      return `${decision.text} v${decision.version}`;
    };

    it('[U-1] a decision is found by its id, its topic in any spelling, a version of that, and the beginning of its id', async () => {
      const memory = await engine.open({ newId: counting('abcd1234', 'abff1234', 'cafe1234') });
      const first = await memory.mama.save({ topic: 'DB: Engine', decision: 'Postgres' });
      await memory.mama.save({ topic: 'db:engine', decision: 'SQLite' });
      await memory.mama.save({ topic: 'cafe', decision: 'a topic that looks like an id' });
      for (const [reference, text] of [
        [first.id, 'Postgres v1'],
        ['DB: Engine', 'SQLite v2'],
        ['db:engine', 'SQLite v2'],
        ['db:engine@1', 'Postgres v1'],
        ['DB : engine @2', 'SQLite v2'],
        ['abcd', 'Postgres v1'],
        ['ABCD1234-', 'Postgres v1'],
        ['decision_abff', 'SQLite v2'],
        ['cafe', 'a topic that looks like an id v1'],
      ] as const) {
        assert.equal(await textOf(memory, reference), text, reference);
      }
      for (const reference of ['abc', 'db:engine@3', 'nope@1', 'ffff', '#1', '%', 'ab%d'])
        await refuses(memory.decision.get({ id: reference }), 'not_found', `"${reference}"`);
      for (const near of ['db:engin', 'engine'])
        await refuses(
          memory.mama.update({ id: near, outcome: 'failed' }),
          'not_found',
          `found "${near}", which does not exist. Did you mean "DB: Engine"?`,
        );
    });

    it('[U-1] a beginning that several ids have names them', async () => {
      const memory = await engine.open({ newId: counting('abcd1111', 'abcd2222') });
      await memory.mama.save({ topic: 'a', decision: 'A' });
      await memory.mama.save({ topic: 'b', decision: 'B' });
      await refuses(
        memory.decision.get({ id: 'abcd' }),
        'invalid',
        'abcd1111-',
        'abcd2222-',
        'several decisions',
      );
      assert.equal(await textOf(memory, 'abcd2'), 'B v1');
    });

    it('[U-1] what is too short to begin an id is said to be', async () => {
      const memory = await engine.openFast();
      const said = 'An id prefix has at least 4 digits.';
      await refuses(memory.show({ ref: '0a7' }), 'not_found', said);
      await refuses(memory.decision.get({ id: ' 0A7' }), 'not_found', said);
      await refuses(memory.memo.list({ infoId: '0a7' }), 'not_found', said);
      await refuses(memory.mama.loadCheckpoint({ id: '0a7' }), 'not_found', said);
      for (const ref of ['0a7b', '0g7'])
        await assert.rejects(memory.show({ ref }), (error: Error) => !error.message.includes(said));
    });

    it('[U-1] a topic that ends in a version number is that topic first', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'node@22', decision: 'the floor' });
      await memory.mama.save({ topic: 'node', decision: 'one' });
      assert.equal(await textOf(memory, 'node@22'), 'the floor v1');
      assert.equal(await textOf(memory, 'node@1'), 'one v1');
    });

    it('[U-1] every operation that takes a decision takes any of these', async () => {
      const memory = await engine.open({
        newId: counting('abcd1234', 'bbbb1234', 'cccc1234', 'dddd1234', 'eeee1234'),
      });
      await memory.mama.save({ topic: 'DB: Engine', decision: 'Postgres' });
      const updated = await memory.mama.update({ id: 'db:engine', outcome: 'success' });
      assert.equal(updated.id.slice(0, 4), 'abcd');
      const { evidence } = await memory.evidence.save({ decisionRef: 'abcd', content: 'measured' });
      assert.equal(evidence.decisionRef, updated.id);
      const at = await memory.anchor.save({ hint: 'h', targetRef: 'db:engine', type: 'decision_link' });
      assert.equal(at.anchor.targetRef, updated.id);
      const there = await memory.anchor.save({ hint: 'h', targetRef: 'bbbb', type: 'evidence_link' });
      assert.equal(there.anchor.targetRef, evidence.id);
      const { decision } = await memory.decision.revise({ id: 'db:engine', text: 'SQLite' });
      assert.deepEqual([decision.version, decision.previousVersionId], [2, updated.id]);
      assert.equal((await memory.redact('db:engine@1', 'Postgres')).id, updated.id);
      await memory.mem.save({ title: 'Key', content: 'hunter2' });
      assert.deepEqual((await memory.redact('#1', 'hunter2')).texts, 1);
    });

    it('[U-1] a memo is found by the beginning of its id', async () => {
      const memory = await engine.open({ newId: counting('abcd1234', 'abff1234') });
      const { infoId } = await memory.memo.save({ fullText: 'one', keywords: ['a'] });
      await memory.memo.save({ fullText: 'two', keywords: ['a'] });
      const { memos } = await memory.memo.list({ infoId: 'abcd' });
      assert.equal(memos[0]?.infoId, infoId);
      await refuses(memory.memo.list({ infoId: 'abc' }), 'not_found', '"abc"');
    });

    it('[D-17] [U-1] a checkpoint is read by its id or the beginning of that, and the newest without one', async () => {
      const memory = await engine.open({ newId: counting('abcd1234', 'abff1234') });
      await refuses(memory.mama.loadCheckpoint({ id: 'abcd' }), 'not_found', '"abcd"');
      const first = await memory.mama.save({ type: 'checkpoint', summary: '첫째', open_files: ['a.ts'] });
      await memory.mama.save({ type: 'checkpoint', summary: 'second' });
      const load = async (id?: string) =>
        (await memory.mama.loadCheckpoint(id === undefined ? {} : { id })).checkpoint?.summary;
      assert.equal(await load(), 'second');
      for (const id of [first.id, 'abcd', 'ABCD1234-']) assert.equal(await load(id), '첫째', id);
      const { checkpoint } = await memory.mama.loadCheckpoint({ id: 'abcd' });
      assert.deepEqual(checkpoint?.open_files, ['a.ts']);
      for (const id of ['abc', 'cafe', '%', '#1'])
        await refuses(memory.mama.loadCheckpoint({ id }), 'not_found', `"${id}"`, 'search');
      const twice = await engine.open({ newId: counting('abcd1111', 'abcd2222') });
      for (const summary of ['one', 'two']) await twice.mama.save({ type: 'checkpoint', summary });
      await refuses(twice.mama.loadCheckpoint({ id: 'abcd' }), 'invalid', 'abcd1111-', 'several checkpoints');
    });

    it('[U-1] an observation is called by its number, also as #38 and as a text, and by nothing else', async () => {
      const memory = await engine.open();
      const { id } = await memory.mem.save({ title: 'a', content: 'A' });
      const other = await memory.mem.save({ title: 'b', content: 'B' });
      for (const given of [id, `${id}`, `#${id}`, ` #${id}\n`]) {
        const { title } = await memory.call('mem_get_observation', { id: given });
        assert.equal(title, 'a', String(given));
      }
      await memory.call('mem_relate', { from_id: `#${id}`, to_id: `${other.id}`, relation_type: 'r' });
      const tree = await memory.call('mem_build_context', { observation_id: `#${other.id}` });
      assert.equal(tree.total, 2);
      for (const wrong of ['#', '#0', '0', '#-1', '1.5', '#1a', '##1', '1e3', '', '9007199254740993', ['#1']])
        await refuses(memory.call('mem_get_observation', { id: wrong }), 'invalid', '"id"');
      await refuses(memory.call('mem_get_observation', { id: '#99' }), 'not_found', '99');
      // A relation is no observation: its number is written as one.
      await refuses(memory.call('mem_unrelate', { relation_id: '#1' }), 'invalid', 'relation_id');
    });

    it('[D-17] an evidence and an anchor lead to their decision', async () => {
      const memory = await engine.open({ newId: counting('aaaa1234', 'bbbb1234', 'cccc1234', 'dddd1234') });
      await memory.mama.save({ topic: 't', decision: 'A', evidence: ['because'] });
      await memory.anchor.save({ hint: 'h', targetRef: 'aaaa', type: 'decision_link' });
      await memory.anchor.save({ hint: 'h', targetRef: 'bbbb', type: 'evidence_link' });
      for (const reference of ['bbbb', 'cccc', 'dddd'])
        assert.equal(await textOf(memory, reference), 'A v1', reference);
    });
  });
}
