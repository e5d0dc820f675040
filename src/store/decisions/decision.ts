import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { basedOn, CHAIN_LOOKED_AT } from '../../domain/chain.ts';
import {
  type Content,
  type Decision,
  FIELD_NAMES,
  FIELDS,
  GLOBAL_SCOPE,
  type Strength,
} from '../../domain/decision.ts';
import { idCandidates } from '../../domain/id.ts';
import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import { dayOf, iso } from '../../domain/text/moment.ts';
import type { Tier, TierQuery } from '../../domain/tier.ts';
import { putDocument, putDocuments, removeDocuments } from '../document.ts';
import type { Document } from '../engine.ts';
import { named } from '../names.ts';
import { notRetracted } from '../record.ts';
import { putOffByAny } from '../reviewed.ts';
import { findRow, insertRows, updateRows } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { query, together } from '../statements.ts';
import type { Tx } from '../tx.ts';

/** The version that was decided, of a row of decisions under this name, by its id: outcomes are given to it (TR-3). */
export const decidedOf = (name: string) =>
  sql`coalesce(${sql.ref(`${name}.tidies`)}, ${sql.ref(`${name}.id`)})`;
export const DECIDED = decidedOf('d');
/** The number of the newest version of a chain, undone or not, as a subquery. @param rootId as SQL */
export const newestVersion = (rootId: RawBuilder<unknown>) =>
  sql`(select max(newer.version) from decisions as newer where newer.root_id = ${rootId})`;
/** The newest version of a chain that was not undone, by its number in the list of records, as a subquery. */
export const newestStanding = (rootId: RawBuilder<unknown>) => sql`(select newer.seq from decisions as newer
  where newer.root_id = ${rootId} and ${notRetracted('newer.seq')} order by newer.version desc limit 1)`;
/** That `decisions as d` was not tidied since: of one decision in several wordings the last one counts. */
export const LAST_WORDING = sql`not exists (select 1 from decisions as t
  where t.tidies = ${DECIDED} and t.version > d.version and ${notRetracted('t.seq')})`;

export type DecisionRow = Selectable<Schema['decisions']>;

/**
 * Writes a version as it is and makes it findable. Only chain.ts calls it, which keeps the rules of a chain.
 * @param seq its number in the list of records
 * @param seen as {@link basedOn} takes it
 */
export async function insertDecision(tx: Tx, seq: number, decision: Decision, seen: string[]): Promise<void> {
  await together(
    insertRows(tx, 'decisions', [
      {
        ...decision,
        seq,
        previousVersion: decision.version === 1 ? null : decision.version - 1,
        basedOn: basedOn(decision, seen),
        isActive: decision.isActive ? 1 : 0,
        withdrawn: decision.withdrawn ? 1 : 0,
      },
    ]),
    decision.tidies === null && putDocument(tx, decisionDocument({ ...decision, seq }, [])),
  );
  // Another wording is found by the outcomes of what was decided, too (TR-3).
  if (decision.tidies !== null) await reindexDecisions(tx, [{ seq }]);
}

/** Ends the active state of a version. @returns false when it was no longer active */
export async function deactivate(tx: Tx, id: string): Promise<boolean> {
  const ended = { isActive: 0, updatedAt: tx.now } as const;
  return (await updateRows(tx, 'decisions', { id, isActive: 1 }, ended)).length === 1;
}

/** The decision with this id, in any form that agents write; undefined when there is none. */
export async function findDecision(tx: Tx, reference: string): Promise<Decision | undefined> {
  const candidates = idCandidates(reference);
  const rows = await findDecisions(tx, candidates);
  return candidates.map((id) => rows.find((row) => row.id === id)).find((row) => row !== undefined);
}

/** The decisions with these exact ids, in no particular order. */
export async function findDecisions(tx: Tx, ids: string[]): Promise<Decision[]> {
  return [...(await findDecisionRows(tx, ids)).values()].map((row) => row.decision);
}

/** {@link findDecisions} with their numbers in the list of records, by id. */
export async function findDecisionRows(
  tx: Tx,
  ids: string[],
): Promise<Map<string, { seq: number; decision: Decision }>> {
  if (ids.length === 0) return new Map();
  const rows = await query<DecisionRow>(tx)`
    select d.* from (${tx.lists.texts(ids)}) as wanted join decisions as d on d.id = wanted.id`;
  return new Map(rows.map((row) => [row.id, { seq: row.seq, decision: toDecision(row) }]));
}

/** The versions that a condition on `decisions as d` leaves, in the order with which it ends. */
const versions = async (tx: Tx, where: RawBuilder<unknown>) =>
  (await query<DecisionRow>(tx)`select d.* from decisions as d where ${where}`).map(toDecision);

/** The newest version of a chain, active or withdrawn. */
export async function newestInChain(tx: Tx, rootId: string): Promise<Decision> {
  const [newest] = await versions(tx, sql`d.root_id = ${rootId} order by d.version desc limit 1`);
  if (!newest) throw new Error(`Expected a chain with the root ${rootId}.`);
  return newest;
}

/** The newest version of the chain that a topic leads to (D-19); undefined where it leads nowhere. */
export async function newestOfTopic(tx: Tx, topic: string): Promise<Decision | undefined> {
  const rows = await query<DecisionRow>(tx)`
    select d.* from (${named('topics', topic)}) as t join decisions as d on d.root_id = t.target
    order by d.version desc limit 1`;
  return rows[0] && toDecision(rows[0]);
}

/** One version of a chain; undefined when there is none of this number. */
export async function findVersion(tx: Tx, rootId: string, version: number): Promise<Decision | undefined> {
  const row = await findRow(tx, 'decisions', { rootId, version });
  return row && toDecision(row);
}

/** Which of these versions were undone. */
export async function mistakesAmong(tx: Tx, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await query<{ id: string }>(tx)`
    select d.id from (${tx.lists.texts(ids)}) as wanted join decisions as d on d.id = wanted.id
    join records as r on r.seq = d.seq where r.retracted_at is not null`;
  return new Set(rows.map(({ id }) => id));
}

/** The numbers of the newest versions of the chain that this version belongs to, in the list of records. */
export async function chainSeqs(tx: Tx, id: string): Promise<number[]> {
  const rows = await query<{ seq: number }>(tx)`
    select seq from decisions where root_id = (select root_id from decisions where id = ${id})
    order by version desc limit ${CHAIN_LOOKED_AT}`;
  return rows.map(({ seq }) => seq);
}

const activeOf = (scope: string) => sql`d.is_active = 1 and d.scope = ${scope}`;

/**
 * The active decisions of one scope and strength, newest first.
 * @param limit how many at most; default: all @param from how many of them are left out before
 */
export function activeIn(
  tx: Tx,
  scope: string,
  strength: Strength,
  limit?: number,
  from = 0,
): Promise<Decision[]> {
  const some = limit === undefined ? sql`` : sql`limit ${limit} offset ${from}`;
  return versions(
    tx,
    sql`${activeOf(scope)} and d.strength = ${strength} order by d.created_at desc, d.seq desc ${some}`,
  );
}

/** The rules of a scope (T-5): its axes, then its locks, the newest first. @param limit how many at most; default: all */
export function bindingIn(tx: Tx, scope: string, limit?: number): Promise<Decision[]> {
  return versions(
    tx,
    sql`${activeOf(scope)} and d.strength in ('axis', 'lock')
      order by d.strength, d.created_at desc, d.seq desc ${limit === undefined ? sql`` : sql`limit ${limit}`}`,
  );
}

/** All rules but the global axes: locks of everywhere, then the axes and locks of scope by scope. @param limit how many at most */
export function bindingAnywhere(tx: Tx, limit: number): Promise<Decision[]> {
  const isGlobal = sql`d.scope = ${GLOBAL_SCOPE}`;
  return versions(
    tx,
    sql`d.is_active = 1 and d.strength in ('axis', 'lock') and not (${isGlobal} and d.strength = 'axis')
      order by case when ${isGlobal} then 0 else 1 end, d.scope, d.strength, d.created_at desc, d.seq desc
      limit ${limit}`,
  );
}

/** The texts of these versions, and why they failed if they did, by their numbers in the list of records. */
export async function wordingsOf(tx: Tx, seqs: number[]): Promise<Map<number, string>> {
  const rows = await query<{ seq: number; text: string; reason: string | null }>(tx)`
    select d.seq, d.text, d.outcome_reason as reason
    from (${tx.lists.numbers(seqs)}) as wanted join decisions as d on d.seq = wanted.id`;
  return new Map(rows.map(({ seq, text, reason }) => [seq, `${text}\n${reason ?? ''}`]));
}

/** The active decisions of one scope, oldest first. */
export function activeOfScope(tx: Tx, scope: string): Promise<Decision[]> {
  return versions(tx, sql`${activeOf(scope)} order by d.seq`);
}

/** The scopes with active decisions, the largest first, each with their number. */
export function countActive(tx: Tx): Promise<{ scope: string; count: number }[]> {
  return query<{ scope: string; count: number }>(tx)`
    select scope, count(*) as count from decisions where is_active = 1 group by scope order by count desc, scope`;
}

/** A row of the table as the decision that it is. */
export function toDecision(row: DecisionRow): Decision {
  const { seq: _, previousVersion: __, basedOn: ___, ...decision } = row;
  return { ...decision, isActive: row.isActive === 1, withdrawn: row.withdrawn === 1 };
}

type Searched = Pick<DecisionRow, 'seq' | 'topic'> & Partial<Content>;
const SEARCHED = FIELD_NAMES.filter((name) => FIELDS[name].kind === 'words');

/**
 * The topic is the title. The body is every field of words, of the reasoning without its links, which are not words (W-2),
 * the reason of every outcome (W-1), and the hints of its anchors (T-15).
 */
export function decisionDocument({ seq, topic, ...row }: Searched, added: string[]): Document {
  const said = SEARCHED.map((name) =>
    name === 'reasoning' ? parseReasoning(row[name] ?? '').prose : row[name],
  );
  const body = [...said.filter(Boolean), ...new Set(added)].join('\n');
  return { seq, title: topic ?? '', body };
}

/** The searched texts of the decisions among these records, without undone ones. */
export async function decisionDocuments(tx: Tx, seqs: number[]): Promise<Document[]> {
  const [rows, added] = await together(
    query<DecisionRow>(tx)`select d.* from decisions as d
      where d.seq in (${tx.lists.numbers(seqs)}) and ${notRetracted('d.seq')}`,
    addedTo(tx, seqs),
  );
  return rows.map((row) => decisionDocument(row, added.get(row.seq) ?? []));
}

/** Makes decisions findable by their texts and present outcomes, unless they were undone. */
export async function reindexDecisions(tx: Tx, decisions: { seq: number }[]): Promise<void> {
  const seqs = decisions.map(({ seq }) => seq);
  const [documents] = await together(decisionDocuments(tx, seqs), removeDocuments(tx, seqs));
  await putDocuments(tx, documents);
}

/** Later additions to these decisions, by their numbers, oldest first: reasons of outcomes, hints of anchors. */
async function addedTo(tx: Tx, seqs: number[]): Promise<Map<number, string[]>> {
  const wanted = sql`(${tx.lists.numbers(seqs)}) as wanted join decisions as d on d.seq = wanted.id`;
  const rows = await query<{ seq: number; text: string }>(tx)`
    select d.seq, o.reason as text, o.seq as number from ${wanted} join outcomes as o on o.decision_id = ${DECIDED}
      where o.reason is not null and ${notRetracted('o.seq')}
    union all select d.seq, a.hint, a.seq from ${wanted} join anchors as a on a.decision_ref = d.id
      where ${notRetracted('a.seq')}
    union all select d.seq, a.hint, a.seq from ${wanted} join evidence as e on e.decision_ref = d.id
      join anchors as a on a.evidence_ref = e.id where ${notRetracted('a.seq')}
    order by 3`;
  return new Map(
    [...Map.groupBy(rows, ({ seq }) => seq)].map(([seq, all]) => [seq, all.map(({ text }) => text)]),
  );
}

/** The active decisions of these tiers, one tier after another (D-10), of each the newest first; or a part of each (W-6). */
export async function decisionsIn(
  tx: Tx,
  tiers: (TierQuery & { from?: number; limit?: number })[],
): Promise<(Decision & { tier: Tier })[]> {
  const wanted = tiers.filter(({ limit }) => limit !== 0);
  const loaded = await together(
    ...wanted.map(({ scope, strength, limit, from }) => activeIn(tx, scope, strength, limit, from)),
  );
  return wanted.flatMap(({ tier }, at) => (loaded[at] ?? []).map((each) => ({ ...each, tier })));
}

/**
 * How many active decisions these scopes have, by strength, and in all. Read from an index alone; the others are not kept
 * separately, which takes five times as long.
 */
export async function countByStrength(
  tx: Tx,
  scopes: string[],
): Promise<{ all: number; of: (scope: string, strength: Strength) => number }> {
  const counted = await query<{ scope: string; strength: string; count: number }>(tx)`
    select scope, strength, count(*) as count from decisions
    where is_active = 1 and scope in (${sql.join(scopes)}) group by scope, strength
    union all select '', 'all', count(*) from decisions where is_active = 1`;
  const of = new Map(counted.map((row) => [`${row.strength} ${row.scope}`, row.count]));
  return { all: of.get('all ') ?? 0, of: (scope, strength) => of.get(`${strength} ${scope}`) ?? 0 };
}

/** How many decisions are due for review, and were not put off (V-5). */
export async function countDue(tx: Tx): Promise<number> {
  const due = await query<{ id: string }>(tx)`select d.id from decisions as d where ${isDue(tx.now)}`;
  const later = due.length > 0 ? await putOffByAny(tx) : new Set();
  return due.filter(({ id }) => !later.has(id)).length;
}

/** That a decision `d` is active and due for review (V-5). */
export function isDue(now: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`d.is_active = 1 and d.revisit <= ${dayOf(iso(now))}`;
}
