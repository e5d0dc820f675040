import type { RelationFact } from '../../domain/import/facts.ts';
import { mask } from '../../domain/text/masking.ts';
import { redact } from '../../domain/text/redaction.ts';
import { deleteRelation, findRelation, insertRelation } from '../observations/relation.ts';
import { findRow } from '../rows.ts';
import type { Keyed, MergePlan } from './merge-plan.ts';
import { observationNumber } from './observations.ts';
import { keyOf } from './origins.ts';

type Fact = Keyed<RelationFact>;

/**
 * Takes in a relation, or follows its change; one whose end is missing waits for the next import (I-2).
 * @param known its number where it is here already
 */
export async function takeRelation(plan: MergePlan, fact: Fact, known: number | null): Promise<void> {
  const { merged, source } = plan;
  const said = shown(fact);
  if (fact.from === fact.to) {
    merged.skipped.push({ what: said, why: 'it leads to itself' });
    return;
  }
  const [from, to] = [fact.from, fact.to].map((key) => keyOf(source, key)) as [string, string];
  const ends = { from: await observationNumber(plan, from), to: await observationNumber(plan, to) };
  if (ends.from === undefined || ends.to === undefined) {
    const [start, end] = [hidden(fact.from), hidden(fact.to)];
    const missing = ends.from === undefined ? start : end;
    merged.unresolved.push(`${said}: no "${missing}" was imported; the next import tries it again`);
    const rest = { from: start, to: end, type: fact.type, note: fact.note, ...fact.rest };
    plan.recordOrigin({ ...fact, rest }, { relationId: null }, null);
    return;
  }
  if (known !== null) await follow(plan, fact, known);
  else await add(plan, fact, ends.from, ends.to);
}

/** The message about a relation. The keys of a source say what it says: they are compared as they are, and kept nowhere. */
const shown = ({ from, type, to }: Fact): string => hidden(`${from} ${type} ${to}`);

/** Without what is private or a secret (D-16, Z-9). */
const hidden = (text: string): string => mask(redact(text));

async function add(plan: MergePlan, fact: Fact, fromId: number, toId: number): Promise<void> {
  const { tx, rows, merged, relations } = plan;
  const { type, note } = fact;
  const name = `${fromId} ${toId} ${type}`;
  // An observation that is new has no relation yet.
  const isOld = Math.max(fromId, toId) <= rows.after.observations;
  const known = relations.get(name) ?? (isOld ? (await findRelation(tx, fromId, toId, type))?.id : undefined);
  if (known !== undefined) {
    // Several rows there may be one relation here.
    plan.recordOrigin(fact, { relationId: known }, note);
    merged.relations.same++;
    return;
  }
  const id = rows.number('relations');
  const { id: writer } = await plan.writer(fact);
  rows.add('relations', { id, fromId, toId, type, note, createdAt: fact.at, writer, uid: fact.importKey });
  relations.set(name, id);
  plan.recordOrigin(fact, { relationId: id }, note);
  merged.relations.new++;
}

/** A relation has no history of its own: the list of changes tells that another took its place. */
async function follow(plan: MergePlan, fact: Fact, id: number): Promise<void> {
  const { tx, merged } = plan;
  const current = await findRow(tx, 'relations', { id });
  if (!current) return plan.conflict(shown(fact), 'it changed there, and was removed here');
  const { fromId, toId } = current;
  const { type, note } = fact;
  if (type === current.type && note === current.note) {
    plan.recordOrigin(fact, { relationId: id }, note);
    merged.relations.same++;
    return;
  }
  plan.after.push(async () => {
    await deleteRelation(tx, id);
    const next = await insertRelation(plan.at(tx.now, fact), { fromId, toId, type, note });
    const kept = next ?? (await findRelation(tx, fromId, toId, type));
    plan.recordOrigin(fact, { relationId: kept?.id ?? id }, note);
  });
  merged.relations.changed++;
}
