import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

const RULE = { topic: 'auth:token', decision: 'Use cookies' };

/** LB-3: calls that belong together. */
export function transactions(engine: EngineUnderTest): void {
  describe('a transaction of a program', () => {
    /** However slow the machine is, what never ends is not done by then. */
    const ending = (timeout: number) => ({ timeout });
    const count = async (memory: Memory) => (await memory.timeline()).entries.length;

    it('[LB-3] saves with the ids of what it saved before, reads it, and one undo takes all of it back', async () => {
      const memory = await engine.open();
      const before = await memory.mem.save({ title: 'Cause', content: 'The pool ran dry' });
      await memory.mama.save(RULE);
      const id = await memory.transaction(async (tx) => {
        const saved = await tx.mama.save({
          ...RULE,
          decision: 'Use tokens',
          reasoning: 'Cookies were stolen',
        });
        await tx.evidence.save({ decisionRef: saved.id, content: 'see the log' });
        await tx.mama.update({ id: saved.id, outcome: 'failed', reason: 'Too long' });
        await tx.mama.update({ id: saved.id, outcome: 'success', reason: 'Shortened' });
        const note = await tx.mem.save({ title: 'Cure', content: 'Two pools' });
        await tx.mem.relate({ from_id: before.id, relation_type: 'cured_by', to_id: note.id });
        await tx.mem.update({ id: before.id, content: 'The pool ran dry at noon' });
        await tx.mem.update({ id: before.id, content: 'The pool ran dry at night' });
        const { decision } = await tx.decision.get({ id: saved.id });
        assert.equal(decision.text, 'Use tokens');
        assert.equal((await tx.recall({ task: 'tokens' })).entries[0]?.id, saved.id);
        return saved.id;
      });
      const whole = await memory.decision.get({ id });
      assert.deepEqual(
        [
          whole.versions.length,
          whole.evidence.length,
          whole.versions.flatMap(({ outcomes }) => outcomes).length,
        ],
        [2, 1, 2],
      );
      assert.deepEqual((await memory.inspect()).problems, []);
      const { saves } = await memory.undo();
      assert.equal(saves, 1);
      assert.equal((await memory.decision.get({ id: RULE.topic })).decision.text, 'Use cookies');
      const note = await memory.mem.getObservation({ id: before.id });
      assert.deepEqual([note.content, note.relations.outgoing.length], ['The pool ran dry', 0]);
      assert.equal((await memory.mem.search({ query: 'cure' })).total, 0);
      await memory.undo({ redo: true });
      assert.equal((await memory.decision.get({ id: RULE.topic })).decision.text, 'Use tokens');
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[LB-3] keeps nothing where its function throws, a save is refused, or its signal comes', async () => {
      const memory = await engine.open();
      const boom = new Error('boom');
      await assert.rejects(
        memory.transaction(async (tx) => {
          await tx.mama.save(RULE);
          throw boom;
        }),
        (error) => error === boom,
      );
      await refuses(
        memory.transaction(async (tx) => {
          await tx.mama.save(RULE);
          await tx.mama.update({ id: 'nobody', outcome: 'failed', reason: 'x' }).catch(() => {});
        }),
        'not_found',
        'nobody',
      );
      for (const refused of [
        { topic: 'a' },
        { ...RULE, topic: 'x'.repeat(10_000) },
        { ...RULE, nope: 1 },
        { ...RULE, date: 'never' },
      ])
        await refuses(
          memory.transaction(async (tx) => {
            await tx.mama.save(RULE);
            await tx.mama.save(refused as typeof RULE).catch(() => {});
          }),
          'invalid',
          'Expected',
        );
      await refuses(
        memory.transaction(async (tx) => {
          await tx.mama.save(RULE);
          await tx.mama.save(RULE, { writer: { name: 'Kim' } as object }).catch(() => {});
        }),
        'invalid',
        'writer',
      );
      const stop = new AbortController();
      const aborted = memory.transaction(
        async (tx) => {
          await tx.mama.save(RULE);
          stop.abort(boom);
          await new Promise(() => {});
        },
        { signal: stop.signal },
      );
      await assert.rejects(aborted, (error) => error === boom);
      assert.equal(await count(memory), 0);
      assert.equal((await memory.mama.save(RULE)).version, 1);
    });

    it('[LB-3] goes on after a read that was refused, and makes calls in their order', async () => {
      const memory = await engine.open();
      const versions = await memory.transaction(async (tx) => {
        await refuses(tx.decision.get({ id: 'nobody' }), 'not_found');
        const saves = ['one', 'two', 'three'].map((decision) => tx.mama.save({ ...RULE, decision }));
        return (await Promise.all(saves)).map(({ version }) => version);
      });
      assert.deepEqual(
        versions.toSorted((a, b) => Number(a) - Number(b)),
        [1, 2, 3],
      );
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[LB-3] refuses calls of the memory itself, calls after its end, the past and undo', async () => {
      const memory = await engine.open();
      await memory.mama.save(RULE);
      let late: Parameters<Parameters<Memory['transaction']>[0]>[0] | undefined;
      await memory.transaction(async (tx) => {
        late = tx;
        await refuses(memory.mama.save(RULE), 'invalid', 'inside one of its callbacks');
        await refuses(
          memory.transaction(async () => {}),
          'invalid',
          'inside one of its callbacks',
        );
        await refuses(tx.timeline({ as_of: '2001-01-01' }), 'invalid', 'timeline');
      });
      await refuses(late?.mama.save(RULE) ?? assert.fail(), 'invalid', 'after its end');
      await refuses(
        memory.transaction((tx) => (tx as unknown as Memory).undo()),
        'invalid',
        'undo',
      );
      assert.equal(await count(memory), 1);
    });

    it('[LB-5] runs what a model called, as the rest of it', async () => {
      const memory = await engine.open();
      await memory.transaction(async (tx) => {
        const tools = new Map(tx.tools('all').map((tool) => [tool.name, tool]));
        const run = (name: string, given: unknown) => tools.get(name)?.run(given) ?? assert.fail(name);
        const saved = await run('mama_save', RULE);
        await run('mama_update', JSON.stringify({ id: saved.id, outcome: 'failed', reason: 'Stolen' }));
        assert.equal((await tx.decision.get({ id: RULE.topic })).decision.outcome, 'failed');
      });
      const { saves } = await memory.undo();
      assert.deepEqual([saves, (await memory.decision.list()).total], [1, 0]);
      const refused = memory.transaction(async (tx) => {
        const running = tx
          .tools()
          .find(({ name }) => name === 'mama_save')
          ?.run('{ "topic": "a:b", "decision')
          .catch(() => {});
        await tx.mama.save(RULE);
        await running;
      });
      await refuses(refused, 'invalid', 'incomplete');
      assert.equal((await memory.decision.list()).total, 0);
    });

    it('[LB-3] one that never ends is ended, and others write again', async () => {
      const memory = await engine.open();
      const never = memory.transaction(async (tx) => {
        await tx.mama.save(RULE);
        await new Promise(() => {});
      }, ending(1));
      await assert.rejects(never, { code: 'unavailable', reason: 'too_slow' });
      assert.equal((await memory.mama.save(RULE)).version, 1);
      await refuses(memory.transaction(5 as never), 'invalid', 'a function');
      await refuses(
        memory.transaction(async () => {}, ending(0)),
        'invalid',
        'milliseconds',
      );
    });

    it('[LB-3] calls that were made before the memory is closed are made', async () => {
      const place = engine.place();
      const { openMemory } = await import('../../src/index.ts');
      const closing = await openMemory(place);
      const decisions = Array.from({ length: 12 }, (_, n) => `Cookies of ${n} kinds`);
      const saves = decisions.map((decision) => closing.mama.save({ ...RULE, decision }));
      const together = closing.transaction((tx) => tx.mama.save({ topic: 'a', decision: 'A' }));
      const batch = closing.batch([{ operation: 'mem_save', title: 'A', content: 'a' }]);
      const lines: string[] = [];
      const exported = closing.export('jsonl', (line) => lines.push(line));
      await closing.close();
      // Calls that nobody waited for are made in any order.
      const versions = (await Promise.all(saves)).map(({ version }) => version);
      assert.deepEqual(new Set(versions), new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));
      assert.equal((await together).version, 1);
      assert.equal((await batch).saved, 1);
      await exported;
      assert(lines.length > 1, `${lines.length} lines`);
      await assert.rejects(closing.mama.save(RULE), { code: 'unavailable', reason: 'closed' });
    });

    it('[LB-3] is made in the name of who is named, as a whole or call by call', async () => {
      const memory = await engine.open();
      const ids = await memory.transaction(
        async (tx) => [
          (await tx.mama.save({ topic: 'a', decision: 'A' })).id,
          (await tx.mama.save({ topic: 'b', decision: 'B' }, { writer: { author: 'Lee' } })).id,
        ],
        { writer: { author: 'Kim' } },
      );
      const authors = ids.map(async (id) => (await memory.decision.get({ id })).decision.author);
      assert.deepEqual(await Promise.all(authors), ['Kim', 'Lee']);
    });

    it('[LB-3] a batch takes objects, and answers each', async () => {
      const memory = await engine.open();
      const { saved, results } = await memory.batch([
        { operation: 'mama_save', ...RULE },
        JSON.stringify({ operation: 'mem_save', title: 'A', content: 'a' }),
        { operation: 'mama_update', id: 'line 1', outcome: 'failed', reason: 'x' },
      ]);
      assert.equal(saved, 3);
      assert.deepEqual(
        results.map(({ version }) => version),
        [1, undefined],
      );
      assert.equal(
        (await memory.decision.get({ id: String(results[0]?.id) })).versions[0]?.outcomes.length,
        1,
      );
      await refuses(memory.batch([5 as never]), 'invalid', 'Line 1', 'a JSON object');
    });

    it('[LB-3] [LB-4] a batch links what its own lines saved, in fields and in reasoning', async () => {
      const memory = await engine.open();
      const { results, warnings } = await memory.batch([
        { operation: 'mama_save', topic: 'a:one', decision: 'One' },
        { operation: 'mama_save', topic: 'a:two', decision: 'Two', builds_on: ['line 1'] },
        { operation: 'decision_save', text: 'Three', buildsOn: ['a:one'], debates: ['line 2'] },
        {
          operation: 'mama_save',
          topic: 'a:four',
          decision: 'Four',
          reasoning:
            'As line 1 says.\nbuilds_on: line 1, line 2\n**debates**: [line 3]\n> debates: [line 2]\nsynthesizes: [line 9]',
        },
      ]);
      const ids = results.map(({ id, decision }) => String(id ?? (decision as { id: string }).id));
      const [one, two, three] = ids;
      const edges = async (at: number) => {
        const { outgoing } = (await memory.decision.get({ id: String(ids[at]) })).edges;
        return ['builds_on', 'debates'].map((kind) =>
          outgoing.flatMap((edge) => (edge.relationship === kind ? [edge.decision.id] : [])).sort(),
        );
      };
      assert.deepEqual(await edges(1), [[one], []]);
      assert.deepEqual(await edges(2), [[one], [two]]);
      assert.deepEqual(await edges(3), [[one, two].sort(), [three]]);
      const { decision } = await memory.decision.get({ id: 'a:four' });
      assert.match(decision.reasoning ?? '', /^As line 1 says\.\n[\s\S]*\n> debates: \[line 2\]\n.*line 9/);
      assert.equal(warnings.length, 1, warnings.join());
      await memory.undo();
      assert.equal((await memory.mama.search({})).total, 0);
    });
  });
}
