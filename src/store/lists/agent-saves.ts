import { sql } from 'kysely';
import { CHAIN_LOOKED_AT } from '../../domain/chain.ts';
import type { Decision } from '../../domain/decision.ts';
import { type RecordKind, SAVED_KINDS } from '../../domain/kinds.ts';
import { isProgram } from '../../domain/via.ts';
import { type DecisionRow, toDecision } from '../decisions/decision.ts';
import type { OutcomeEntry } from '../decisions/outcome.ts';
import { isOfRevision, notRetracted } from '../record.ts';
import { isSeen, programsHere, type Reviewed, recordsSeen } from '../reviewed.ts';
import { query } from '../statements.ts';
import type { Tx, Writer } from '../tx.ts';
import { writersOf } from '../writer.ts';
import type { Happened } from './timeline.ts';

/** The records that an agent saved with one call, and that are still there (V-3). */
export interface AgentSave extends Pick<Writer, 'author' | 'client' | 'session'> {
  id: number;
  /** Milliseconds UTC. */
  createdAt: number;
  /** The record that tells what the save is about, as the log has it. */
  main: Happened;
  /** How many other records it made. */
  others: number;
  /** The program that had written the text of a note or a memo which it replaced. */
  rewrites?: string;
}

/**
 * The kinds that wait for a review; of several records of one save the first of these tells what it is about. A checkpoint alone is
 * soon replaced by the next, and a redaction is never undone.
 */
const WAITING = SAVED_KINDS.filter((kind) => kind !== 'checkpoint' && kind !== 'redaction');

/** Saves that one review looks at, the newest; older ones come once these were looked at. */
const LOOKED_AT = 10_000;

/**
 * Saves of agents that the asker has not looked at, the newest first: without undone or deleted records, and without
 * versions and texts that others have replaced.
 * @param since only from this moment on, in milliseconds UTC
 * @returns also how many older ones there are
 */
export async function agentSaves(
  tx: Tx,
  reviewed: Reviewed,
  since: number,
): Promise<{ saves: AgentSave[]; older: number }> {
  const rows = await query<Omit<AgentSave, 'main' | 'others'> & Record<'first' | 'last', number | null>>(tx)`
    select s.id, s.created_at, s.first_record as "first", s.last_record as "last", w.author, w.client, w.session
    from saves as s join writers as w on w.id = s.writer
    where s.id > ${reviewed.from} and s.undoes is null and w.client in (${tx.lists.texts(await programsHere(tx))})
    order by s.id desc`;
  const unseen = rows.filter(({ id }) => !isSeen(reviewed, id)).slice(0, LOOKED_AT);
  const newest = unseen.find(({ last }) => last !== null)?.last ?? 0;
  const records = new Map(
    (await recordsBetween(tx, unseen.findLast(({ first }) => first !== null)?.first ?? 0, newest)).map(
      (each) => [each.seq, each],
    ),
  );
  const rewritings = await rewritingsOf(tx, unseen.at(-1)?.id ?? 0);
  const all = unseen.flatMap(({ first, last, ...save }): AgentSave[] => {
    const at = save.createdAt;
    if (first === null || last === null) {
      const of = rewritings.get(save.id);
      if (!of) return [];
      const { source, number, second, client: rewrites } = of;
      return [{ ...save, main: { source, at, number, second }, others: 0, rewrites }];
    }
    const own = Array.from({ length: last - first + 1 }, (_, at) => records.get(first + at) ?? []).flat();
    const kind = WAITING.find((each) => own.some((record) => record.kind === each));
    const main = own.find((record) => record.kind === kind);
    if (kind === undefined || !main) return [];
    return [{ ...save, main: { source: kind, at, number: main.seq, second: 0 }, others: own.length - 1 }];
  });
  const saves = all.filter(({ createdAt }) => createdAt >= since);
  return { saves, older: all.length - saves.length };
}

/**
 * The text of a note, or the change of a memo, that each save brought and that it still has, by the save's number, and by which
 * program the one before it was written. @param from the first save
 */
async function rewritingsOf(tx: Tx, from: number) {
  type Rewriting = Pick<Happened, 'number' | 'second'> & {
    save: number;
    source: 'revision' | 'change';
    client: string;
  };
  const own = sql`saves as s join changes as c on c.seq between s.first_change and s.last_change and c.kind = 'rewritten'`;
  const rows = await query<Rewriting>(tx)`
    select s.id as save, 'revision' as source, o.id as number, x.revision as second, w.client
    from ${own} join observations as o on o.seq = c.record_seq and o.deleted_at is null
    join observation_revisions as x on x.observation_id = o.id and ${isOfRevision('c', 'x')}
    join writers as w on w.id = x.writer
    left join observation_revisions as n on n.observation_id = o.id and n.revision = x.revision + 1
    where s.id >= ${from} and s.undoes is null and coalesce(n.content, o.content) = o.content
      and coalesce(n.title, o.title) = o.title
    union all select s.id, 'change', c.seq, 0, w.client
    from ${own} join memos as m on m.seq = c.record_seq and ${notRetracted('m.seq')}
    join memo_revisions as x on x.memo_seq = m.seq and ${isOfRevision('c', 'x')} join records as r on r.seq = m.seq
    join writers as w on w.id = coalesce((select p.writer from changes as p where p.record_seq = m.seq
      and p.kind = 'rewritten' and p.seq < c.seq order by p.seq desc limit 1), r.writer)
    left join memo_revisions as n on n.memo_seq = m.seq and n.revision = x.revision + 1
    where s.id >= ${from} and s.undoes is null and coalesce(n.full_text, m.full_text) = m.full_text
    order by number`;
  return new Map(rows.map(({ save, ...of }) => [save, of]));
}

/** The records that are still there, by their numbers. */
async function recordsBetween(tx: Tx, first: number, last: number) {
  return query<{ seq: number; kind: RecordKind }>(tx)`
    select r.seq, r.kind from records as r left join observations as o on o.seq = r.seq
      left join decisions as d on d.seq = r.seq left join memos as m on m.seq = r.seq
    where r.seq between ${first} and ${last} and r.retracted_at is null and o.deleted_at is null
      and not exists (select 1 from observation_revisions as f where f.observation_id = o.id and f.revision = 1
        and (f.content <> o.content or f.title <> o.title))
      and not exists (select 1 from memo_revisions as f where f.memo_seq = m.seq and f.revision = 1
        and f.full_text <> m.full_text)
      and not exists (select 1 from decisions as n where n.root_id = d.root_id and n.version > d.version
        and ${notRetracted('n.seq')} and (n.text <> d.text or n.withdrawn = 1 or n.strength <> d.strength
          or n.scope <> d.scope or n.files is distinct from d.files))
    order by r.seq`;
}

/** An earlier version, and by which program it was written. */
export type Before = Decision & { client: string };

/**
 * The version that each of these may override, by its id: the last before it that a person wrote or looked at, or that
 * binds or worked. Saves of agents in between hide nothing.
 */
export async function overriddenBy(tx: Tx, ids: string[], reviewed: Reviewed): Promise<Map<string, Before>> {
  const isLookedAt = await recordsSeen(tx, [reviewed]);
  const rows = await query<DecisionRow & { client: string; by: string }>(tx)`
    select p.*, w.client, d.id as "by"
    from (${tx.lists.texts(ids)}) as wanted join decisions as d on d.id = wanted.id
    join decisions as p on p.root_id = d.root_id and p.version < d.version
      and p.version >= d.version - ${CHAIN_LOOKED_AT}
    ${writersOf('p')}
    where r.retracted_at is null order by p.version`;
  const meant = rows.filter(
    ({ client, seq, withdrawn, ...of }) =>
      (withdrawn === 0 && (of.strength !== 'normal' || of.outcome === 'success')) ||
      !isProgram(client) ||
      isLookedAt(seq),
  );
  // Of several the last is kept.
  return new Map(meant.map(({ by, client, ...row }) => [by, { ...toDecision(row), client }]));
}

/** The outcome before one. */
export type OutcomeBefore = Pick<OutcomeEntry, 'outcome' | 'reason'>;

/** The last outcomes that a person gave before these outcomes, which say something else: by the number of each. */
export async function personsOutcomes(tx: Tx, seqs: number[]): Promise<Map<number, OutcomeBefore>> {
  const rows = await query<OutcomeBefore & { seq: number }>(tx)`
    select own.seq, p.outcome, p.reason
    from (${tx.lists.numbers(seqs)}) as wanted join outcomes as own on own.seq = wanted.id
    join outcomes as p on p.decision_id = own.decision_id and p.outcome <> own.outcome
    ${writersOf('p')}
    where w.client not in (${tx.lists.texts(await programsHere(tx))})
      and p.created_at = (select max(e.created_at) from outcomes as e
        where e.decision_id = own.decision_id and e.created_at < own.created_at and ${notRetracted('e.seq')})`;
  return new Map(rows.map(({ seq, ...before }) => [seq, before]));
}
