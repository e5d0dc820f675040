import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  byFactKind,
  type CheckpointFact,
  type DecisionFact,
  type FactKind,
  type Facts,
  type RelationFact,
  type Tally,
} from '../src/domain/import/facts.ts';
import type { Memory } from '../src/index.ts';
import { type EngineUnderTest, engines, optionsOf } from './support/engines.ts';
import { DAY, decided, found, observed, rowsOf, START } from './support/facts.ts';
import { runs } from './support/part.ts';
import { randomFacts } from './support/random-facts.ts';
import { exported } from './support/stream.ts';

/** The same decision without the id that another tool gave it: all its ids are made of its key. */
function keyed(day: number, more: Partial<DecisionFact>): DecisionFact {
  const { id: _, ...fact } = decided('a', day, more);
  return fact;
}
const evidence = (text: string) => [{ text, at: START }];
const turnedOut = (outcome: 'success' | 'failed', day: number) => ({
  outcome,
  reason: null,
  at: START + day * DAY,
});
const withdrawn = { reason: 'failed', at: START + 2 * DAY };
const WHOLE = { evidence: evidence('e'), outcome: turnedOut('failed', 2), withdrawn };
const relation = (more: Partial<RelationFact> = {}): RelationFact => ({
  key: 'r',
  at: START,
  from: 'one',
  to: 'two',
  type: 'causes',
  note: null,
  ...more,
});
const notes = [observed('one', 1), observed('two', 2)];

/** What the first machine imports, and then, after an export of that came into it, the second; with the counts of the last. */
const CASES: Record<
  string,
  { first: Facts[]; second: Facts[]; last: Partial<Record<FactKind, Partial<Tally>>> }
> = {
  'evidence of an earlier text': {
    first: [found({ decisions: [keyed(1, { text: 'queue', evidence: evidence('queue') })] })],
    second: [
      found({ decisions: [keyed(1, { text: 'cache', evidence: evidence('cache') })] }),
      found({ decisions: [keyed(1, { text: 'queue', evidence: evidence('queue') })] }),
    ],
    last: { decisions: { changed: 1 } },
  },
  'an earlier outcome': {
    first: [found({ decisions: [keyed(1, { outcome: turnedOut('success', 2) })] })],
    second: [
      found({ decisions: [keyed(1, { outcome: turnedOut('failed', 3) })] }),
      found({ decisions: [keyed(1, { outcome: turnedOut('success', 4) })] }),
    ],
    last: { decisions: { changed: 1 } },
  },
  'a withdrawal': {
    first: [found({ decisions: [keyed(1, { withdrawn })] })],
    second: [found({ decisions: [keyed(1, {})] }), found({ decisions: [keyed(1, { withdrawn })] })],
    last: { decisions: { same: 1 } },
  },
  'a decision that got an id there since': {
    first: [found({ decisions: [keyed(1, WHOLE)] })],
    second: [found({ decisions: [decided('a', 1, WHOLE)] })],
    last: { decisions: { same: 1 } },
  },
  'a decision that lost its id there': {
    first: [found({ decisions: [decided('a', 1, WHOLE)] })],
    second: [found({ decisions: [keyed(1, WHOLE)] })],
    last: { decisions: { new: 1 } },
  },
  'notes and a relation': {
    first: [found({ observations: notes, relations: [relation()] })],
    second: [found({ observations: notes, relations: [relation()] })],
    last: { observations: { same: 2 }, relations: { same: 1 } },
  },
  'a note and a relation that changed there': {
    first: [found({ observations: notes, relations: [relation()] })],
    second: [
      found({
        observations: [
          observed('one', 1, { content: 'more', updatedAt: START + 9 * DAY }),
          ...notes.slice(1),
        ],
        relations: [relation({ type: 'blocks' })],
      }),
    ],
    last: { observations: { same: 1, changed: 1 }, relations: { changed: 1 } },
  },
};

/** A used memory into which an export of another comes, which imported the same source. */
async function shared(engine: EngineUnderTest, first: Facts[]): Promise<[Memory, Memory]> {
  const [kim, lee] = [await engine.openFast(), await engine.openFast()];
  await lee.mem.save({ title: 'own', content: 'own' });
  for (const facts of first) await kim.merge(facts);
  await lee.import(await exported(kim), undefined, { merge: true });
  return [kim, lee];
}

for (const engine of engines) {
  describe(`a source that two machines import, on ${engine.name}`, optionsOf(engine), () => {
    for (const [what, { first, second, last }] of Object.entries(CASES))
      it(`[I-2] [Y-9] is known where an export brought it: ${what}`, async () => {
        const [kim, lee] = await shared(engine, first);
        await using _ = kim;
        await using memory = lee;
        let merged: Awaited<ReturnType<Memory['merge']>> | undefined;
        for (const facts of second) merged = await memory.merge(facts);
        const counts = byFactKind((kind) => merged?.[kind]);
        assert.deepEqual(
          counts,
          byFactKind((kind) => ({ new: 0, changed: 0, same: 0, ...last[kind] })),
        );
        assert.deepEqual(merged?.conflicts, []);
        assert.deepEqual((await memory.inspect()).problems, []);
      });

    it('[I-2] [Y-9] a note that was corrected or deleted on one machine stays so on the other', async () => {
      const [kim, lee] = await shared(engine, []);
      await using _ = kim;
      await using memory = lee;
      await kim.merge(found({ observations: notes }));
      await kim.mem.update({ id: 1, content: 'corrected' });
      await kim.delete({ ref: 2 });
      await memory.import(await exported(kim), undefined, { merge: true });
      const again = await memory.merge(found({ observations: notes }));
      assert.deepEqual([again.observations.same, again.conflicts], [2, []]);
      const changed = await memory.merge(
        found({
          observations: notes.map((note) => ({ ...note, content: 'new', updatedAt: START + 9 * DAY })),
        }),
      );
      assert.equal(changed.conflicts.length, 2);
      const rows = (await rowsOf(memory, 'observations')).filter(({ title }) => title !== 'own');
      assert.deepEqual(
        rows.map(({ content, deletedAt }) => [content, deletedAt !== null]),
        [
          ['corrected', false],
          ['about two', true],
        ],
      );
    });

    it('[I-2] [Y-9] whatever it holds: nothing is new', async () => {
      await fc.assert(
        fc.asyncProperty(randomFacts, async (facts) => {
          const [kim, lee] = await shared(engine, [facts]);
          await using _ = kim;
          await using memory = lee;
          const { decisions, observations, relations, conflicts } = await memory.merge(facts);
          assert.deepEqual([decisions.new, observations.new, relations.new, conflicts], [0, 0, 0, []]);
          assert.deepEqual((await memory.inspect()).problems, []);
        }),
        { ...runs(6, 40), endOnFailure: true },
      );
    });

    it('[I-2] a checkpoint that says an earlier text again, and the next one, too, is a new one each time', async () => {
      await using memory = await engine.openFast();
      const said = (summary: string): CheckpointFact[] => [
        { key: 'c', at: START, summary, nextSteps: null, openFiles: [] },
      ];
      for (const summary of ['one', 'two', 'one', 'two'])
        await memory.merge(found({ checkpoints: said(summary) }));
      const rows = await rowsOf(memory, 'checkpoints');
      assert.deepEqual(
        rows.map(({ summary }) => summary),
        ['one', 'two', 'one', 'two'],
      );
    });
  });
}
