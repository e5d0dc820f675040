import { sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { findDecisions, newestInChain } from '../decisions/decision.ts';
import { mirrorOutcome, recordOutcome } from '../decisions/outcome.ts';
import { notRetracted, reinstate, retract } from '../record.ts';
import type { Tx } from '../tx.ts';
import type { Effect, Part } from './part.ts';
import { madeByUndo, mine } from './saves.ts';

interface Entry {
  seq: number;
  decisionId: string;
  outcome: Outcome;
  reason: string | null;
}

/**
 * An outcome stays in its log, retracted, and the decision shows the one before (K-6). Versions that say the same since
 * an undo carry it too, and lose it with it.
 */
export async function outcomePart(tx: Tx, seq: number): Promise<Part> {
  const { entry, decision } = await entryAt(tx, seq);
  return {
    effect: effectOf(entry, decision, 'undone'),
    rests: [],
    async takeBack() {
      const { rows } = await sql<{ seq: number; decisionId: string }>`
        select o.seq, o.decision_id from decisions as d join outcomes as o on o.decision_id = d.id
        join records as r on r.seq = o.seq
        where d.root_id = ${decision.rootId} and d.version >= ${decision.version} and o.seq >= ${seq}
          and o.outcome = ${entry.outcome} and o.reason is not distinct from ${entry.reason}
          and r.writer in ${mine(tx)} and ${notRetracted('o.seq')}
        order by o.seq`.execute(tx.db);
      for (const { seq } of rows) await retract(tx, seq);
      for (const id of new Set(rows.map(({ decisionId }) => decisionId))) await mirrorOutcome(tx, id);
    },
  };
}

/** Brings an outcome back, also with the version that says by now what its own said. */
export async function outcomeAgain(tx: Tx, seq: number): Promise<Part> {
  const { entry, decision } = await entryAt(tx, seq);
  return {
    effect: effectOf(entry, decision, 'recorded again'),
    rests: [],
    async takeBack() {
      await reinstate(tx, seq);
      await mirrorOutcome(tx, decision.id);
      const newest = await newestInChain(tx, decision.rootId);
      const isSame = newest.text === decision.text && newest.outcome === null;
      if (newest.id !== decision.id && isSame && (await standsAgain(tx, decision, newest, seq)))
        await recordOutcome(notBefore(tx, newest), newest.id, entry.outcome, entry.reason);
    },
  };
}

/** What was entered with a date is not older than the version that has it now. */
function notBefore(tx: Tx, { createdAt }: Decision): Tx {
  const now = Math.max(tx.now, createdAt);
  return { ...tx, now, entered: now };
}

/** Whether an undo or a redo made the newest version of a chain, to say what one says that was the newest when it got its outcome. */
async function standsAgain(tx: Tx, reported: Decision, newest: Decision, outcome: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from decisions as d where d.id = ${newest.id} and ${madeByUndo('d.seq')} and not exists (
      select 1 from decisions as n where n.root_id = d.root_id and n.version > ${reported.version} and n.seq < ${outcome})`.execute(
    tx.db,
  );
  return rows.length > 0;
}

async function entryAt(tx: Tx, seq: number): Promise<{ entry: Entry; decision: Decision }> {
  const entry = await tx.db
    .selectFrom('outcomes')
    .select(['seq', 'decisionId', 'outcome', 'reason'])
    .where('seq', '=', seq)
    .executeTakeFirstOrThrow();
  const [decision] = await findDecisions(tx, [entry.decisionId]);
  return { entry, decision: decision as Decision };
}

function effectOf({ outcome, reason }: Entry, { id, topic }: Decision, becomes: string): Effect {
  return {
    kind: 'outcome',
    id,
    name: topic ?? '',
    text: reason === null ? outcome : `${outcome}: ${reason}`,
    becomes,
  };
}
