import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { walk } from './lists.ts';

const KIM = 'Kim <kim@example.com>';

/** A decision with everything around it. */
async function live(engine: EngineUnderTest) {
  const memory = await engine.openFast(fixed());
  const by = (author: string) => ({ author, client: 'test' });
  const call = async (author: string, name: string, input: object) => memory.call(name, input, by(author));
  await call(KIM, 'mem_save', { title: 'Clock', content: 'drifts 90 s', topic_key: 'clock' });
  await call('Lee', 'mem_save', { title: 'Clock', content: 'drifts 92 s', topic_key: 'clock' });
  const first = await call(KIM, 'mama_save', {
    topic: 'auth:token',
    decision: 'Keep JWTs in local storage',
    reasoning: 'No server state',
    evidence: ['a log\nof two lines'],
  });
  await call(KIM, 'mama_update', { id: first.id, outcome: 'partial', reason: 'half of it' });
  await call('Lee', 'mama_update', { id: first.id, outcome: 'failed', reason: 'stolen' });
  await call(KIM, 'mama_save', {
    topic: 'db:engine',
    decision: 'SQLite',
    reasoning: 'builds_on: auth:token',
  });
  await call('Lee', 'mama_save', {
    topic: 'auth:token',
    decision: 'Keep cookies in local storage',
    reasoning: 'debates: db:engine, since it is known',
    strength: 'lock',
  });
  const { evidence } = await memory.evidence.save({ decisionRef: 'auth:token', observationId: 1 });
  const pointing = { hint: 'the log', targetRef: evidence.id, type: 'evidence_link' };
  const { anchor } = (await call(KIM, 'anchor_save', pointing)) as { anchor: { id: string } };
  const infoId = String((await call('Lee', 'memo_save', { fullText: 'a memo', keywords: ['token'] })).infoId);
  const checkpoint = await memory.mama.save({ type: 'checkpoint', summary: 'half way' });
  return { memory, first: String(first.id), evidence, anchor, infoId, checkpoint: checkpoint.id };
}

/** Any record whole, its history, and what differs. */
export function show(engine: EngineUnderTest): void {
  describe('show, history, diff', () => {
    it('[U-2] a decision is shown with every version’s reason and outcomes, who and when, its grounds and both sides of its links', async () => {
      const { memory, first, evidence, anchor } = await live(engine);
      const { kind, decision } = await memory.show({ ref: 'AUTH:token' });
      assert.equal(kind, 'decision');
      assert(decision);
      assert.deepEqual([decision.decision.topic, decision.decision.version], ['auth:token', 2]);
      assert.deepEqual(
        decision.versions.map((each) => [
          each.version,
          each.status,
          each.reasoning,
          each.author,
          each.strength,
        ]),
        [
          [2, 'active', 'debates: db:engine, since it is known', 'Lee', 'lock'],
          [1, 'superseded', 'No server state', KIM, 'normal'],
        ],
      );
      const [, oldest] = decision.versions;
      assert.deepEqual(
        oldest?.outcomes.map(({ outcome, reason, author }) => [outcome, reason, author]),
        [
          ['partial', 'half of it', KIM],
          ['failed', 'stolen', 'Lee'],
        ],
      );
      assert.match(decision.earlier_failure ?? '', /JWTs in local storage” — “stolen”/);
      assert.deepEqual(
        decision.evidence.map(({ version, content, observation_id, observation }) => [
          version,
          content,
          observation_id,
          observation,
        ]),
        [
          [1, 'a log\nof two lines', undefined, undefined],
          [2, 'drifts 92 s', 1, 'Clock'],
        ],
      );
      assert.equal(decision.evidence[1]?.id, evidence.id);
      assert.deepEqual(
        decision.anchors.map(({ id }) => id),
        [anchor.id],
      );
      const named = (links: typeof decision.edges.outgoing) =>
        links.map(({ relationship, version, decision }) => [
          version,
          relationship,
          decision.topic,
          decision.status,
        ]);
      assert.deepEqual(named(decision.edges.outgoing), [[2, 'debates', 'db:engine', 'active']]);
      assert.deepEqual(named(decision.edges.incoming), [[1, 'builds_on', 'db:engine', 'active']]);
      assert.equal((await memory.show({ ref: 'auth:token@1' })).decision?.decision.version, 1);
      assert.equal((await memory.show({ ref: first })).decision?.decision.id, first);
    });

    it('[U-2] any record is shown by what it is called, with what rests on it', async () => {
      const { memory, evidence, anchor, infoId, checkpoint } = await live(engine);
      const { observation } = await memory.show({ ref: '#1' });
      assert.deepEqual(
        [
          observation?.content,
          observation?.author,
          observation?.revisions?.map(({ content, author }) => [content, author]),
        ],
        ['drifts 92 s', 'Lee', [['drifts 90 s', KIM]]],
      );
      assert.deepEqual(
        observation?.dependents.map(({ topic, version }) => [topic, version]),
        [['auth:token', 2]],
      );
      assert.equal((await memory.show({ ref: '1' })).kind, 'observation');
      const shown = await memory.show({ ref: evidence.id });
      assert.deepEqual(
        [shown.kind, shown.evidence?.content, shown.evidence?.observation_id, shown.evidence?.decision.topic],
        ['evidence', 'drifts 92 s', 1, 'auth:token'],
      );
      const anchored = (await memory.show({ ref: anchor.id })).anchor;
      assert.deepEqual(
        [anchored?.hint, anchored?.decision.topic, anchored?.version, anchored?.author],
        ['the log', 'auth:token', 2, KIM],
      );
      const { memo } = await memory.show({ ref: infoId });
      assert.deepEqual([memo?.full_text, memo?.author], ['a memo', 'Lee']);
      assert.equal((await memory.show({ ref: checkpoint })).checkpoint?.summary, 'half way');
      await refuses(memory.show({ ref: 'auth:tokn' }), 'not_found', 'a record', 'Did you mean "auth:token"?');
      await refuses(memory.show({ ref: '#9' }), 'not_found', 'found "#9"');
      await refuses(
        memory.history({ ref: evidence.id }),
        'not_found',
        'a decision or observation',
        'which is an evidence',
      );
    });

    it('[U-6] a history is whole in pages of any size, the newest first, with reasons and outcomes', async () => {
      const { memory } = await live(engine);
      for (const limit of [1, 50]) {
        const chain = await walk(memory, 'history', { ref: 'auth:token', limit });
        assert.deepEqual(
          chain.flatMap(({ versions }) => versions.map(({ text }: { text: string }) => text)),
          ['Keep cookies in local storage', 'Keep JWTs in local storage'],
        );
        const texts = await walk(memory, 'history', { ref: '#1', limit });
        assert.deepEqual(
          texts.flatMap((page) => page.texts.map(({ content }: { content: string }) => content)),
          ['drifts 92 s', 'drifts 90 s'],
        );
        for (const { total } of [...chain, ...texts]) assert.equal(total, 2);
      }
    });

    it('[U-6] two versions differ word by word, in each field that differs', async () => {
      const { memory } = await live(engine);
      const compare = async (ref: string, other?: string) => {
        const given = other === undefined ? {} : { other };
        const { compared } = await memory.history({ ref, diff: true, ...given });
        assert(compared);
        return compared;
      };
      const { from, to, fields } = await compare('auth:token');
      assert.deepEqual([from.name, to.name], ['auth:token@1', 'auth:token@2']);
      assert.deepEqual(
        fields.map(({ field }) => field),
        ['text', 'reasoning', 'strength'],
      );
      assert.deepEqual(fields[0]?.changes, [
        { kind: 'same', text: 'Keep ' },
        { kind: 'removed', text: 'JWTs' },
        { kind: 'added', text: 'cookies' },
        { kind: 'same', text: ' in local storage' },
      ]);
      const back = await compare('auth:token@2', 'auth:token@1');
      assert.deepEqual([back.from.name, back.to.name], [to.name, from.name]);
      const [content] = (await compare('#1')).fields;
      assert.deepEqual(
        content?.changes.map(({ text }) => text),
        ['drifts ', '90', '92', ' s'],
      );
      assert.deepEqual((await compare('#1', '#1')).fields, []);
      await refuses(compare('db:engine'), 'invalid', 'a second reference', 'which is the first');
    });

    it('[U-6] long texts that have nothing in common are compared at once', async () => {
      const memory = await engine.openFast(fixed());
      for (const word of ['one', 'two'])
        await memory.mem.save({
          title: 'long',
          content: `${word}\n`.repeat(49_000) + word,
          topic_key: 'long',
        });
      const { compared } = await memory.history({ ref: '#1', diff: true });
      assert.deepEqual(
        compared?.fields.map(({ changes }) => changes.map(({ kind }) => kind)),
        [['removed', 'added']],
      );
    });
  });
}
