import { canonical } from '../domain/text/digest.ts';
import { maskDeep } from '../domain/text/masking.ts';
import { followed } from '../store/columns.ts';
import { writeMeta } from '../store/meta.ts';
import { STRETCH } from '../store/pauses.ts';
import { insertRows, piecesOf } from '../store/rows.ts';
import { COLUMNS } from '../store/schema.ts';
import { query } from '../store/statements.ts';
import type { Tx } from '../store/tx.ts';
import { blankedBy, blankedIn, remainderOf } from './blank.ts';
import { newestFormat, problemOfMore, RULES } from './check.ts';
import {
  type Fact,
  type Facts,
  type KeptFact,
  type KeptFacts,
  mayChange,
  nameOf,
  nameOfKept,
} from './facts.ts';

/** Facts that a memory keeps at most. */
export const MOST_KEPT = 100_000;

/** @param left how many there was no room for */
export const tooMany = (left: number): string[] =>
  left === 0
    ? []
    : [`${left} facts of a newer version were left out: ${MOST_KEPT} are kept at most. Update this one.`];

export const isUnknown = ({ f, k }: Pick<KeptFact, 'f' | 'k'>): boolean =>
  f > newestFormat() || !Object.hasOwn(RULES, k);

/** Takes in one that was read. @returns what is wrong with it */
export function takeKept(facts: KeptFacts, fact: KeptFact): string | undefined {
  const { f, k, id, at, ...body } = fact;
  const problem =
    [k, id].map(COLUMNS.keptFacts.kind).find(Boolean) ??
    COLUMNS.changes.createdAt(at) ??
    followed(at) ??
    problemOfMore({ [k]: 0, ...body });
  if (problem !== undefined) return problem;
  const known = facts.get(nameOfKept(fact));
  facts.set(nameOfKept(fact), known ? later(fact, known) : fact);
  return undefined;
}

/** Of two of one name the later; what either has blanked stays so. */
function later(one: KeptFact, other: KeptFact): KeptFact {
  const [a, b] = [one, other].map((fact) => canonical(fact)) as [string, string];
  const isLater = one.at === other.at ? a > b : one.at > other.at;
  return blankedIn(...((isLater ? [one, other] : [other, one]) as [KeptFact, KeptFact])) as KeptFact;
}

/** Those that this memory keeps; the fields of a newer program that facts here have are of the format 0. */
export async function allKept(tx: Tx): Promise<KeptFact[]> {
  const rows = await query<{ format: number; kind: string; id: string; at: number; body: string }>(tx)`
    select * from kept_facts`;
  return rows.map(({ format: f, kind: k, id, at, body }) => ({ ...JSON.parse(body), f, k, id, at }));
}

export async function keptIn(tx: Tx): Promise<KeptFacts> {
  const all = await allKept(tx);
  return new Map(all.flatMap((fact) => (fact.f > 0 ? [[nameOfKept(fact), fact]] : [])));
}

/**
 * Keeps those that came, and forgets those of which nothing is left.
 * @param remainder of one; undefined where it is of something that was deleted for good
 * @returns all that are kept now, and how many there was no room for
 */
export async function keep(
  tx: Tx,
  came: KeptFacts,
  remainder: (fact: Fact) => Fact | undefined,
): Promise<{ kept: KeptFacts; left: number }> {
  const here = await keptIn(tx);
  const kept: KeptFacts = new Map();
  let left = 0;
  for (const fact of [...here.values(), ...(maskDeep([...came.values()]) as KeptFact[])]) {
    const name = nameOfKept(fact);
    const known = kept.get(name);
    if (remainder(fact as never) === undefined) continue;
    if (!known && kept.size >= MOST_KEPT) left++;
    else kept.set(name, known ? later(fact, known) : fact);
  }
  const gone = [...here].filter(([name, fact]) => canonical(kept.get(name) ?? null) !== canonical(fact));
  const news = [...kept].filter(([name, fact]) => canonical(here.get(name) ?? null) !== canonical(fact));
  const forgotten = gone.map(([, fact]) => fact);
  await forget(tx, forgotten);
  const written = news.map(([, fact]) => fact);
  await write(tx, written);
  return { kept, left };
}

/** Keeps the fields of a newer program of the facts that came, unless they are of one that was here without them. */
export async function keepMore(tx: Tx, news: Fact[], theirs: Facts, ours: Facts): Promise<void> {
  const isHere = (fact: Fact) => ours.get(nameOf(fact))?.more !== undefined;
  const came = news.filter(
    (fact) => (fact.more || isHere(fact)) && (!ours.has(nameOf(fact)) || mayChange(fact.k)),
  );
  const blanked = [...ours.values()].flatMap((fact) => {
    const left = fact.more ? blankedBy(fact, theirs.get(nameOf(fact))) : fact;
    return left === fact ? [] : [left];
  });
  if (came.length + blanked.length === 0) return;
  const remainder = remainderOf([theirs, ours]);
  const all = [...new Map([...blanked, ...came].map((fact) => [nameOf(fact), fact])).values()];
  const fields = all.map((fact) => ({ ...fact, f: 0 }));
  await forget(tx, fields);
  const left = all.filter((fact) => remainder(fact) !== undefined);
  await write(
    tx,
    left.flatMap(({ more, k, id, at }) => (more ? [{ ...more, f: 0, k, id, at }] : [])),
  );
}

/** Writes facts, and with the format 0 fields of a fact, that are not there. */
export async function write(tx: Tx, facts: KeptFact[]): Promise<void> {
  const rows = facts.map(({ f: format, k: kind, id, at, ...body }) => ({
    format,
    kind,
    id,
    at,
    body: canonical(body),
  }));
  for (const piece of piecesOf(rows, STRETCH.rows)) await insertRows(tx, 'keptFacts', piece);
  if (rows.length > 0) await changed(tx);
}

export async function forget(tx: Tx, facts: { f: number; k: string; id: string }[]): Promise<void> {
  for (const { f, k, id } of facts)
    await query(tx)`delete from kept_facts where format = ${f} and kind = ${k} and id = ${id}`;
  if (facts.length > 0) await changed(tx);
}

/** Others see that there is something else to read. */
const changed = (tx: Tx) => writeMeta(tx, 'kept_facts', tx.newId());
