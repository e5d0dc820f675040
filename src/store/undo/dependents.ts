import { type RawBuilder, sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import { viaOf } from '../../domain/via.ts';
import { notRetracted } from '../record.ts';
import { findRows } from '../rows.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import type { Dependent } from './part.ts';
import { isUndone, madeByUndo, type UndoTx } from './saves.ts';

/** Lines of a refusal: there may be hundreds. */
const NAMED = 20;

/** A record that others made: its kind, its id or an empty text, and its writer. */
interface Made {
  what: string;
  id: string;
  author: string;
  client: string;
  /** 1 where no save here made it. */
  came?: 0 | 1;
}

const cameOf = (seq: string, first: string, last: string) => sql`case when exists (select 1 from saves as s
  where ${sql.ref(seq)} between ${sql.ref(first)} and ${sql.ref(last)}) then 0 else 1 end as came`;

/**
 * A version that somebody's undo made, and that says again what this one says: nothing depends on it, as `decisions as d`
 * and `decisions as own`.
 */
const SAYS_IT_AGAIN = sql`(d.text = own.text and d.scope = own.scope and d.strength = own.strength
  and d.withdrawn = own.withdrawn and ${madeByUndo('d.seq')})`;

/**
 * Records of others that rest on a version and those that follow it, so that it cannot be undone (K-6).
 * @param ids of all of these
 * @param from only records from this number on
 */
export async function dependentsOfVersions(
  tx: UndoTx,
  { id, rootId }: Pick<Decision, 'id' | 'rootId'>,
  ids: string[],
  from = 0,
): Promise<Dependent[]> {
  const wanted = sql`(${tx.lists.texts(ids)}) as wanted`;
  const versions = sql`${wanted} join decisions as d on d.id = wanted.id`;
  const parts = [
    ofOthers(
      tx,
      'd.seq',
      sql`'version ' || d.version as what, d.id`,
      sql`${versions} join decisions as own on own.id = ${id}`,
      sql`not ${SAYS_IT_AGAIN}`,
    ),
    ofOthers(
      tx,
      'o.seq',
      sql`'outcome ' || o.outcome || ' of version ' || d.version as what, d.id`,
      sql`${versions} join outcomes as o on o.decision_id = d.id`,
    ),
    ofOthers(tx, 'e.seq', EVIDENCE, sql`${wanted} join evidence as e on e.decision_ref = wanted.id`),
    ofOthers(tx, 'a.seq', ANCHOR, sql`${wanted} join anchors as a on a.decision_ref = wanted.id`),
    ofOthers(
      tx,
      'd.seq',
      sql`'decision ' || coalesce(d.topic, 'without a topic') as what, d.id`,
      sql`${wanted} join decision_edges as link on link.to_id = wanted.id
        join decisions as d on d.id = link.from_id and d.root_id <> ${rootId}`,
    ),
  ];
  return named(tx, parts, from);
}

const EVIDENCE = sql`'evidence' as what, e.id`;
const ANCHOR = sql`'anchor' as what, a.id`;

/** Records that others added to a chain since a save that named it: they were saved under that name (K-6). @param save its number */
export async function dependentsOfName(tx: UndoTx, rootId: string, save: number): Promise<Dependent[]> {
  const rows = await query<{ from: number | null }>(tx)`
    select min(first_record) as "from" from saves where id > ${save}`;
  const from = rows[0]?.from ?? null;
  if (from === null) return [];
  const chain = await findRows(tx, 'decisions', { rootId }, 'version');
  // A version that repeats the active one, since its author undid later ones, is nothing new.
  const former = chain.findLast(({ seq }) => seq < from)?.id ?? rootId;
  const ids = chain.map(({ id }) => id);
  return dependentsOfVersions(tx, { id: former, rootId }, ids, from);
}

/** The anchors that others made at a piece of evidence. */
export function dependentsOfEvidence(tx: UndoTx, id: string): Promise<Dependent[]> {
  return named(tx, [ofOthers(tx, 'a.seq', ANCHOR, sql`anchors as a`, sql`a.evidence_ref = ${id}`)]);
}

/** The evidence and the relations that others made of an observation. @param since only evidence from then on */
export async function dependentsOfObservation(tx: UndoTx, id: number, since = 0): Promise<Dependent[]> {
  const snapshot = sql`e.observation_id = ${id} and e.timestamp >= ${since}`;
  const snapshots = await named(tx, [ofOthers(tx, 'e.seq', EVIDENCE, sql`evidence as e`, snapshot)]);
  if (since > 0) return snapshots;
  const rows = await query<Made>(tx)`
    select 'relation ' || r.type as what, r.id as id, w.author, w.client from relations as r join writers as w on w.id = r.writer
    where (r.from_id = ${id} or r.to_id = ${id}) and not ${tx.own.writer(sql`r.writer`)}
    order by r.id limit ${NAMED}`;
  return [...snapshots, ...rows.map(toDependent)];
}

/**
 * Later changes of a record by others that were not undone.
 * @param change the number of the change; 0 for all
 */
export async function changedByOthers(tx: UndoTx, recordSeq: number, change = 0): Promise<Dependent[]> {
  const rows = await query<Made & { seq: number }>(tx)`
    select c.seq, 'change "' || c.kind || '"' as what, '' as id, w.author, w.client,
      ${cameOf('c.seq', 's.first_change', 's.last_change')}
    from changes as c join writers as w on w.id = c.writer
    where c.record_seq = ${recordSeq} and c.seq > ${change} and not ${tx.own.change}
      and c.kind not in ('related', 'unrelated')
    order by c.seq`;
  const made: Made[] = [];
  for (const row of rows) {
    if (made.length === NAMED) break;
    if (!(await isUndone(tx, row.seq))) made.push(row);
  }
  return made.map(toDependent);
}

/** Records that count and that somebody else made. @param seq the column with their numbers @param what and `id`, to name them */
function ofOthers(
  tx: UndoTx,
  seq: string,
  what: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  where: RawBuilder<unknown> = sql`1 = 1`,
) {
  return sql`select r.seq, ${what}, w.author, w.client
    from ${from} join records as r on r.seq = ${sql.ref(seq)} join writers as w on w.id = r.writer
    where ${where} and ${notRetracted(seq)} and not ${tx.own.record}`;
}

async function named(tx: Tx, parts: RawBuilder<unknown>[], from = 0): Promise<Dependent[]> {
  const rows = await query<Made>(tx)`
    select dependents.*, ${cameOf('dependents.seq', 's.first_record', 's.last_record')}
    from (${sql.join(parts, sql` union all `)}) as dependents where seq >= ${from} order by seq limit ${NAMED}`;
  return rows.map(toDependent);
}

function toDependent({ what, id, author, client, came }: Made): Dependent {
  const via = viaOf(client);
  const by = `${author === '' ? 'somebody' : author}${via === undefined ? '' : ` via ${via}`}`;
  const how = came ? ', which came by sync or an import' : '';
  return { line: `${what}${id === '' ? '' : ` (${id})`} by ${by}${how}`, isFromElsewhere: came === 1 };
}
