import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

type Fact = Record<string, unknown> & { k: string; id: string };

/** Sets of facts in one place: each is of other ids and topics, so that one sync tries many. */
const AT_ONCE = 120;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Hundreds of exchanges in one transaction take PostgreSQL minutes: with each commit SQLite alone hears them. */
const engine = (IS_DEEP && engines.find(({ name, skip }) => name === 'PostgreSQL' && !skip)) || sqlite;

/** Every kind of fact, as a memory says it. */
async function factsOfEveryKind(folder: string): Promise<Fact[]> {
  const [kim, lee] = [await sqlite.open(), await sqlite.open()] as [Memory, Memory];
  const say = async () => {
    for (const memory of [kim, lee, kim]) await memory.sync(folder);
  };
  const wall = await kim.mama.save({ topic: 'T0:wall', decision: 'Bricks', evidence: ['It held'] });
  await kim.mama.save({ topic: 'T0:wall', decision: 'Lime', reasoning: 'because', strength: 'lock' });
  const roof = await kim.mama.save({ topic: 'T0:roof', decision: 'Tiles', reasoning: `debates: ${wall.id}` });
  await kim.mama.update({ id: roof.id, outcome: 'failed', reason: 'Frost' });
  await kim.anchor.save({ hint: 'see there', type: 'decision_link', targetRef: roof.id });
  const one = await kim.mem.save({ title: 'one', content: 'first', topic_key: 'T0:key' });
  const two = await kim.mem.save({ title: 'two', content: 'second' });
  await kim.mem.update({ id: one.id, content: 'first again', project: 'T0:house' });
  await kim.mem.relate({ from_id: one.id, to_id: two.id, relation_type: 'causes', note: 'so it is' });
  await kim.delete({ ref: (await kim.mem.save({ title: 'three', content: 'third' })).id });
  await kim.mama.save({ topic: 'T0:door', decision: 'Oak' });
  await kim.rename({ from: 'T0:door', to: 'T0:gate' });
  await kim.rename({ from: 'T0:gate', to: 'T0:porch' });
  await kim.undo({});
  await kim.mama.save({ topic: 'T0:none', decision: 'A mistake' });
  await kim.undo({});
  const four = await kim.mem.save({ title: 'four', content: '4' });
  await say();
  await kim.delete({ ref: four.id, hard_delete: true });
  // What two machines began under one name.
  await kim.mama.save({ topic: 'T0:sill', decision: 'Stone' });
  await lee.mama.save({ topic: 'T0:sill', decision: 'Slate' });
  await say();
  await say();
  const facts = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((each) =>
    each.isFile() ? readFileSync(join(each.parentPath, each.name), 'utf8').trim().split('\n') : [],
  );
  return facts.map((line) => JSON.parse(line));
}

/** The same facts under other ids and names. */
const renumbered = (facts: Fact[], n: number): Fact[] =>
  JSON.parse(
    JSON.stringify(facts)
      .replaceAll('T0:', `T${n}:`)
      .replace(UUID, (id) =>
        sha256(`${id} ${n}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/s, '$1-$2-$3-$4-$5'),
      ),
  );

/** One wrong value of one field of one fact. */
interface Wrong {
  at: number;
  field: string;
  value: unknown;
}

const MISSING = Symbol('missing');
/** What takes the place of a value; ids of other kinds are added. */
const VALUES = [
  MISSING,
  ...[null, '', ' ', 'NaN', 'x', 'x'.repeat(201_000), '\0', '\ud800', '[REDACTED]', '-1', 'null'],
  ...[0, -1, 1, 0.5, 2 ** 31, 2 ** 53, 8.64e15, -8.64e15, 1e308, true, false],
  ...[[], {}, [[]], [null], { a: { b: [1] } }, ['a', 'b', 'c', 'd'], ['a', 'b', 'c', 7]],
];

function wrongsOf(facts: Fact[]): Wrong[] {
  const seen = new Set<string>();
  // An id of each kind, and of a version that is active.
  const of = Map.groupBy(facts, ({ k }) => k);
  const ids = new Set([...of.values()].flatMap((each) => [each.at(0)?.id, each.at(-1)?.id]));
  return facts.flatMap((fact, at) =>
    Object.keys(fact).flatMap((field) => {
      // A second fact with the same there tells nothing new.
      const name = `${fact.k} ${field} ${fact[field] === null} ${fact.gone}`;
      if (seen.has(name)) return [];
      seen.add(name);
      return [...VALUES, ...ids].map((value) => ({ at, field, value }));
    }),
  );
}

function withWrong(fact: Fact, { field, value }: Omit<Wrong, 'at'>): Fact {
  const { [field]: _, ...rest } = fact;
  return (value === MISSING ? rest : { ...rest, [field]: value }) as Fact;
}

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

interface Set {
  n: number;
  /** What is right of it, and what was made wrong. */
  right: Fact[];
  wrong: Fact[];
  /** What the wrong ones were made of. */
  was: Fact[];
}

/** Says sets of facts to a memory, and looks at it. What is wrong with a set stops neither the rest of it nor another one. */
async function tryAll(sets: Set[], order: (typeof ORDERS)[number], way: (typeof WAYS)[number], said: string) {
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
    const [before, witness] = [first[order], sets[0]?.right.find(({ k }) => k === 'decision')];
    const files = sets.map(({ n, right, ...other }): [string, object[]] => {
      const text = { ...witness, id: `witness-${n}`, topic: null, basedOn: null, text: 'Witness' };
      return [`m-${n}00`, [...right, ...(before ? other[before] : []), text]];
    });
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

/** A set with some wrong values. */
function setOf(facts: Fact[], n: number, wrongs: Wrong[]): Set {
  const own = renumbered(facts, n);
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
    right: own.filter((_, at) => !places.has(at)),
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
    for (let done = 0; done < numRuns; done += AT_ONCE)
      for (const way of WAYS) {
        const some = Array.from({ length: AT_ONCE / 2 }, () =>
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
