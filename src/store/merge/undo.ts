import { sql } from 'kysely';
import { conflict, notFound } from '../../domain/error.ts';
import { seqsOf } from '../../domain/id.ts';
import { loadChain } from '../decisions/loaded.ts';
import { removeDocuments } from '../document.ts';
import { findRows } from '../rows.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { placeChain, setApart } from './chains.ts';
import { clientOf } from './origins.ts';

/** How many reasons a refusal names. */
const NAMED = 20;

/** The result of undoing an import. */
export interface Unmerged {
  source: string;
  /** How many records are gone, versions, outcomes and evidence each for itself. */
  records: number;
  /** The records by their kind. */
  kinds: Record<string, number>;
  relations: number;
}

/**
 * The records that a source brought, as a condition on a column of numbers: what was here before it came from there was
 * written by somebody else, and stays.
 */
const ofSource = (seq: string, source: string) =>
  sql`${sql.ref(seq)} in (select o.record_seq from origins as o join records as r on r.seq = o.record_seq
    join writers as w on w.id = r.writer where o.source = ${source} and w.client = ${clientOf(source)})`;

/**
 * Undoes all that one source brought (I-3), for good: the source still has it. Chains that were there before are as they
 * were, and no number comes back.
 * @throws PrecedentError `not_found` where nothing came from it; `conflict` while something that was made here depends on it
 */
export async function undoMerge(tx: Tx, source: string): Promise<Unmerged> {
  const brought = await findRows(tx, 'origins', { source }, 'key');
  if (brought.length === 0)
    throw notFound.no_import(`Expected an import from "${source}", found none in this memory.`);
  const resting = await restingOn(tx, source);
  if (resting.length > 0)
    throw conflict.depended_on(
      `Expected that nothing depends on what came from "${source}", found ${resting.join('; ')}. Nothing was undone.`,
    );
  const rows = await query<{ seq: number; kind: string }>(tx)`
    select seq, kind from records where ${ofSource('seq', source)} order by kind`;
  await query(tx)`delete from relations where id in (
    select o.relation_id from origins as o where o.source = ${source} and o.relation_id is not null)`;
  // Their revisions go with them.
  await query(tx)`delete from observations where ${ofSource('seq', source)}`;
  await removeVersions(tx, source);
  await removeDocuments(tx, seqsOf(rows));
  for (const table of ['outcomes', 'evidence', 'checkpoints', 'decisions']) {
    await query(tx)`delete from ${sql.table(table)} where ${ofSource('seq', source)}`;
  }
  await query(tx)`delete from changes where ${ofSource('record_seq', source)}`;
  await query(tx)`delete from records where ${ofSource('seq', source)}`;
  await query(tx)`delete from origins where source = ${source}`;
  await query(tx)`delete from scopes where scope not in (select scope from decisions)`;
  // A filter by program no longer offers the source.
  const wrote = ['records', 'changes', 'saves', 'observations', 'observation_revisions', 'relations'].map(
    (table) => sql`select writer from ${sql.table(table)}`,
  );
  await query(tx)`delete from writers where client = ${clientOf(source)} and id not in (
    select session from records union ${sql.join(wrote, sql` union `)})`;
  return {
    source,
    records: rows.length,
    kinds: Object.fromEntries(
      [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, { length }]) => [kind, length]),
    ),
    relations: brought.filter(({ relationId }) => relationId !== null).length,
  };
}

/** Records made here that rest on the source's: they would lose their ground. */
async function restingOn(tx: Tx, source: string): Promise<string[]> {
  const mine = (seq: string) => ofSource(seq, source);
  const notMine = (seq: string) => sql`not (${mine(seq)})`;
  const parts = [
    sql`'outcome "' || x.outcome || '" of ' || d.id as what from outcomes as x
      join decisions as d on d.id = x.decision_id where ${mine('d.seq')} and ${notMine('x.seq')}`,
    sql`'evidence ' || x.id as what from evidence as x
      join decisions as d on d.id = x.decision_ref where ${mine('d.seq')} and ${notMine('x.seq')}`,
    sql`'evidence ' || x.id as what from evidence as x
      join observations as o on o.id = x.observation_id where ${mine('o.seq')} and ${notMine('x.seq')}`,
    sql`'anchor ' || x.id as what from anchors as x
      left join decisions as d on d.id = x.decision_ref left join evidence as e on e.id = x.evidence_ref
      where ${mine('d.seq')} or ${mine('e.seq')}`,
    sql`'decision ' || x.id as what from decision_edges as e
      join decisions as d on d.id = e.to_id join decisions as x on x.id = e.from_id
      where ${mine('d.seq')} and ${notMine('x.seq')} and x.root_id <> d.root_id`,
    sql`'version ' || x.version || ' of ' || coalesce(x.topic, x.root_id) || ', decided here' as what
      from decisions as d join decisions as x on x.root_id = d.root_id and x.previous_version_id = d.id
      join records as r on r.seq = x.seq
      where ${mine('d.seq')} and ${notMine('x.seq')} and x.seq > d.seq`,
    sql`'relation ' || x.id as what from relations as x
      join observations as o on o.id in (x.from_id, x.to_id) where ${mine('o.seq')}
        and x.id not in (select g.relation_id from origins as g where g.source = ${source} and g.relation_id is not null)`,
    sql`'what changed here of observation ' || o.id as what from changes as x
      join observations as o on o.seq = x.record_seq join writers as w on w.id = x.writer
      where ${mine('o.seq')} and w.client <> ${clientOf(source)}`,
    sql`'what "' || x.source || '" brought as well' as what from origins as x
      where x.source <> ${source} and ${mine('x.record_seq')}`,
  ].map((part) => sql`select ${part}`);
  const rows = await query<{ what: string }>(tx)`
    select distinct what from (${sql.join(parts, sql` union all `)}) as resting order by what limit ${NAMED}`;
  return rows.map(({ what }) => what);
}

/** Takes the versions of the source out of every chain, and what is left closes up (D-22). */
async function removeVersions(tx: Tx, source: string): Promise<void> {
  const rows = await query<{ id: string; rootId: string; topic: string | null }>(tx)`
    select d.id, d.root_id, d.topic from decisions as d where ${ofSource('d.seq', source)}`;
  const going = new Set(rows.map(({ id }) => id));
  for (const [rootId, topic] of new Map(rows.map((row) => [row.rootId, row.topic]))) {
    const { versions: chain } = await loadChain(tx, rootId, 'all');
    const left = chain.filter(({ id }) => !going.has(id));
    if (left.length === 0) await query(tx)`delete from topics where root_id = ${rootId}`;
    else await placeChain(tx, left, topic, chain);
  }
  const ids = tx.lists.texts([...going]);
  await query(tx)`delete from decision_edges where from_id in (${ids}) or to_id in (${ids})`;
  // Each a chain of its own, so that none keeps another from being deleted.
  await setApart(tx, ids);
}
