import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../src/operations/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

/** What is taken from those who fill every field of a call. */
export function lenient(engine: EngineUnderTest): void {
  describe('lenient inputs', () => {
    it('[T-16] an optional field that is blank or null counts as left out, and "5" as 5', async () => {
      const memory = await engine.open();
      const save = { topic: 'auth:token', decision: 'Opaque tokens' };
      const { id } = await memory.mama.save(save);
      const calls: [string, object][] = [
        ['mama_save', { ...save, topic: 'a', reasoning: '' }],
        ['mama_save', { ...save, topic: 'b', scope: ' \n' }],
        ['mama_save', { ...save, topic: 'c', summary: '', next_steps: '', open_files: null }],
        ['mama_save', { ...save, topic: '토픽', reasoning: null, confidence: null, evidence: null }],
        ['mama_save', { ...save, topic: 'e', confidence: '0.5', strength: '', type: '' }],
        ['mama_update', { id, outcome: 'success', reason: '' }],
        ['mama_update', { id, outcome: '실패' }],
        ['decision_list', { outcome: '실패' }],
        ['mama_search', { query: 'tokens', domain: '', outcome_filter: '', limit: '' }],
        ['mama_search', { query: null, limit: '5', history: 'true' }],
        ['recall', { task: '토큰', domain: '', project: null, token_budget: ' 400 ' }],
        ['decision_retrieve', { domain: '', limit: null }],
        ['mem_save', { title: 't', content: 'c', type: '', project: '\u200b', scope: '', topic_key: '' }],
        ['mem_search', { query: '', type: '', project: '', scope: null, limit: '5' }],
        ['memo_save', { fullText: '토큰은 쿠키에', summary: '', keywords: null, sessionId: '' }],
        ['search', { query: 'tokens', limit: '5' }],
      ];
      for (const [name, input] of calls) await memory.call(name, { ...input });
      const { results } = await memory.mama.search({ query: 'Opaque', limit: '1' as unknown as number });
      assert.equal(results.length, 1);
      const half = (await memory.decision.get({ id: 'e' })).decision;
      assert.deepEqual([half.confidence, half.strength, half.scope], [0.5, 'normal', 'e']);
    });

    it('[T-16] a read that lacks one field and has one too many takes it by that name; a save does not', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({ topic: 'auth:token', decision: 'Opaque tokens' });
      const { decision } = await memory.call('decision_get', { topic: 'auth:token' });
      assert.equal((decision as { id: string }).id, id);
      assert.match(JSON.stringify(await memory.call('recall', { query: 'opaque tokens' })), /auth:token/);
      for (const [name, input] of [
        ['decision_get', { topic: 'auth:token', name: 'x' }],
        ['decision_get', { id, topic: 'auth:token' }],
        ['mama_save', { topic: 'x', rationale: 'why' }],
        ['delete', { observation: 1 }],
      ] as const)
        await refuses(memory.call(name, input), 'invalid', name);
    });

    it('[T-16] every operation takes null for each of its optional fields, as if it were not there', async () => {
      const memory = await engine.open();
      for (const { name, input } of operations) {
        const fields = Object.entries(input.shape).filter(([, field]) => field.safeParse(undefined).success);
        const answer = (given: object) =>
          memory.call(name, given).then(
            () => 'done',
            (error: Error) => error.message,
          );
        const filled = Object.fromEntries(fields.map(([field]) => [field, null]));
        assert.equal(await answer(filled), await answer({}), name);
      }
    });

    it('[T-16] a required field, a blank ground in a list, and what is no number stay refused', async () => {
      const memory = await engine.open();
      const save = (input: object) => memory.call('mama_save', { topic: 't', decision: 'x', ...input });
      await refuses(save({ decision: ' \n\t ' }), 'invalid', '"decision"');
      await refuses(save({ decision: null }), 'invalid', '"decision"');
      await refuses(save({ topic: '' }), 'invalid', '"topic"');
      await refuses(save({ evidence: ['fine', ''] }), 'invalid', 'evidence.1');
      await refuses(save({ confidence: 'high' }), 'invalid', 'confidence', 'a number', '"high"');
      await refuses(save({ confidence: '5' }), 'invalid', 'confidence', 'between 0 and 1');
      await refuses(memory.call('mem_save', { title: 't', content: '' }), 'invalid', '"content"');
      await refuses(memory.call('recall', { task: '  ', domain: '' }), 'invalid', '"task"');
      await refuses(memory.call('mem_search', { limit: '0x5' }), 'invalid', 'limit', '"0x5"');
    });

    it('[T-16] in a change left out means kept; what is emptied is named, and the answer says so', async () => {
      const memory = await engine.open();
      const first = await memory.mama.save({ topic: 'a', decision: 'A', reasoning: '이유', scope: 'ui' });
      const { decision } = (await memory.call('decision_revise', {
        id: first.id,
        text: 'B',
        reasoning: '',
        scope: null,
      })) as { decision: { reasoning: string; scope: string } };
      assert.deepEqual([decision.reasoning, decision.scope], ['이유', 'ui']);

      const { id } = await memory.mem.save({ title: 't', content: 'c', project: 'web', topic_key: 'k' });
      const update = (input: object) => memory.call('mem_update', { id, ...input });
      const at = async () => {
        const { project, topic_key } = await memory.mem.getObservation({ id });
        return [project, topic_key];
      };
      assert.equal((await update({ title: 'u', project: '', topic_key: null })).cleared, undefined);
      assert.deepEqual(await at(), ['web', 'k']);
      assert.deepEqual((await update({ clear: ['project', 'topic_key'] })).cleared, ['project', 'topic_key']);
      assert.deepEqual(await at(), [null, null]);
      await refuses(update({ project: 'x', clear: ['project'] }), 'invalid', '"project"', 'clear');
      await refuses(update({ clear: ['title'] }), 'invalid', 'clear');
      await refuses(update({ title: '', content: null }), 'invalid', 'at least one');
    });
  });
}
