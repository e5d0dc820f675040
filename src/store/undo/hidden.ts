import { sql } from 'kysely';
import type { RecordKind } from '../../domain/kinds.ts';
import { findDecisions } from '../decisions/decision.ts';
import { moveEvidence } from '../decisions/evidence.ts';
import { putDocument } from '../document.ts';
import { valuesIn } from '../json-list.ts';
import { STORED } from '../kinds/kinds.ts';
import { reinstate, retract } from '../record.ts';
import { everyDocument } from '../search/documents.ts';
import type { Tx } from '../tx.ts';
import { changedByOthers, dependentsOfEvidence } from './dependents.ts';
import type { Effect, Part, SavedChange } from './part.ts';

/** A record stays where it is, hidden, and is shown to who asks for it by its id (K-6). */
export async function hiddenPart(tx: Tx, kind: RecordKind, seq: number): Promise<Part> {
  return { effect: await effectOf(tx, kind, seq, 'hidden'), rests: [], takeBack: () => retract(tx, seq) };
}

/** {@link hiddenPart} of evidence, at which others may have set anchors. */
export async function evidencePart(tx: Tx, seq: number): Promise<Part> {
  const part = await hiddenPart(tx, 'evidence', seq);
  return { ...part, rests: await dependentsOfEvidence(tx, part.effect.id) };
}

/** {@link hiddenPart} the other way. */
export async function shownAgain(tx: Tx, kind: RecordKind, seq: number): Promise<Part> {
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

async function effectOf(tx: Tx, kind: RecordKind, seq: number, becomes: string): Promise<Effect> {
  const { table, text } = STORED[kind];
  const { rows } = await sql<{ id: string; text: string }>`
    select id, ${text === undefined ? sql`''` : sql.ref(text)} as text from ${sql.table(table)} where seq = ${seq}`.execute(
    tx.db,
  );
  const found = rows[0] ?? { id: '', text: '' };
  return { kind, name: '', becomes, ...found };
}
