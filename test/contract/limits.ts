import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { ATTRIBUTES, FIELDS, type Held } from '../../src/domain/decision.ts';
import { openMemory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

type Case = [operation: string, field: string, limit: number, input: (text: string) => object];
const NAMES_AND_WORDS = ATTRIBUTES.flatMap((name) => {
  const of: Held = FIELDS[name];
  return of.kind === 'words' || of.kind === 'name' ? [[name, of.limit] as const] : [];
});

/** What is accepted, what is refused and with which words; what is never written. */
export function limits(engine: EngineUnderTest): void {
  describe('limits', () => {
    it('texts are accepted up to their limit, counted in characters, and refused beyond it by name', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({ topic: 't', decision: 'A' });
      const cases: Case[] = [
        ['mama_save', 'topic', 200, (text) => ({ topic: text, decision: 'x' })],
        ['mama_save', 'decision', 2_000, (text) => ({ topic: 'd', decision: text })],
        ['mama_save', 'reasoning', 20_000, (text) => ({ topic: 'r', decision: 'x', reasoning: text })],
        ...NAMES_AND_WORDS.map(
          ([name, limit]): Case => [
            'mama_save',
            name,
            limit,
            (text) => ({ topic: name, decision: 'x', [name]: text }),
          ],
        ),
        ['evidence_save', 'content', 200_000, (text) => ({ decisionRef: id, content: text })],
        ['mem_save', 'content', 200_000, (text) => ({ title: 't', content: text })],
        ['anchor_save', 'hint', 200, (text) => ({ hint: text, targetRef: id, type: 'decision_link' })],
      ];
      for (const [operation, field, limit, input] of cases) {
        for (const character of ['a', '벽', '🙂']) {
          await memory.call(operation, input(character.repeat(limit)));
          await refuses(
            memory.call(operation, input(character.repeat(limit + 1))),
            'invalid',
            field,
            String(limit),
            String(limit + 1),
          );
        }
      }
    });

    it('[D-16] what a program calls itself and its session is kept short, and nothing private or unprintable of it', async () => {
      const memory = await engine.open();
      const author = {
        client: `ed\0itor <private>of Kim</private> ${'x'.repeat(1_000)}`,
        session: 'a\0<private>b</private>',
      };
      const { id } = (await memory.call('mama_save', { topic: 't', decision: 'A' }, author)) as {
        id: string;
      };
      const { client, session } = (await memory.decision.get({ id })).decision;
      assert.deepEqual(
        [client.slice(0, 20), client.length, session],
        ['ed itor [REDACTED] x', 200, 'a [REDACTED]'],
      );
    });

    it('blank text, NUL, half a surrogate pair, wrong types and ranges are refused by field', async () => {
      const memory = await engine.open();
      const save = (input: object) => memory.call('mama_save', { topic: 't', decision: 'x', ...input });
      await refuses(save({ decision: ' \n\t ' }), 'invalid', 'decision');
      await refuses(save({ decision: '\u200b\u2060' }), 'invalid', 'decision');
      const strange = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`x${n}`, n]));
      await refuses(save(strange), 'invalid', 'x0', 'and 995 more');
      await refuses(save({ topic: '' }), 'invalid', 'topic');
      await refuses(save({ reasoning: 'a\0b' }), 'invalid', 'reasoning', 'NUL');
      await refuses(save({ decision: 'half \ud83d' }), 'invalid', 'decision', 'surrogate');
      await refuses(save({ evidence: ['fine', ''] }), 'invalid', 'evidence.1');
      for (const confidence of [-0.1, 1.1, Number.NaN, Number.POSITIVE_INFINITY, 'half']) {
        await refuses(save({ confidence }), 'invalid', 'confidence');
      }
      await refuses(save({ strength: 'hard' }), 'invalid', 'strength', 'axis, lock, normal', 'hard');
      await refuses(save({ type: 'note' }), 'invalid', 'type', 'note');
      await refuses(save({ colour: 'blue' }), 'invalid', 'colour', 'topic');
      await refuses(save({ summary: 'x' }), 'invalid', 'summary', 'checkpoint');
      await refuses(memory.call('mama_save', { decision: 'x' }), 'invalid', 'topic');
      await refuses(memory.call('mama_save', { type: 'checkpoint' }), 'invalid', 'summary');
      await refuses(memory.call('mama_save', 'text'), 'invalid', 'object');
      await refuses(memory.call('no_such_operation', {}), 'invalid', 'mama_save', 'no_such_operation');
      await refuses(
        memory.call('mama_update', { id: 'x', outcome: 'FAILED' }),
        'invalid',
        'outcome',
        'FAILED',
      );
      assert.equal((await memory.mama.search({})).total, 0);
    });

    it('long texts without a space are saved and found, megabytes of blanks are refused', async () => {
      const memory = await engine.open();
      const content = `${'결'.repeat(199_999)}끝`;
      const { id } = await memory.mem.save({ title: 'long', content });
      assert.equal((await memory.mem.search({ query: '결끝' })).results[0]?.id, id);
      for (const strange of ['<private'.repeat(25_000), '<'.repeat(200_000), '*'.repeat(200_000)]) {
        await memory.mem.save({ title: 'strange', content: strange });
      }
      await refuses(memory.mem.save({ title: 't', content: ' '.repeat(2_000_000) }), 'invalid', 'content');
      await refuses(
        memory.mem.save({ title: 't', content: '\u200b'.repeat(2_000_000) }),
        'invalid',
        'content',
      );
    });

    it('[G-6] [D-12] [LB-7] the log tells what was ignored, not a program’s own error, and a function of the message alone will do', async (test) => {
      const log: [string, string][] = [];
      const messages: string[] = [];
      let isBroken = false;
      const newId = () => {
        if (isBroken) throw new Error('out of numbers');
        return randomUUID();
      };
      // Made here: a copy of one that is there already gives no notice.
      const memory = await openMemory({
        ...engine.place(),
        newId,
        log: (message, level) => log.push([level, message]),
      });
      test.after(() => memory.close());
      assert.deepEqual(log.splice(0), [['warning', `New workspace "${memory.workspace}".`]], '[K-2]');
      await memory.mama.save({ topic: 't', decision: 'x', reasoning: 'builds_on: nothing' });
      assert.deepEqual(
        log.map(([level]) => level),
        ['warning'],
      );
      isBroken = true;
      // A program's own error is its own, and no fault to be logged (LB-7).
      await assert.rejects(memory.mama.save({ topic: 't', decision: 'y' }), /^Error: out of numbers$/);
      assert.equal(log.length, 1);
      const other = await engine.open({ log: (message: string) => messages.push(message) });
      await other.mama.save({ topic: 't', decision: 'x', reasoning: 'builds_on: nothing' });
      assert.match(messages.join(), /builds_on|warning/);
    });

    it('the edges of what is allowed are allowed: confidence 0 and 1, and no confidence', async () => {
      const memory = await engine.open();
      for (const confidence of [0, 1]) {
        const { decision } = await memory.decision.save({ text: 'x', confidence });
        assert.equal(decision.confidence, confidence);
      }
    });

    it('[D-16] what is private is redacted in every kind of record, and in errors and logs', async () => {
      const log: string[] = [];
      const memory = await engine.open({ log: (message) => log.push(message) });
      const secret = '<private>hunter2</private>';
      const { id } = await memory.mama.save({
        topic: 't',
        decision: `d ${secret}`,
        reasoning: `r ${secret} builds_on: ${secret}`,
        scope: 's',
        evidence: [`e ${secret}`],
      });
      await memory.mama.update({ id, outcome: 'failed', reason: secret });
      await memory.evidence.save({ decisionRef: id, content: `${secret} after <PRIVATE>hunter2` });
      await memory.anchor.save({ hint: secret, targetRef: id, type: 'decision_link' });
      await memory.mama.save({
        type: 'checkpoint',
        summary: secret,
        next_steps: secret,
        open_files: [secret],
      });
      await refuses(
        memory.call('mama_save', { topic: 't', decision: 'd', strength: secret }),
        'invalid',
        'REDACTED',
      );
      for (const name of ['topic', 'scope']) {
        const input = { topic: 't', decision: 'd', [name]: `x ${secret}` };
        await refuses(memory.call('mama_save', input), 'invalid', name, 'private');
      }
      const everything = [
        await memory.decision.get({ id }),
        await memory.mama.loadCheckpoint({}),
        await memory.decision.retrieve({ domain: 's' }),
        await memory.mama.search({ query: 'redacted' }),
        log,
      ];
      const text = JSON.stringify(everything);
      assert.doesNotMatch(text, /hunter2/);
      assert.match(text, /\[REDACTED\]/);
      assert.equal((await memory.mama.search({ query: 'hunter2' })).total, 0);
    });
  });
}
