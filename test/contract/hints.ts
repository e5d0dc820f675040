import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { forModel, type Memory, openMemory } from '../../src/index.ts';
import { hintsOfRules } from '../../src/store/decisions/anchor.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { openRaw, storeOn } from '../support/raw-engine.ts';
import { exported } from '../support/stream.ts';

const HINTS = ['redis sessions', '세션을 레디스에', '@fastify/redis'];
const RULE = { topic: 'auth:session', decision: 'Sessions stay in PostgreSQL', strength: 'lock' } as const;

const hintsOf = async (memory: Memory, id: string, asOf?: string) =>
  (await memory.decision.get({ id, ...(asOf !== undefined && { asOf }) })).hints;

/** Phrases by which a decision is recalled. */
export function hints(engine: EngineUnderTest): void {
  describe('hints', () => {
    it('[RE-16] are shown with the version that is active now, until one has its own', async () => {
      const memory = await engine.open();
      const first = await memory.mama.save({ ...RULE, hints: HINTS });
      const { hints, anchors } = await memory.decision.get({ id: first.id });
      assert.deepEqual(hints, HINTS);
      assert.deepEqual(
        anchors.map(({ type, version }) => [type, version]),
        [['decision_link', 1]],
      );
      const change = { decision: 'Sessions stay in the database', reasoning: 'Any', replaces: first.id };
      const second = await memory.mama.save({ ...RULE, ...change });
      assert.deepEqual(await hintsOf(memory, 'auth:session'), HINTS, 'the new version has none of its own');
      const { decision } = await memory.show({ ref: 'auth:session' });
      assert.deepEqual(decision?.hints, HINTS);
      await memory.mama.update({ id: second.id, hints: ['valkey sessions'] });
      assert.deepEqual(await hintsOf(memory, 'auth:session'), ['valkey sessions']);
      // D-5: what was given to the first version stays with it.
      const all = (await memory.decision.get({ id: first.id })).anchors;
      assert.deepEqual(
        all.map(({ hint, version }) => [hint.split('\n').filter(Boolean).length, version]),
        [
          [HINTS.length, 1],
          [1, 2],
        ],
      );
      const model = forModel('decision_get', await memory.decision.get({ id: first.id }));
      const read = model as { hints?: string; anchors?: unknown };
      assert.deepEqual([read.hints, read.anchors], ['valkey sessions', undefined]);
    });

    it('[RE-16] [T-15] [D-11] find their decision, and stand beside it where all that binds is asked for', async () => {
      const memory = await engine.open();
      await memory.mama.save({ ...RULE, hints: HINTS });
      await memory.mama.save({ topic: 'ui:theme', decision: 'Dark colours' });
      for (const query of ['redis', '레디스']) {
        const [found] = (await memory.mama.search({ query })).results;
        assert.deepEqual([found?.topic, found?.anchors], ['auth:session', undefined], query);
      }
      const bound = await memory.decision.retrieve({ domain: 'auth' });
      assert.deepEqual(
        bound.anchors.map(({ hint }) => hint),
        [`${HINTS.join('\n')}\n`],
      );
      assert.doesNotMatch(JSON.stringify(forModel('decision_retrieve', bound)), /redis/);
    });

    it('[RE-16] are asked for once for a lock, an axis or a failure, in few words', async () => {
      const memory = await engine.open();
      const lock = await memory.mama.save(RULE);
      assert.match(lock.ask ?? '', /^No hints yet: only its own words recall this.*mama_update/);
      assert(String(lock.ask).length < 320, lock.ask);
      assert.match(JSON.stringify(forModel('mama_save', lock)), /No hints yet/);
      assert.equal((await memory.mama.save(RULE)).ask, undefined, 'nothing was changed');
      const next = { ...RULE, decision: 'Sessions stay here', reasoning: 'Any', replaces: lock.id };
      assert.equal((await memory.mama.save(next)).ask, undefined, 'it was asked for');
      const failed = { id: 'auth:session', outcome: 'failed', reason: 'Slow' } as const;
      assert.equal((await memory.mama.update(failed)).ask, undefined, 'on this topic it was asked for');

      const normal = await memory.mama.save({ topic: 'jobs:queue', decision: 'Jobs wait in Redis' });
      assert.equal(normal.ask, undefined);
      assert.match((await memory.mama.update({ ...failed, id: normal.id })).ask ?? '', /No hints yet/);
      assert.equal((await memory.mama.update({ ...failed, id: normal.id, reason: 'Lost' })).ask, undefined);

      const given = await memory.decision.save({ text: 'No Redis', strength: 'axis', hints: HINTS });
      assert.equal(given.ask, undefined, 'they were given');
      const revised = await memory.mama.save({ topic: 'web:cache', decision: 'Nothing is cached' });
      const bound = await memory.decision.revise({ id: revised.id, strength: 'lock' });
      assert.match(bound.ask ?? '', /No hints yet/);
      const line = { operation: 'mama_save', ...RULE, topic: 'a:c', hints: ['redis sessions'] };
      await memory.batch([JSON.stringify(line)]);
      assert.deepEqual(await hintsOf(memory, 'a:c'), ['redis sessions']);
    });

    it('[RE-16] are left out where they could not tell, and what they came with is saved', async () => {
      const memory = await engine.open();
      const many = Array.from({ length: 13 }, (_, at) => `redis store ${at}`);
      for (const [at, [wrong, said]] of (
        [
          [['keep the sessions in redis'], /“keep the sessions in redis” has 5 words, more than 4/],
          [['  ', ''], /an empty one; an empty one/],
          [['x'.repeat(81)], /“x+ …” has more than 80 characters/],
          [['redis\u0000store'], /has characters that no memory stores/],
          [
            ['pan', '메시', 'expensive', 'fix the test'],
            /“pan” is common or short: add a word.*“fix the test”/,
          ],
        ] as [string[], RegExp][]
      ).entries()) {
        const hints = ['valkey', ...wrong];
        const saved = await memory.mama.save({ topic: `s:${at}`, decision: 'd', hints });
        const other = await memory.decision.save({ text: `other ${at}`, topic: `d:${at}`, hints });
        const revised = await memory.decision.revise({ id: `d:${at}`, strength: 'lock', hints });
        const updated = await memory.mama.update({ id: saved.id, hints });
        for (const each of [saved, other, revised, updated]) {
          assert.match((each.warnings ?? []).join('\n'), said);
          assert.match((each.warnings ?? []).join('\n'), /^Left out of the hints: .*The rest was saved/);
        }
        assert.match(JSON.stringify(forModel('mama_save', saved)), /Left out of the hints/);
        assert.match(JSON.stringify(forModel('mama_update', updated)), /Left out of the hints/);
        assert.deepEqual(await hintsOf(memory, saved.id), ['valkey']);
        assert.deepEqual(await hintsOf(memory, `d:${at}`), ['valkey']);
      }
      const { id, warnings } = await memory.mama.save({ topic: 'many', decision: 'd', hints: many });
      assert.match(warnings.join('\n'), /: 1 beyond the limit of 12\./);
      assert.deepEqual(await hintsOf(memory, id), many.slice(0, 12));
      const line = { operation: 'mama_save', topic: 'batch', decision: 'd', hints: ['pan', 'valkey'] };
      const batch = await memory.batch([JSON.stringify(line)]);
      assert.match(JSON.stringify(batch), /Left out of the hints: “pan”/);
      assert.deepEqual(await hintsOf(memory, 'batch'), ['valkey']);
      await refuses(memory.mama.update({ id }), 'invalid', '"outcome"', '"hints"', 'missing');
      await refuses(memory.mama.update({ id, reason: 'slow', hints: HINTS }), 'invalid', '"outcome"');
      await memory.mama.update({ id, hints: ['  DROP   TABLE ', 'lodash.merge', 'terraform'] });
      assert.deepEqual(await hintsOf(memory, id), ['DROP TABLE', 'lodash.merge', 'terraform']);
    });

    it('[RE-16] are undone, brought back, read as of a moment, redacted, exported and synced as anchors are', async (test) => {
      let now = Date.parse('2026-10-01');
      const memory = await engine.open({ clock: () => now++ });
      const { id } = await memory.mama.save({ ...RULE, hints: HINTS });
      const before = new Date(now++).toISOString();
      await memory.mama.update({ id, hints: ['valkey sessions'] });
      assert.deepEqual(await hintsOf(memory, id, before), HINTS);
      await memory.undo({});
      assert.deepEqual(await hintsOf(memory, id), HINTS);
      await memory.undo({ redo: true });
      assert.deepEqual(await hintsOf(memory, id), ['valkey sessions']);
      await memory.undo({});

      const lines = await exported(memory);
      const copy = await engine.open();
      await copy.import(lines);
      assert.deepEqual(await hintsOf(copy, id), HINTS);
      assert.deepEqual((await copy.inspect()).problems, []);
      assert.match((await cypherOf(memory)).join(''), /hint: 'redis sessions\\u000a/);

      const folder = mkdtempSync(join(tmpdir(), 'precedent-hints-'));
      test.after(() => rmSync(folder, { recursive: true, force: true }));
      const there = await engine.open();
      for (const each of [memory, there]) await each.sync(folder);
      assert.deepEqual(await hintsOf(there, id), HINTS);

      const [anchor] = (await memory.decision.get({ id })).anchors;
      await memory.redact(anchor?.id ?? '', 'redis');
      assert.deepEqual((await hintsOf(memory, id))?.slice(1, 2), ['세션을 레디스에']);
      assert.doesNotMatch(JSON.stringify(await hintsOf(memory, id)), /redis/);
    });

    it('[RE-16] of what binds or failed are read with one statement, those that count of each chain', async () => {
      const place = engine.place();
      const memory = await openMemory(place);
      const lock = await memory.mama.save({ ...RULE, hints: ['redis sessions'] });
      const change = { decision: 'Sessions stay in the database', reasoning: 'Any', replaces: lock.id };
      const next = await memory.mama.save({ ...RULE, ...change });
      const queue = await memory.mama.save({ topic: 'jobs', decision: 'In Redis', hints: ['redis jobs'] });
      await memory.mama.save({ topic: 'ui', decision: 'Dark', hints: ['light theme'] });
      const gone = { topic: 'old', decision: 'None', strength: 'axis' as const, hints: ['legacy login'] };
      const { id } = await memory.mama.save(gone);
      await memory.decision.revise({ id, withdrawn: true, reasoning: 'Over' });
      const store = storeOn(await openRaw(place));
      const writer = { author: '', host: '', client: 'test', session: 'test' };
      const told = async () =>
        (await store.read(writer, hintsOfRules)).map((each) => [each.id, each.hints]).sort();
      assert.deepEqual(await told(), [[next.id, 'redis sessions\n']]);
      await memory.mama.update({ id: queue.id, outcome: 'failed', hints: ['redis queue', 'redis jobs'] });
      const both = [
        [next.id, 'redis sessions\n'],
        [queue.id, 'redis queue\nredis jobs\n'],
      ];
      assert.deepEqual(await told(), both.sort());
      const again = await memory.mama.save({ topic: 'jobs', decision: 'In a table', reasoning: 'Lost' });
      assert.deepEqual(
        (await told()).map(([of]) => of),
        [next.id, again.id].sort(),
        'the newest version of a chain that failed',
      );
      await memory.close();
    });
  });
}

async function cypherOf(memory: Memory): Promise<string[]> {
  const lines: string[] = [];
  await memory.export('cypher', (line) => lines.push(line));
  return lines;
}
