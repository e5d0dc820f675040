import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { exported } from '../support/stream.ts';

/** U-6: what was called, attached or noted wrongly is set right, and what it was stays on record. */
export function renaming(engine: EngineUnderTest): void {
  describe('setting right', () => {
    it('[U-6] [D-19] a topic is renamed in every version; the old name leads there, and the log says so', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'infar:cdn', decision: 'one', reasoning: 'why one' });
      const { id } = await memory.mama.save({ topic: 'infar:cdn', decision: 'two' });
      const user = await memory.mama.save({ topic: 'web', decision: 'x', reasoning: 'builds_on: infar:cdn' });
      const answer = await memory.rename({ from: 'infar:cdn', to: 'infra:cdn' });
      assert.deepEqual([answer.from, answer.to, answer.id], ['infar:cdn', 'infra:cdn', id]);
      assert.deepEqual(answer.warnings, ['Its scope is still "infar"; decision_revise moves it to another.']);
      const { versions, decision } = await memory.decision.get({ id: 'infar:cdn' });
      assert.deepEqual([decision.topic, decision.id, versions.length], ['infra:cdn', id, 2]);
      assert.deepEqual(
        (await memory.list.names({ kind: 'topics' })).names.map(({ name, leads_to }) => [name, leads_to]),
        [
          ['infar:cdn', 'infra:cdn'],
          ['infra:cdn', undefined],
          ['web', undefined],
        ],
      );
      assert.equal(
        (await memory.mama.search({ query: 'infra' })).results[0]?.id,
        id,
        'found by its new name',
      );
      assert.deepEqual(
        (await memory.show({ ref: user.id })).decision?.edges.outgoing[0]?.decision.topic,
        'infra:cdn',
      );
      await memory.mama.save({ topic: 'infar:cdn', decision: 'three' });
      assert.equal((await memory.decision.get({ id: 'infra:cdn' })).decision.text, 'three');
      const { entries } = await memory.timeline({ kind: ['change'] });
      assert.deepEqual(
        entries.map(({ what, text }) => [what, text]),
        [['renamed', 'topic: infar:cdn → infra:cdn']],
      );
      assert.deepEqual((await memory.inspect()).problems, []);
      const copy = await engine.open();
      await copy.import(await exported(memory));
      assert.equal((await copy.decision.get({ id: 'infar:cdn' })).decision.topic, 'infra:cdn');
    });

    it('[U-6] another spelling, a decision without a topic, and the name of another decision', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'INFRA:cdn', decision: 'one' });
      await memory.rename({ from: 'INFRA:cdn', to: 'infra:cdn' });
      assert.equal((await memory.decision.get({ id: 'Infra:CDN' })).decision.topic, 'infra:cdn');
      assert.equal((await memory.rename({ from: 'infra:cdn', to: 'infra:cdn' })).unchanged, true);
      const { decision } = await memory.decision.save({ text: 'nameless' });
      await memory.rename({ from: decision.id, to: 'named' });
      assert.equal((await memory.decision.get({ id: 'named' })).decision.id, decision.id);
      await refuses(memory.rename({ from: 'named', to: 'Infra: cdn' }), 'conflict', 'with join');
      await refuses(memory.rename({ from: 'none', to: 'x' }), 'not_found');
      await memory.undo();
      await refuses(memory.decision.get({ id: 'named' }), 'not_found');
      assert.equal((await memory.decision.get({ id: decision.id })).decision.topic, null);
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[U-6] [C-1] a redaction of a name that was dropped leaves no key of it', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'plain', decision: 'one' });
      await memory.rename({ from: 'plain', to: 'Team : Zebra9' });
      await memory.undo();
      assert.deepEqual((await memory.redact('plain', 'Team : Zebra9')).remaining, []);
      assert.doesNotMatch((await exported(memory)).join('\n'), /zebra9/i);
      await memory.undo({ redo: true });
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[U-6] a deleted observation is restored, unless another has its topic key', async () => {
      const memory = await engine.open();
      const given = { title: 'one', content: 'clock skew', topic_key: 'clock' };
      const { id } = await memory.mem.save(given);
      await refuses(memory.undelete({ ref: id }), 'conflict', 'which was not');
      await memory.delete({ ref: id });
      assert.equal((await memory.mem.search({ query: 'skew' })).total, 0);
      await memory.undelete({ ref: id });
      assert.equal((await memory.mem.search({ query: 'skew' })).total, 1);
      await memory.delete({ ref: id });
      const other = await memory.mem.save({ ...given, content: 'another' });
      await refuses(memory.undelete({ ref: id }), 'conflict', `observation ${other.id}`);
    });

    it('[U-6] a memo is edited and deleted softly; what it said stays', async () => {
      const memory = await engine.open();
      const { infoId } = await memory.memo.save({ fullText: 'buy milk', keywords: ['milk'] });
      const edited = await memory.memo.edit({ infoId, fullText: 'buy oat milk' });
      assert.deepEqual([edited.summary, edited.revision], ['buy oat milk', 2]);
      assert.equal((await memory.memo.edit({ infoId, fullText: 'buy oat milk' })).unchanged, true);
      await refuses(memory.memo.edit({ infoId }), 'invalid', 'at least one');
      assert.equal((await memory.search({ query: 'oat' })).results.length, 1);
      const [memo] = (await memory.memo.list({ infoId })).memos;
      assert.deepEqual(
        memo?.revisions?.map(({ fullText }) => fullText),
        ['buy milk'],
      );
      await memory.delete({ ref: infoId });
      assert.deepEqual(
        [(await memory.memo.list()).total, (await memory.memo.list({ keyword: 'milk' })).total],
        [0, 0],
      );
      assert.equal((await memory.search({ query: 'oat' })).results.length, 0);
      assert.equal((await memory.memo.list({ infoId })).memos[0]?.deleted, true);
      await refuses(memory.memo.expand({ infoId }), 'conflict', 'undelete');
      await refuses(memory.delete({ ref: infoId }), 'conflict');
      await memory.undelete({ ref: infoId });
      assert.equal((await memory.memo.list({ keyword: 'milk' })).total, 1);
      assert.deepEqual((await memory.inspect()).problems, []);
    });
  });
}
