import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Memory } from '../../src/index.ts';
import { sqlite } from './engines.ts';

export type Fact = Record<string, unknown> & { k: string; id: string };

/** The facts in the files of a folder. */
export const factsIn = (folder: string): Fact[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((each) =>
    each.isFile()
      ? readFileSync(join(each.parentPath, each.name), 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [],
  );

/** Every kind of fact, as a memory says it. */
export async function factsOfEveryKind(folder: string): Promise<Fact[]> {
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
  return factsIn(folder);
}

/** One wrong value of one field of one fact. */
export interface Wrong {
  at: number;
  field: string;
  value: unknown;
}

export const MISSING = Symbol('missing');
/** The values that take the place of one; ids of other kinds are added. */
const VALUES = [
  MISSING,
  ...[null, '', ' ', 'NaN', 'x', 'x'.repeat(201_000), '\0', '\ud800', '[REDACTED]', '-1', 'null'],
  ...[0, -1, 1, 0.5, 2 ** 31, 2 ** 53, 8.64e15, -8.64e15, 1e308, true, false],
  ...[[], {}, [[]], [null], { a: { b: [1] } }, ['a', 'b', 'c', 'd'], ['a', 'b', 'c', 7]],
];

export function wrongsOf(facts: Fact[]): Wrong[] {
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

export function withWrong(fact: Fact, { field, value }: Omit<Wrong, 'at'>): Fact {
  const { [field]: _, ...rest } = fact;
  return (value === MISSING ? rest : { ...rest, [field]: value }) as Fact;
}
