import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { sha256 } from '../src/domain/text/digest.ts';
import type { Memory } from '../src/index.ts';
import { engines, sqlite } from './support/engines.ts';
import { IS_DEEP, isTried, runs } from './support/part.ts';
import { generator } from './support/random.ts';
import { exported } from './support/stream.ts';
import { rowsOf } from './support/synced.ts';
import {
  type Fact,
  factsOfEveryKind,
  MISSING,
  type Wrong,
  withWrong,
  wrongsOf,
} from './support/wrong-facts.ts';

/** Sets of facts in one place: each is of other ids and topics, so that one sync tries many. */
const AT_ONCE = 120;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Hundreds of exchanges in one transaction take PostgreSQL minutes: with each commit SQLite alone hears them. */
const engine = (IS_DEEP && engines.find(({ name, skip }) => name === 'PostgreSQL' && !skip)) || sqlite;

/** The same facts under other ids and names. */
const renumbered = (facts: Fact[], n: number): Fact[] =>
  JSON.parse(
    JSON.stringify(facts)
      .replaceAll('T0:', `T${n}:`)
      .replace(UUID, (id) =>
        sha256(`${id} ${n}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/s, '$1-$2-$3-$4-$5'),
      ),
  );

const shown = (facts: Fact[], { at, field, value }: Wrong) =>
  `${facts[at]?.k}.${field} = ${value === MISSING ? 'missing' : `${JSON.stringify(value)}`.slice(0, 60)}`;

const linesOf = (facts: object[]) => facts.map((fact) => `${JSON.stringify(fact)}\n`).join('');

/** Says facts as one machine. */
function putInto(folder: string, machine: string, facts: object[]): void {
  const text = linesOf(facts);
  mkdirSync(join(folder, machine), { recursive: true });
  writeFileSync(join(folder, machine, `${sha256(text).slice(0, 32)}.jsonl`), text);
}

/** That a memory is sound, and its export comes back into an empty one. */
async function assertSound(memory: Memory, said: string): Promise<void> {
  assert.deepEqual((await memory.inspect()).problems, [], said);
  const lines = await exported(memory);
  const again = await sqlite.openFast();
  await again.import(lines);
  assert.deepEqual((await again.inspect()).problems, [], said);
  await again.close();
}

/** In which order the wrong facts of a set come: with all others, after them, or after what they were made of. */
const ORDERS = ['together', 'after', 'again'] as const;
/** Each way in, as what takes in the files of machines. */
const WAYS = ['a folder', 'a server'] as const;

interface FactSet {
  n: number;
  /** A decision that all must have in the end. */
  witness: Fact;
  /** What is right of it, and what was made wrong. */
  right: Fact[];
  wrong: Fact[];
  /** What the wrong ones were made of. */
  was: Fact[];
}

/** Says sets of facts to a memory, and looks at it. What is wrong with a set stops neither the rest of it nor another one. */
async function tryAll(
  sets: FactSet[],
  order: (typeof ORDERS)[number],
  way: (typeof WAYS)[number],
  said: string,
) {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-wrong-'));
  const memory = way === 'a folder' ? await sqlite.openFast() : await engine.open();
  try {
    const own = await memory.mama.save({ topic: 'own', decision: 'of this machine' });
    const hear = async (files: [machine: string, facts: object[]][]) => {
      if (way === 'a server')
        for (const [, facts] of files) await memory.takeFacts([Buffer.from(linesOf(facts))]);
      else {
        for (const file of files) putInto(folder, ...file);
        await memory.sync(folder);
      }
    };
    const first = { together: 'wrong', after: undefined, again: 'was' } as const;
    const before = first[order];
    const files = sets.map(({ n, right, witness, ...other }): [string, object[]] => [
      `m-${n}00`,
      [...right, ...(before ? other[before] : []), witness],
    ]);
    await hear(files);
    if (order !== 'together') await hear(sets.map(({ n, wrong }) => [`m-${n}00`, wrong]));
    await assertSound(memory, said);
    const rows = await rowsOf(memory);
    assert.equal(rows.filter(({ text }) => text === 'Witness').length, sets.length, said);
    assert(rows.some(({ id }) => id === own.id));
  } catch (error) {
    throw new Error(`${order}, ${way}: ${said}`, { cause: error });
  } finally {
    await memory.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The records and topics that a fact names; a session joins nothing. */
const namesIn = ({ by: _, ...fact }: Fact) =>
  JSON.stringify(fact).match(new RegExp(`${UUID.source}|T0:\\w+`, 'g')) ?? [];

/** The facts with wrong values, those whose ids these values are, and all that any of them is connected with. */
function around(facts: Fact[], wrongs: Wrong[]): Fact[] {
  let found = facts.filter(({ id }, index) => wrongs.some(({ at, value }) => at === index || value === id));
  for (let size = 0; size !== found.length; ) {
    size = found.length;
    const names = new Set(found.flatMap(namesIn));
    found = facts.filter((fact) => namesIn(fact).some((name) => names.has(name)));
  }
  return found;
}

/** A set with some wrong values: the other facts of it are those that could have to do with them. */
function setOf(facts: Fact[], n: number, wrongs: Wrong[]): FactSet {
  const own = renumbered(facts, n);
  const needed = new Set(around(facts, wrongs));
  const places = new Set(wrongs.map(({ at }) => at));
  const wrong = [...places].map((at) =>
    wrongs
      .filter((each) => each.at === at)
      .reduce((fact, { field, value }) => {
        // An id of this set, where it is one of a record.
        const of = facts.findIndex(({ id }) => id === value);
        return withWrong(fact, { field, value: of < 0 ? value : own[of]?.id });
      }, own[at] as Fact),
  );
  return {
    n,
    witness: {
      ...(own.find(({ k }) => k === 'decision') as Fact),
      id: `witness-${n}`,
      topic: null,
      basedOn: null,
      text: 'Witness',
    },
    right: own.filter((_, at) => needed.has(facts[at] as Fact) && !places.has(at)),
    wrong,
    was: own.filter((_, at) => places.has(at)),
  };
}

describe('what other machines say', () => {
  let facts: Fact[] = [];
  before(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'precedent-wrong-'));
    facts = await factsOfEveryKind(folder);
    rmSync(folder, { recursive: true, force: true });
  });

  it('[Z-13] [Y-4] whatever one value of one fact is, no sync ends, the memory is sound, and its export comes back', async () => {
    assert.equal(new Set(facts.map(({ k }) => k)).size, 13);
    const wrongs = wrongsOf(facts);
    for (let at = 0; at * AT_ONCE < wrongs.length; at++) {
      if (!isTried(at)) continue;
      const some = wrongs.slice(at * AT_ONCE, (at + 1) * AT_ONCE);
      const sets = some.map((wrong, n) => setOf(facts, n, [wrong]));
      const order = ORDERS[Math.floor(at / WAYS.length) % ORDERS.length] ?? 'together';
      const said = some.map((wrong) => shown(facts, wrong)).join('\n');
      await tryAll(sets, order, WAYS[at % WAYS.length] ?? 'a folder', said);
    }
  });

  it('[Z-13] [Y-4] nor does any end with several wrong values and what is missing, in 400 sets', async () => {
    const wrongs = wrongsOf(facts);
    const { numRuns, seed } = runs(400, 1);
    const random = generator(seed);
    const pick = () => wrongs[Math.floor(random() * wrongs.length)] as Wrong;
    const size = Math.ceil(Math.min(numRuns, AT_ONCE) / WAYS.length);
    for (let done = 0; done < numRuns; done += AT_ONCE)
      for (const way of WAYS) {
        const some = Array.from({ length: size }, () =>
          Array.from({ length: 1 + Math.floor(random() * 6) }, pick),
        );
        const sets = some.map((each, n) => {
          const { right, ...set } = setOf(facts, n, each);
          return { ...set, right: right.filter(() => random() < 0.9) };
        });
        const said = some.map((each) => each.map((wrong) => shown(facts, wrong)).join(', ')).join('\n');
        await tryAll(sets, ORDERS[Math.floor(random() * ORDERS.length)] ?? 'together', way, said);
      }
  });
});
