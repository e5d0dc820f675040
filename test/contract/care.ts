import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { exported, linesOfRows } from '../support/stream.ts';

const SECRET = 'sk-Zq81XbHunter2';

/** Nothing that anybody can ask for shows the secret. */
async function isGone(memory: Memory, secret = SECRET): Promise<void> {
  assert.deepEqual(
    (await exported(memory)).filter((line) => line.includes(secret)),
    [],
  );
  for (const query of [secret, 'Zq81XbHunter2', secret.toLowerCase()]) {
    const { results } = await memory.search({ query });
    assert.deepEqual(results, [], query);
    assert.equal((await memory.mama.search({ query })).total, 0);
    assert.equal((await memory.mem.search({ query })).total, 0);
  }
}

/** What an operator does to keep a memory well. */
export function care(engine: EngineUnderTest): void {
  describe('redaction and repair', () => {
    it('[C-1] a secret is blanked in a decision, its reasoning and its outcomes, and found no more', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({
        topic: 'deploy',
        decision: `Use the key ${SECRET} for deploys`,
        reasoning: `It is ${SECRET}, twice ${SECRET}`,
      });
      await memory.mama.update({ id, outcome: 'failed', reason: `leaked ${SECRET}` });
      await memory.mama.update({ id, outcome: 'partial', reason: `rotated ${SECRET}` });
      const done = await memory.redact(id, SECRET);
      assert.deepEqual([done.kind, done.id, done.texts, done.remaining], ['decision', id, 5, []]);
      await isGone(memory);
      const { decision, versions } = await memory.decision.get({ id });
      assert.equal(decision.text, 'Use the key [REDACTED] for deploys');
      assert.equal(decision.reasoning, 'It is [REDACTED], twice [REDACTED]');
      assert.equal(versions[0]?.outcomes.length, 2);
      assert.equal(
        (await memory.mama.search({ query: 'deploys key' })).results[0]?.id,
        id,
        'the rest is found',
      );
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[C-1] an observation with its revisions and the notes at it, and what still holds the same text is named', async () => {
      const memory = await engine.open();
      const { id } = await memory.mem.save({ title: 'key', content: `old ${SECRET}`, topic_key: 'k' });
      await memory.mem.save({ title: `key ${SECRET}`, content: `new ${SECRET}`, topic_key: 'k' });
      const other = await memory.mem.save({ title: 'other', content: 'other' });
      await memory.mem.relate({
        from_id: other.id,
        to_id: id,
        relation_type: 'about',
        note: `see ${SECRET}`,
      });
      const decision = await memory.mama.save({ topic: 't', decision: 'd' });
      const evidence = await memory.evidence.save({ decisionRef: decision.id, observationId: id });
      const done = await memory.redact(String(id), SECRET);
      assert.deepEqual([done.kind, done.texts], ['observation', 4]);
      assert.deepEqual(done.remaining, [{ what: 'evidence', id: evidence.evidence.id }]);
      await memory.redact(evidence.evidence.id, SECRET);
      await isGone(memory);
      const { content, revisions } = await memory.mem.getObservation({ id, revisions: true });
      assert.equal(content, 'new [REDACTED]');
      assert.equal(revisions?.[0]?.content, 'old [REDACTED]');
    });

    it('[C-1] without a text all of a record is blanked, of every kind; that it was done stays on record', async () => {
      const memory = await engine.open();
      const { id, evidence } = await memory.mama.save({
        topic: 't',
        decision: `decision ${SECRET}`,
        evidence: [`evidence ${SECRET}`],
      });
      const { anchor } = await memory.anchor.save({
        hint: `hint ${SECRET}`,
        targetRef: id,
        type: 'decision_link',
      });
      const checkpoint = await memory.mama.save({
        type: 'checkpoint',
        summary: `summary ${SECRET}`,
        next_steps: SECRET,
        open_files: [`${SECRET}.ts`],
      });
      const memo = await memory.memo.save({ fullText: `memo ${SECRET}`, keywords: ['deploy'] });
      const observed = await memory.mem.save({ title: SECRET, content: SECRET });
      const ids = [id, evidence?.[0] ?? '', anchor.id, checkpoint.id, memo.infoId, String(observed.id)];
      for (const each of ids) assert((await memory.redact(each)).texts > 0, each);
      await isGone(memory);
      const { records, problems } = await memory.inspect();
      assert.deepEqual([records.redaction, problems], [6, []]);
    });

    it('[C-1] what is called by a secret is renamed, and every place of it named, however it is written there', async () => {
      const memory = await engine.open();
      const name = 'Hunter2Secret';
      const first = await memory.mama.save({
        topic: `deploy ${name}`,
        decision: 'one',
        reasoning: 'carried over',
      });
      const second = await memory.decision.revise({ id: first.id, text: 'two' });
      const note = await memory.mem.save({ title: 'n', content: 'n', topic_key: name });
      const memo = await memory.memo.save({ fullText: `memo about ${name}`, keywords: [name] });
      const { remaining } = await memory.redact(memo.infoId, name);
      const keyword = remaining.find(({ what }) => what === 'keyword');
      assert(keyword, JSON.stringify(remaining));
      const named = remaining.map(({ id }) => id);
      assert(named.includes(first.id) && named.includes(String(note.id)));
      await memory.redact(keyword.id);
      await memory.redact(second.decision.id, name);
      const { remaining: none } = await memory.redact(String(note.id), name);
      assert.deepEqual(none, []);
      await isGone(memory, name);
      const topics = [first.id, second.decision.id].map((id) => memory.decision.get({ id }));
      const [one, other] = (await Promise.all(topics)).map(({ decision }) => decision.topic);
      assert(one?.startsWith('[REDACTED]') && one === other, 'the chain keeps one name');
      const whole = await memory.redact(first.id);
      assert(
        whole.remaining.some(({ id }) => id === second.decision.id),
        'the reasoning that was carried over',
      );
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[C-1] a memo with a long summary, a keyword that is another, and the type of an earlier text', async () => {
      const memory = await engine.open();
      const summary = `${'long '.repeat(37)}ab-cd`;
      const memo = await memory.memo.save({ summary, fullText: 'x', keywords: ['deploy'] });
      assert.equal((await memory.redact(memo.infoId, 'ab-cd')).texts, 1);
      const { remaining } = await memory.redact(memo.infoId, 'long');
      assert.deepEqual(remaining, []);
      await memory.keywords.record({ keywords: ['postgres'] });
      const { seq } = JSON.parse(
        (await exported(memory)).find((line) => line.includes('"name":"postgres"')) ?? '{}',
      );
      await refuses(memory.redact(`keyword:${seq}`, 'hunter2'), 'not_found');
      const { id } = await memory.mem.save({ title: 't', content: 'one', type: SECRET });
      const other = await memory.mem.save({ title: 'o', content: 'other' });
      await memory.mem.relate({ from_id: id, to_id: other.id, relation_type: SECRET });
      await memory.mem.update({ id, content: 'two', type: 'plain' });
      assert.deepEqual((await memory.redact(String(id), SECRET)).remaining, []);
      await isGone(memory);
    });

    it('[C-1] a Korean name is blanked however its letters are put together', async () => {
      const memory = await engine.open();
      for (const form of ['NFC', 'NFD'] as const) {
        const { id } = await memory.mem.save({ title: form, content: '담당은 홍길동'.normalize(form) });
        assert.equal((await memory.redact(String(id), '홍길동')).texts, 1, form);
        assert.match((await memory.mem.getObservation({ id })).content, /\[REDACTED\]$/);
      }
    });

    it('[C-1] what is not there, or too short to be a secret, is refused, and nothing changes', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({ topic: 't', decision: 'A decision' });
      const before = await exported(memory);
      await refuses(memory.redact('nothing'), 'not_found', 'nothing');
      await refuses(memory.redact('999'), 'not_found', '999');
      await refuses(memory.redact(id, 'not in it'), 'not_found', id);
      await refuses(memory.redact(id, 'A'), 'invalid', '2');
      await refuses(memory.redact(id, 'REDACTED'), 'invalid');
      assert.deepEqual(await exported(memory), before);
      await memory.mama.save({ topic: 't', decision: 'Another' });
      await refuses(memory.redact('t', 'A decision'), 'not_found', `Other versions have it: t@1 (${id}).`);
    });

    it('[C-2] repair changes nothing in a sound memory', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: '인증', decision: '쿠키를 쓴다', evidence: ['근거'] });
      await memory.mem.save({ title: 'note', content: 'content' });
      await memory.keywords.record({ keywords: ['unity', 'mirror'] });
      const before = await exported(memory);
      const found = await memory.search({ query: '쿠키 content' });
      await memory.repair();
      assert.deepEqual(await exported(memory), before);
      assert.deepEqual(await memory.search({ query: '쿠키 content' }), found);
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[C-3] a stream may take the place of what is there, and no number that was given out comes back', async () => {
      const source = await engine.open();
      await source.mem.save({ title: 'from the stream', content: 'source' });
      const lines = await exported(source);
      const target = await engine.open();
      await target.mama.save({ topic: 't', decision: 'mine', evidence: ['mine'] });
      await target.mama.save({ topic: 't', decision: 'mine, revised' });
      for (const title of ['a', 'b', 'c']) await target.mem.save({ title, content: title });
      await target.keywords.record({ keywords: ['unity', 'mirror'] });
      await refuses(target.import(lines), 'conflict');
      await target.import(lines, undefined, { replace: true });
      assert.deepEqual(linesOfRows(await exported(target)), linesOfRows(lines));
      assert.equal((await target.search({ query: 'mine' })).results.length, 0);
      assert.deepEqual((await target.inspect()).problems, []);
      const { id } = await target.mem.save({ title: 'next', content: 'next' });
      assert(id > 3, `${id}`);
      const whole = await exported(target);
      await refuses(target.import(lines.slice(0, -1), undefined, { replace: true }), 'invalid');
      assert.deepEqual(await exported(target), whole, 'half a stream takes no place');
    });
  });
}
