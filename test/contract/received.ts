import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import type { Memory } from '../../src/index.ts';
import { operations } from '../../src/operations/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

const RED = '\u001b[31m';
const PLAIN = '\u001b[0m';
const cut = (count: number, field: string) =>
  `${count} terminal ${count === 1 ? 'sequence was' : 'sequences were'} cut from "${field}".`;

/** What becomes of texts as terminals, pipes and other systems bring them. */
export function received(engine: EngineUnderTest): void {
  describe('texts as they come', () => {
    it('[K-7] terminal sequences are cut from every field of a save, and the answer says from which and how many', async () => {
      const memory = await engine.open();
      const { warnings, id } = await memory.mama.save({
        topic: `${RED}t${PLAIN}`,
        decision: `${RED}A${PLAIN}`,
        reasoning: '\u001b]0;title\u0007why \u009b31mnot\u0007',
        evidence: [`${RED}FAIL${PLAIN} one`, 'two', `\u001b]8;;http://x.y\u001b\\three\u001b]8;;\u001b\\`],
      });
      assert.deepEqual(warnings, [
        cut(2, 'topic'),
        cut(2, 'decision'),
        cut(2, 'reasoning'),
        cut(4, 'evidence'),
      ]);
      const { decision, evidence } = await memory.decision.get({ id });
      assert.deepEqual(
        [decision.topic, decision.text, decision.reasoning, ...evidence.map(({ content }) => content)],
        ['t', 'A', 'why not\u0007', 'FAIL one', 'two', 'three'],
        'another control character stays',
      );
      assert.equal((await memory.mama.search({ query: 'FAIL' })).total, 1);
      assert.equal((await memory.mama.search({ query: `${RED}FAIL${PLAIN}` })).total, 1, 'a question too');
    });

    it('[K-7] each write that takes a text warns of what it cut from it, and says nothing where nothing was', async () => {
      for (const operation of operations.filter(({ access }) => access === 'write')) {
        const fields = Object.values(z.toJSONSchema(operation.input, { io: 'input' }).properties ?? {});
        const takesText = fields.some((field) => typeof field === 'object' && field.type === 'string');
        assert.equal('warnings' in operation.output.shape, takesText, operation.name);
      }
      const memory = await engine.open();
      const { id } = await memory.mama.save({ topic: 't', decision: 'A' });
      const one = await memory.mem.save({ title: 'one', content: 'x' });
      const two = await memory.mem.save({ title: 'two', content: 'y' });
      const texts: [string, string, object][] = [
        ['mama_update', 'reason', { id, outcome: 'success' }],
        ['evidence_save', 'content', { decisionRef: id }],
        ['anchor_save', 'hint', { targetRef: id, type: 'decision_link' }],
        ['mem_save', 'content', { title: 't' }],
        ['mem_update', 'title', { id: one.id }],
        ['mem_relate', 'note', { from_id: one.id, to_id: two.id, relation_type: 'r' }],
        ['memo_save', 'fullText', { keywords: ['word'] }],
        ['keywords_record', 'text', {}],
      ];
      for (const [name, field, input] of texts) {
        const answer = await memory.call(name, { ...input, [field]: `${RED}word` });
        assert.deepEqual(answer.warnings, [cut(1, field)], name);
      }
      assert(!('warnings' in one));
    });

    it('[K-7] a private tag that a sequence stood in is a private tag', async () => {
      const memory = await engine.open();
      for (const content of [
        `a <pri${RED}vate>secret</private>`,
        `a <private>secret</pri${RED}vate>`,
        'a \u001b]0;<private>\u0007secret</private>',
      ]) {
        const { id } = await memory.mem.save({ title: 't', content });
        const saved = (await memory.mem.getObservation({ id })).content;
        assert(saved.includes('[REDACTED]') && !saved.includes('secret'), saved);
      }
    });

    it('[K-7] lines end with a line feed in every text but evidence, and a carriage return alone stays', async () => {
      const memory = await engine.open();
      const text = 'one\r\ntwo\r\r\n10%\r20%';
      const kept = 'one\ntwo\n10%\r20%';
      const { id } = await memory.mama.save({
        topic: 't',
        decision: text,
        reasoning: text,
        evidence: [text],
      });
      const { decision, evidence } = await memory.decision.get({ id });
      assert.deepEqual([decision.text, decision.reasoning, evidence[0]?.content], [kept, kept, text]);
      const { id: ground } = (await memory.evidence.save({ decisionRef: id, content: `more ${text}` }))
        .evidence;
      const again = (await memory.decision.get({ id })).evidence.find((each) => each.id === ground);
      assert.equal(again?.content, `more ${text}`);
      const observed = await memory.mem.save({ title: 't', content: text });
      assert.equal((await memory.mem.getObservation({ id: observed.id })).content, kept);
      const memo = await memory.memo.save({ fullText: text, keywords: ['word'] });
      assert.equal((await memory.memo.list({ infoId: memo.infoId })).memos[0]?.fullText, kept);
    });

    it('[K-7] the same text with other line ends or colours is the same text', async () => {
      const memory = await engine.open();
      const decide = (decision: string) => memory.mama.save({ topic: 't', decision, evidence: ['e'] });
      const first = await decide('one\ntwo');
      for (const text of ['one\r\ntwo', `one\n${RED}two${PLAIN}`]) {
        const { id, unchanged } = await decide(text);
        assert.deepEqual([id, unchanged], [first.id, true], JSON.stringify(text));
      }
      const observe = (content: string, topic_key?: string) =>
        memory.mem.save({ title: 'o', content, ...(topic_key && { topic_key }) });
      for (const key of [undefined, 'key']) {
        const { id } = await observe('one\ntwo', key);
        const again = await observe(`one\r\n${RED}two${PLAIN}`, key);
        assert.deepEqual([again.id, again.action], [id, 'repeated'], key);
      }
    });

    it('[K-7] [C-1] a secret of several lines is redacted however its lines end', async () => {
      const memory = await engine.open();
      const [unix, dos] = ['-----KEY\nabc\n-----', '-----KEY\r\nabc\r\n-----'];
      for (const asked of [unix, dos]) {
        for (const given of [unix, dos]) {
          const decision = await memory.decision.save({
            text: `it is ${given}!`,
            evidence: [`see ${given}.`],
          });
          await memory.redact(decision.decision.id, asked);
          await memory.redact(decision.evidence[0] ?? '', asked);
          const found = await memory.decision.get({ id: decision.decision.id });
          assert.deepEqual(
            [found.decision.text, found.evidence[0]?.content],
            ['it is [REDACTED]!', 'see [REDACTED].'],
          );
        }
      }
    });

    it('[K-7] NUL and bytes that are not UTF-8 are refused in whatever is kept', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({ topic: 't', decision: 'A' });
      const calls: ((memory: Memory, text: string) => Promise<unknown>)[] = [
        (each, text) => each.mama.save({ topic: 't', decision: text }),
        (each, text) => each.mama.save({ topic: text, decision: 'A' }),
        (each, text) => each.evidence.save({ decisionRef: id, content: text }),
        (each, text) => each.mem.save({ title: 't', content: text }),
        (each, text) => each.memo.save({ fullText: text }),
        (each, text) => each.keywords.record({ keywords: [text] }),
      ];
      for (const call of calls) {
        for (const text of ['a word\0', 'a word \udfff']) {
          await refuses(call(memory, text), 'invalid', 'UTF-8', 'NUL');
        }
      }
    });
  });
}
