import { type Selectable, sql } from 'kysely';
import type { Decision, Strength } from '../../domain/decision.ts';
import { idCandidates } from '../../domain/id.ts';
import { CHAIN_LOOKED_AT } from '../../domain/ranking/weights.ts';
import { putDocument } from '../document.ts';
import { named } from '../names.ts';
import { insertRows } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { together } from '../statements.ts';
import type { Tx, Writer } from '../tx.ts';
import { WRITER } from '../writer.ts';
import { decisionDocument } from './decision-document.ts';

type DecisionRow = Selectable<Schema['decisions']>;

/**
 * Writes a version as it is and makes it findable. Only chain.ts calls it, which keeps the rules of a chain.
 * @param seq its number in the list of records
 */
export async function insertDecision(tx: Tx, seq: number, decision: Decision): Promise<void> {
  await together(
    insertRows(tx, 'decisions', [
      {
        ...decision,
        seq,
        previousVersion: decision.version === 1 ? null : decision.version - 1,
        isActive: decision.isActive ? 1 : 0,
        withdrawn: decision.withdrawn ? 1 : 0,
      },
    ]),
    putDocument(tx, decisionDocument({ ...decision, seq }, [])),
  );
}

/** Ends the active state of a version. @returns false when it was no longer active */
export async function deactivate(tx: Tx, id: string): Promise<boolean> {
  const result = await tx.db
    .updateTable('decisions')
    .set({ isActive: 0, updatedAt: tx.now })
    .where('id', '=', id)
    .where('isActive', '=', 1)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
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
  const { rows } = await sql<DecisionRow>`
    select d.* from (${tx.lists.texts(ids)}) as wanted join decisions as d on d.id = wanted.id
  `.execute(tx.db);
  return new Map(rows.map((row) => [row.id, { seq: row.seq, decision: toDecision(row) }]));
}

/** The newest version of a chain, active or withdrawn. */
export async function newestInChain(tx: Tx, rootId: string): Promise<Decision> {
  const row = await tx.db
    .selectFrom('decisions')
    .selectAll()
    .where('rootId', '=', rootId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return toDecision(row);
}

/** {@link newestInChain} of many chains, by their roots. */
export async function newestInChains(tx: Tx, rootIds: string[]): Promise<Map<string, Decision>> {
  if (rootIds.length === 0) return new Map();
  const { rows } = await sql<DecisionRow>`
    select d.* from (${tx.lists.texts(rootIds)}) as wanted join decisions as d on d.root_id = wanted.id
    where d.version = (select max(other.version) from decisions as other where other.root_id = wanted.id)
  `.execute(tx.db);
  return new Map(rows.map((row) => [row.rootId, toDecision(row)]));
}

/** The newest version of the chain that a topic leads to (D-19); undefined where it leads nowhere. */
export async function newestOfTopic(tx: Tx, topic: string): Promise<Decision | undefined> {
  const { rows } = await sql<DecisionRow>`
    select d.* from (${named('topics', topic)}) as t join decisions as d on d.root_id = t.target
    order by d.version desc limit 1`.execute(tx.db);
  return rows[0] && toDecision(rows[0]);
}

/** One version of a chain; undefined when there is none of this number. */
export async function findVersion(tx: Tx, rootId: string, version: number): Promise<Decision | undefined> {
  const row = await tx.db
    .selectFrom('decisions')
    .selectAll()
    .where('rootId', '=', rootId)
    .where('version', '=', version)
    .executeTakeFirst();
  return row && toDecision(row);
}

/** Whether a version is a mistake that was retracted (K-6). */
export async function isMistake(tx: Tx, id: string): Promise<boolean> {
  return (await mistakesAmong(tx, [id])).has(id);
}

/** Those of these versions that are mistakes. */
export async function mistakesAmong(tx: Tx, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select d.id from (${tx.lists.texts(ids)}) as wanted join decisions as d on d.id = wanted.id
    join records as r on r.seq = d.seq where r.retracted_at is not null`.execute(tx.db);
  return new Set(rows.map(({ id }) => id));
}

/** All versions of a chain, oldest first, each with the outcome and the state that it has today. */
export async function chainOf(tx: Tx, rootId: string): Promise<Decision[]> {
  const rows = await tx.db
    .selectFrom('decisions')
    .selectAll()
    .where('rootId', '=', rootId)
    .orderBy('version')
    .execute();
  return rows.map(toDecision);
}

/** The newest versions of a chain, the newest first. @param before only those with a lower number (W-6) */
export async function chainPage(tx: Tx, rootId: string, limit: number, before?: number): Promise<Decision[]> {
  const newest = tx.db
    .selectFrom('decisions')
    .selectAll()
    .where('rootId', '=', rootId)
    .orderBy('version', 'desc')
    .limit(limit);
  const rows = await (before === undefined ? newest : newest.where('version', '<', before)).execute();
  return rows.map(toDecision);
}

/** The newest versions of a chain before this one that give reasons, the newest first. */
export async function reasonedBefore(tx: Tx, { rootId, version }: Decision): Promise<Decision[]> {
  if (version === 1) return [];
  const rows = await tx.db
    .selectFrom('decisions')
    .selectAll()
    .where('rootId', '=', rootId)
    .where('version', '<', version)
    .where('version', '>=', version - CHAIN_LOOKED_AT)
    .where('reasoning', 'is not', null)
    .orderBy('version', 'desc')
    .execute();
  return rows.map(toDecision);
}

/** The numbers of the newest versions of the chain that this version belongs to, in the list of records. */
export async function chainSeqs(tx: Tx, id: string): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`
    select seq from decisions where root_id = (select root_id from decisions where id = ${id})
    order by version desc limit ${CHAIN_LOOKED_AT}`.execute(tx.db);
  return rows.map(({ seq }) => seq);
}

/** The active decisions of one scope and strength, newest first. @param limit how many at most; default: all */
export async function activeIn(
  tx: Tx,
  scope: string,
  strength: Strength,
  limit?: number,
): Promise<Decision[]> {
  const newest = tx.db
    .selectFrom('decisions')
    .selectAll()
    .where('isActive', '=', 1)
    .where('scope', '=', scope)
    .where('strength', '=', strength)
    .orderBy('createdAt', 'desc')
    .orderBy('seq', 'desc');
  const rows = await (limit === undefined ? newest : newest.limit(limit)).execute();
  return rows.map(toDecision);
}

/** What these versions say, and why they failed if they did, by their numbers in the list of records. */
export async function wordingsOf(tx: Tx, seqs: number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ seq: number; text: string; reason: string | null }>`
    select d.seq, d.text, d.outcome_reason as reason
    from (${tx.lists.numbers(seqs)}) as wanted join decisions as d on d.seq = wanted.id`.execute(tx.db);
  return new Map(rows.map(({ seq, text, reason }) => [seq, `${text}\n${reason ?? ''}`]));
}

/** The active decisions of one scope, oldest first. */
export async function activeOfScope(tx: Tx, scope: string): Promise<Decision[]> {
  const rows = await tx.db
    .selectFrom('decisions')
    .selectAll()
    .where('isActive', '=', 1)
    .where('scope', '=', scope)
    .orderBy('seq')
    .execute();
  return rows.map(toDecision);
}

/** Number of active decisions by scope and strength. */
export function countActive(tx: Tx): Promise<{ scope: string; strength: Strength; count: number }[]> {
  return tx.db
    .selectFrom('decisions')
    .select(({ fn }) => ['scope', 'strength', fn.countAll<number>().as('count')])
    .where('isActive', '=', 1)
    .groupBy(['scope', 'strength'])
    .execute();
}

/** Who wrote each version of a chain, by its id. */
export async function writersOfChain(tx: Tx, rootId: string): Promise<Map<string, Writer>> {
  const rows = await tx.db
    .selectFrom('decisions')
    .innerJoin('records', 'records.seq', 'decisions.seq')
    .innerJoin('writers', 'writers.id', 'records.writer')
    .select(['decisions.id', ...WRITER])
    .where('decisions.rootId', '=', rootId)
    .execute();
  return new Map(rows.map(({ id, ...writer }) => [id, writer]));
}

/** Who wrote each of these versions, by its id. */
export async function authorsOf(tx: Tx, ids: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; author: string }>`
    select d.id, w.author from (${tx.lists.texts(ids)}) as wanted join decisions as d on d.id = wanted.id
    join records as r on r.seq = d.seq join writers as w on w.id = r.writer`.execute(tx.db);
  return new Map(rows.map(({ id, author }) => [id, author]));
}

/** A row of the table as the decision that it is. */
export function toDecision(row: DecisionRow): Decision {
  const { seq: _, previousVersion: __, ...decision } = row;
  return { ...decision, isActive: row.isActive === 1, withdrawn: row.withdrawn === 1 };
}
