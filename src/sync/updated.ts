import { STORED } from '../store/kinds/kinds.ts';
import { findRow, updateRows } from '../store/rows.ts';
import { holdersOf, renewDocuments } from '../store/search/documents.ts';
import type { Tx } from '../store/tx.ts';
import { checked, RULES } from './check.ts';
import { type Facts, type Fields, factsLike, factsOf, type KeptFact, type Kind, nameOf } from './facts.ts';
import { hear } from './hear.ts';
import { allKept, forget, isUnknown, write } from './kept.ts';
import { COLUMNS_OF, tableOf } from './recorded.ts';

/** Reads what was kept of a newer program, and what this one knows by now (J-5). */
export async function readKept(tx: Tx): Promise<void> {
  const all = await allKept(tx);
  for (const fact of all) if (fact.f === 0) await fillFields(tx, fact);
  const known = all.filter((fact) => fact.f > 0 && !isUnknown(fact));
  if (known.length === 0) return;
  const facts: Facts = new Map();
  for (const { f: _, ...said } of known) {
    const found = checked(said);
    if ('fact' in found) facts.set(nameOf(found.fact), found.fact);
  }
  await hear(tx, facts, await factsOf(tx));
  const here = await factsLike(tx, facts);
  const waits = (name: string) => facts.has(name) && !here.has(name);
  const heard = known.filter((fact) => !waits(`${fact.k} ${fact.id}`));
  await forget(tx, heard);
}

/** Fills the columns of fields that are known by now. */
async function fillFields(tx: Tx, { f, k, id, at, ...body }: KeptFact): Promise<void> {
  const [kind, more] = [k as keyof typeof COLUMNS_OF, body as Fields];
  const columns: Record<string, string> | undefined = COLUMNS_OF[kind];
  const rules = RULES[kind as Kind];
  const known = Object.keys(more).filter((field) => columns?.[field] && rules[field]);
  if (known.length === 0) return;
  const { table } = STORED[kind];
  const row =
    tableOf(kind) === 'records'
      ? await findRow(tx, 'records', { uid: id })
      : await findRow(tx, table as 'decisions', { id });
  const right = known.filter((field) => rules[field]?.(more[field]) === undefined);
  if (row && right.length > 0) {
    const values = Object.fromEntries(right.map((field) => [columns?.[field], more[field]]));
    await updateRows(tx, table, { seq: row.seq } as never, values as never);
    await renewDocuments(tx, await holdersOf(tx, kind, row.seq));
  }
  const rest = Object.entries(more).filter(([field]) => !known.includes(field));
  await forget(tx, [{ f, k, id }]);
  if (rest.length > 0) await write(tx, [{ ...Object.fromEntries(rest), f, k, id, at }]);
}
