import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { exported } from '../support/stream.ts';

/** What was written down as changed, oldest first. */
async function changesOf(memory: Memory) {
  const rows = (await exported(memory)).map((line) => JSON.parse(line));
  const recordOf = new Map(
    rows.filter(({ table }) => table === 'observations').map(({ seq, id }) => [seq, id]),
  );
  return rows
    .filter(({ table }) => table === 'changes')
    .map(({ kind, recordSeq, before, after }) => [
      kind,
      recordOf.get(recordSeq) ?? null,
      before && JSON.parse(before),
      after && JSON.parse(after),
    ]);
}

/** U-5: what changes and has no history of its own is written down. */
export function changes(engine: EngineUnderTest): void {
  describe('changes', () => {
    it('[U-5] moving, repeating, relating and deleting an observation is written down, without its text', async () => {
      const memory = await engine.open();
      const one = await memory.mem.save({ title: 'one', content: 'the text' });
      const two = await memory.mem.save({ title: 'two', content: 'another text' });
      await memory.mem.save({ title: 'one', content: 'the text' });
      await memory.mem.update({ id: one.id, project: 'p', topic_key: 'k' });
      await memory.mem.update({ id: one.id, content: 'a new text' });
      const { relation_id } = await memory.mem.relate({
        from_id: one.id,
        to_id: two.id,
        relation_type: 'because',
        note: 'a note',
      });
      const { incoming } = await memory.mem.relations({ observation_id: two.id });
      const made = Date.parse(incoming[0]?.created_at ?? '');
      await memory.mem.unrelate({ relation_id });
      await memory.delete({ ref: two.id });
      const link = { relation: relation_id, from: one.id, to: two.id, type: 'because' };
      assert.deepEqual(await changesOf(memory), [
        ['repeated', one.id, null, { duplicateCount: 1 }],
        [
          'moved',
          one.id,
          { project: null, scope: 'project', topicKey: null },
          { project: 'p', scope: 'project', topicKey: 'k' },
        ],
        ['rewritten', one.id, null, { revision: 1 }],
        ['related', one.id, null, link],
        ['unrelated', one.id, { ...link, createdAt: made, writer: 1, notes: 1 }, null],
        ['deleted', two.id, null, null],
      ]);
    });

    it('[U-5] what is deleted for good is gone from every past; that it was there is not', async () => {
      const memory = await engine.open();
      const { id } = await memory.mem.save({ title: 'one', content: 'the text' });
      await memory.mem.update({ id, project: 'secret project' });
      await memory.delete({ ref: id, hard_delete: true });
      assert.deepEqual(await changesOf(memory), [['erased', null, null, null]]);
    });

    it('[U-5] what fails is not written down, nor what changes nothing', async () => {
      const memory = await engine.open();
      const { id } = await memory.mem.save({ title: 'one', content: 'the text', project: 'p' });
      const { updated_at } = await memory.mem.update({ id, project: 'p', title: 'one' });
      // Saying the same again is no change, and moves no date.
      assert.equal((await memory.mem.getObservation({ id })).updated_at, updated_at);
      assert.equal((await memory.mem.getObservation({ id })).created_at, updated_at);
      await assert.rejects(memory.mem.relate({ from_id: id, to_id: id, relation_type: 'x' }));
      assert.deepEqual(await changesOf(memory), []);
    });

    it('[U-5] a topic and a scope that lead elsewhere say from where to where', async () => {
      const memory = await engine.open();
      const one = await memory.mama.save({ topic: 'a', decision: 'A', scope: 'x' });
      const two = await memory.mama.save({ topic: 'b', decision: 'B', scope: 'y' });
      await memory.rename({ from: 'a', to: 'b', join: true });
      await memory.rename({ kind: 'scope', from: 'y', to: 'z', join: true });
      assert.deepEqual(await changesOf(memory), [
        ['joined', null, { topic: 'a', chain: one.id }, { topic: 'a', chain: two.id }],
        ['joined', null, { name: 'y', scope: 'y' }, { name: 'y', scope: 'z' }],
      ]);
    });

    it('[U-5] changes come with a copy of the memory, and are numbered on', async () => {
      const memory = await engine.open();
      const { id } = await memory.mem.save({ title: 'one', content: 'the text' });
      await memory.mem.update({ id, project: 'p' });
      const copy = await engine.open();
      await copy.import(await exported(memory));
      await copy.mem.update({ id, project: 'q' });
      assert.deepEqual(
        (await changesOf(copy)).map(([kind]) => kind),
        ['moved', 'moved'],
      );
    });
  });
}
