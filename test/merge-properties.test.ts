import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Facts } from '../src/domain/import/facts.ts';
import type { Memory } from '../src/index.ts';
import { type EngineUnderTest, enginesInTurn, fixed, optionsOf, sqlite } from './support/engines.ts';
import { everyFormat } from './support/exported.ts';
import { bytesOf, DAY, found, rowsOf, START } from './support/facts.ts';
import { runs } from './support/part.ts';
import { generator } from './support/random.ts';
import { randomFacts, shuffled, someOf } from './support/random-facts.ts';
import { exported, linesOfRows, type Row } from './support/stream.ts';
import { withoutNumbers } from './support/without-numbers.ts';

/** Sources that are tried on each engine. */
const RUNS: Record<string, number> = { SQLite: 24, PostgreSQL: 8 };

/** A memory in which nothing is, or in which people saved on the topics and keys of the source. */
async function memoryOn(engine: EngineUnderTest, isUsed: boolean): Promise<Memory> {
  const memory = await engine.openFast({ ...fixed(START + 400 * DAY), writer: { session: 'here' } });
  if (!isUsed) return memory;
  const date = (day: number) => new Date(START + day * DAY).toISOString();
  await memory.mama.save({ topic: 'Auth', decision: 'here first', date: date(5), evidence: ['here'] });
  const { id } = await memory.mama.save({ topic: 'auth', decision: 'here then', date: date(15) });
  await memory.mama.save({ topic: 'own', decision: 'own', reasoning: 'builds_on: auth', date: date(16) });
  await memory.mama.update({ id, outcome: 'failed', reason: 'here' });
  await memory.mem.save({ title: 'o1', content: 'written here', topic_key: 'o1' });
  return memory;
}

/** Says only what differs: a memory is long. */
function remembersTheSame(found: string[], expected: string[], what: string): void {
  const without = (all: string[], others: string[]) => all.filter((row) => !others.includes(row));
  assert.deepEqual(without(found, expected), without(expected, found), what);
}

/** How many rows each table has. */
async function rowCounts(memory: Memory): Promise<Map<string, number>> {
  const rows = linesOfRows(await exported(memory)).map((line) => JSON.parse(line) as Row);
  return new Map([...Map.groupBy(rows, ({ table }) => table)].map(([table, of]) => [table, of.length]));
}

for (const engine of enginesInTurn(1)) {
  describe(`any source, on ${engine.name}`, optionsOf(engine), () => {
    it('[I-2] [D-22] in one go, in parts, in another order, twice, into a used memory: it remembers the same', async () => {
      await fc.assert(
        fc.asyncProperty(randomFacts, fc.nat(), fc.boolean(), async (facts, seed, isUsed) => {
          const random = generator(seed);
          const whole = await memoryOn(engine, isUsed);
          await whole.merge(facts);
          const expected = await withoutNumbers(whole);
          const bytes = await bytesOf(whole);
          const again = await whole.merge(facts);
          assert.equal(await bytesOf(whole), bytes, 'twice is once');
          assert.deepEqual([again.conflicts, again.renumbered], [[], []]);
          await whole.merge(shuffled(facts, random));
          assert.equal(await bytesOf(whole), bytes, 'so it is in another order');
          const other = await memoryOn(engine, isUsed);
          await other.merge(shuffled(facts, random));
          remembersTheSame(await withoutNumbers(other), expected, 'in another order');
          const parts = await memoryOn(engine, isUsed);
          await parts.merge(someOf(facts, random));
          await parts.merge(someOf(facts, random));
          await parts.merge(facts);
          // When a version gave way is told by whichever came first: that is not set back. Neither is which version its author
          // saw, which the part with that version alone could say (Y-6).
          const undated = (rows: string[]) =>
            rows.map((row) =>
              row.replace(/"basedOn":[^,]+,/, '').replace(/("isActive":0.*)"updatedAt":\d+/, '$1'),
            );
          remembersTheSame(undated(await withoutNumbers(parts)), undated(expected), 'in parts');
          assert.deepEqual((await parts.inspect()).problems, []);
          for (const memory of [whole, other, parts]) await memory.close();
        }),
        { ...runs(RUNS[engine.name] ?? 0, 20), endOnFailure: true },
      );
    });

    it('[I-2] [I-5] what came from any source, whole or in parts, is exported with the bytes that SQLite gives', async () => {
      await fc.assert(
        fc.asyncProperty(randomFacts, fc.nat(), fc.boolean(), async (facts, seed, isUsed) => {
          const exportedFrom = async (each: EngineUnderTest) => {
            await using memory = await memoryOn(each, isUsed);
            const random = generator(seed);
            const said = [];
            for (const piece of [someOf(facts, random), shuffled(facts, random)])
              said.push(await memory.merge(piece));
            return { said, bytes: await bytesOf(memory), formats: await everyFormat(memory) };
          };
          assert.deepEqual(await exportedFrom(engine), await exportedFrom(sqlite));
        }),
        { ...runs(RUNS[engine.name] ?? 0, 22), endOnFailure: true },
      );
    });

    it('[I-2] one row that changed there gives exactly one version, outcome or revision, or is reported and touches nothing', async () => {
      await fc.assert(
        fc.asyncProperty(randomFacts, fc.nat(), fc.boolean(), async (facts, pick, isUsed) => {
          await using memory = await memoryOn(engine, isUsed);
          await memory.merge(facts);
          const { decisions, observations } = facts;
          const last = START + 90 * DAY;
          const replaced = <T>(all: T[], change: (fact: T) => T) =>
            all.map((fact, n) => (n === pick % all.length ? change(fact) : fact));
          /** What an import of this adds; nothing beside a conflict. */
          const added = async (changed: Facts) => {
            const [before, bytes] = [await rowCounts(memory), await bytesOf(memory)];
            const { conflicts } = await memory.merge(changed);
            if (conflicts.length > 0) assert.equal(await bytesOf(memory), bytes, JSON.stringify(conflicts));
            const after = await rowCounts(memory);
            const grown = [...after].map(
              ([table, count]) => [table, count - (before.get(table) ?? 0)] as const,
            );
            const more = Object.fromEntries(grown.filter(([, count]) => count !== 0));
            return { more, conflicts: conflicts.length };
          };
          const texts = observations.map((fact) => ({ ...fact, content: 'changed there', updatedAt: last }));
          if (observations.length > 0) {
            const revised = await added({
              ...facts,
              observations: replaced(observations, (fact) => ({
                ...fact,
                content: 'changed',
                updatedAt: last,
              })),
            });
            assert.deepEqual(revised, { more: { observationRevisions: 1, changes: 1 }, conflicts: 0 });
            for (const { id } of await rowsOf(memory, 'observations'))
              await memory.mem.update({ id: Number(id), content: 'changed here' }).catch(() => {});
            const deleted = observations.filter(({ deletedAt }) => deletedAt !== undefined).length;
            const both = await memory.merge({ ...facts, observations: texts });
            assert.equal(both.conflicts.length, observations.length - deleted, 'both changed');
          }
          if (decisions.length === 0) return;
          const outcome = { outcome: 'failed' as const, reason: 'since', at: last };
          const given = replaced(decisions, (fact) => ({ ...fact, outcome }));
          const outcomes = await added(found({ decisions: given }));
          assert.deepEqual(outcomes, { more: { outcomes: 1, records: 1, origins: 1 }, conflicts: 0 });
          const said = replaced(given, (fact) => ({ ...fact, text: 'another', updatedAt: last }));
          const versions = await added(found({ decisions: said }));
          if (versions.conflicts > 0) assert.deepEqual(versions, { more: {}, conflicts: 1 });
          else
            assert.deepEqual(
              [versions.more.decisions, versions.more.records, versions.more.outcomes],
              [1, 1, undefined],
            );
          assert.deepEqual((await memory.inspect()).problems, []);
        }),
        { ...runs(RUNS[engine.name] ?? 0, 21), endOnFailure: true },
      );
    });
  });
}
