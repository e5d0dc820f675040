import type { RelationFact } from '../../domain/arrival/facts.ts';
import { mask } from '../../domain/text/masking.ts';
import { redact } from '../../domain/text/redaction.ts';
import { deleteRelation, findRelation, insertRelation } from '../observations/relation.ts';
import type { Known, Merging } from './merging.ts';
import { observationNumber } from './observations.ts';
import { keyOf } from './origins.ts';

type Fact = Known<RelationFact>;

/** Takes in a relation, or follows its change; one whose end is missing waits for the next import (I-2). */
export async function takeRelation(merging: Merging, fact: Fact): Promise<void> {
  const { merged, origins, source } = merging;
  const before = origins.get(fact.known);
  const isThere = before !== undefined && before.relationId !== null;
  if (isThere && before.hash === fact.hash) {
    merged.relations.same++;
    return;
  }
  const said = shown(fact);
  if (fact.from === fact.to) {
    merged.skipped.push({ what: said, why: 'it leads to itself' });
    return;
  }
  const [from, to] = [fact.from, fact.to].map((key) => keyOf(source, key)) as [string, string];
  const ends = { from: await observationNumber(merging, from), to: await observationNumber(merging, to) };
  if (ends.from === undefined || ends.to === undefined) {
    const [start, end] = [hidden(fact.from), hidden(fact.to)];
    const missing = ends.from === undefined ? start : end;
    merged.unresolved.push(`${said}: no "${missing}" came; the next import tries it again`);
    const rest = { from: start, to: end, type: fact.type, note: fact.note, ...fact.rest };
    merging.came({ ...fact, rest }, { relationId: null }, null);
    return;
  }
  if (isThere) await follow(merging, fact, before.relationId as number);
  else await add(merging, fact, ends.from, ends.to);
}

/** What a person is told of a relation. The keys of a source say what it says: they are compared as they are, and kept nowhere. */
const shown = ({ from, type, to }: Fact): string => hidden(`${from} ${type} ${to}`);

/** Without what is private or a secret (D-16, Z-9). */
const hidden = (text: string): string => mask(redact(text));

async function add(merging: Merging, fact: Fact, fromId: number, toId: number): Promise<void> {
  const { tx, rows, merged, relations } = merging;
  const { type, note } = fact;
  const name = `${fromId} ${toId} ${type}`;
  // An observation that is new has no relation yet.
  const isOld = Math.max(fromId, toId) <= rows.after.observations;
  const known = relations.get(name) ?? (isOld ? (await findRelation(tx, fromId, toId, type))?.id : undefined);
  if (known !== undefined) {
    // Several rows there may be one relation here.
    merging.came(fact, { relationId: known }, note);
    merged.relations.same++;
    return;
  }
  const id = rows.number('relations');
  const { id: writer } = merging.writer(fact);
  rows.add('relations', { id, fromId, toId, type, note, createdAt: fact.at, writer, uid: fact.known });
  relations.set(name, id);
  merging.came(fact, { relationId: id }, note);
  merged.relations.new++;
}

/** A relation has no history of its own: the list of changes tells that another took its place. */
async function follow(merging: Merging, fact: Fact, id: number): Promise<void> {
  const { tx, merged } = merging;
  const standing = await tx.db.selectFrom('relations').selectAll().where('id', '=', id).executeTakeFirst();
  if (!standing) {
    const why = 'it changed there, and was removed here';
    merged.conflicts.push({ what: shown(fact), why });
    return;
  }
  const { fromId, toId } = standing;
  const { type, note } = fact;
  if (type === standing.type && note === standing.note) {
    merging.came(fact, { relationId: id }, note);
    merged.relations.same++;
    return;
  }
  merging.after.push(async (writing) => {
    await deleteRelation(writing, id);
    const at = merging.at(writing, writing.now, fact);
    const next = await insertRelation(at, { fromId, toId, type, note });
    const kept = next ?? (await findRelation(writing, fromId, toId, type));
    merging.came(fact, { relationId: kept?.id ?? id }, note);
  });
  merged.relations.changed++;
}
