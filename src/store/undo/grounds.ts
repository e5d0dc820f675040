import { sql } from 'kysely';
import { findDecisions } from '../decisions/decision.ts';
import { moveEvidence } from '../decisions/evidence.ts';
import { putDocument } from '../document.ts';
import { valuesIn } from '../json-list.ts';
import { reinstate, retract } from '../record.ts';
import { everyDocument } from '../search/documents.ts';
import type { Table } from '../tables.ts';
import type { Tx } from '../tx.ts';
import type { Effect, Part, SavedChange } from './part.ts';
import { changedByOthers, restsOnEvidence } from './rests.ts';

type Ground = 'evidence' | 'anchor' | 'checkpoint';

/** Evidence, an anchor or a checkpoint stays where it is, and is shown to who asks for it by its id (K-6). */
export async function groundPart(tx: Tx, kind: Ground, seq: number): Promise<Part> {
  const effect = await effectOf(tx, kind, seq, 'hidden');
  return {
    effect,
    rests: kind === 'evidence' ? await restsOnEvidence(tx, effect.id) : [],
    takeBack: () => retract(tx, seq),
  };
}

/** {@link groundPart} the other way. */
export async function groundAgain(tx: Tx, kind: Ground, seq: number): Promise<Part> {
  return {
    effect: await effectOf(tx, kind, seq, 'shown again'),
    rests: [],
    async takeBack() {
      await reinstate(tx, seq);
      for (const document of await everyDocument(tx, [seq])) await putDocument(tx, document);
    },
  };
}

/** Evidence that was moved goes back to the decision that it came from. */
export async function movedEvidence(tx: Tx, recordSeq: number, { seq, before }: SavedChange): Promise<Part> {
  const evidence = await tx.db
    .selectFrom('evidence')
    .select(['id', 'content', 'decisionRef', 'timestamp', 'observationId'])
    .where('seq', '=', recordSeq)
    .executeTakeFirstOrThrow();
  const to = String(valuesIn(before).decision);
  const [decision] = await findDecisions(tx, [to]);
  return {
    effect: {
      kind: 'evidence',
      id: evidence.id,
      name: decision?.topic ?? '',
      text: evidence.content,
      becomes: `moved to decision ${to}`,
    },
    rests: await changedByOthers(tx, recordSeq, seq),
    takeBack: () => moveEvidence(tx, evidence, to),
  };
}

/** The table of each kind, and its text. */
const TEXT_OF = {
  evidence: ['evidence', 'content'],
  anchor: ['anchors', 'hint'],
  checkpoint: ['checkpoints', 'summary'],
} as const satisfies Record<Ground, [Table, string]>;

async function effectOf(tx: Tx, kind: Ground, seq: number, becomes: string): Promise<Effect> {
  const [table, column] = TEXT_OF[kind];
  const { rows } = await sql<{ id: string; text: string }>`
    select id, ${sql.ref(column)} as text from ${sql.table(table)} where seq = ${seq}`.execute(tx.db);
  const { id = '', text = '' } = rows[0] ?? {};
  return { kind, id, name: '', text, becomes };
}
