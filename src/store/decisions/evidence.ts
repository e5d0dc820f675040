import { sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import type { Evidence } from '../../domain/evidence.ts';
import { mask } from '../../domain/text/masking.ts';
import { putDocuments } from '../document.ts';
import type { Document } from '../engine.ts';
import { byIdOrPrefix } from '../prefix.ts';
import { insertRecords, notRetracted } from '../record.ts';
import { findRow, insertRows } from '../rows.ts';
import { query, together } from '../statements.ts';
import type { Tx, Writer } from '../tx.ts';
import { type Recorded, recorded, WRITER, writersOf } from '../writer.ts';
import { type DecisionRow, toDecision } from './decision.ts';

/** Attaches evidence to a decision. The decision must exist: the caller has checked it (D-7). */
export async function insertEvidence(
  tx: Tx,
  decisionRef: string,
  contents: readonly string[],
  observationId: number | null = null,
): Promise<Evidence[]> {
  if (contents.length === 0) return [];
  const seqs = await insertRecords(tx, 'evidence', contents.length);
  const added = contents.map((content, at) => ({
    seq: seqs[at] as number,
    id: tx.newId(),
    content,
    decisionRef,
    timestamp: tx.now,
    observationId,
  }));
  await together(insertRows(tx, 'evidence', added), putDocuments(tx, added.map(evidenceDocument)));
  return added.map(({ seq: _, ...evidence }) => evidence);
}

/**
 * Attaches several pieces of evidence, except those that the decision has already, word for word.
 * @param isNew whether the decision was just made and has no evidence
 * @returns the new evidence
 */
export async function attachEvidence(
  tx: Tx,
  decisionRef: string,
  contents: readonly string[],
  isNew: boolean,
): Promise<Evidence[]> {
  if (contents.length === 0) return [];
  const known = isNew
    ? []
    : await query<{ content: string }>(tx)`
        select e.content from evidence as e where e.decision_ref = ${decisionRef} and ${notRetracted('e.seq')}`;
  // A secret that was kept on purpose is masked where it comes again (Z-9).
  const seen = new Set(known.flatMap(({ content }) => [content, mask(content)]));
  const added = [...new Set(contents)].filter((content) => !seen.has(content));
  return insertEvidence(tx, decisionRef, added);
}

/** The evidence with this id, or with one that begins so (U-1). @throws PrecedentError `invalid` when several do */
export function resolveEvidence(tx: Tx, reference: string): Promise<Evidence | undefined> {
  const find = (id: string) => findRow(tx, 'evidence', { id });
  return byIdOrPrefix(tx, 'evidence', reference, 'pieces of evidence', find);
}

/** The numbers of the evidence of these versions, each with that of its version, in the order in which it was attached. */
export async function evidenceSeqs(
  tx: Tx,
  decisionSeqs: number[],
): Promise<{ seq: number; version: number }[]> {
  return query<{ seq: number; version: number }>(tx)`
    select e.seq, d.seq as version from (${tx.lists.numbers(decisionSeqs)}) as wanted
    join decisions as d on d.seq = wanted.id join evidence as e on e.decision_ref = d.id
    where ${notRetracted('e.seq')} order by e.seq`;
}

/** The versions whose evidence is a snapshot of an observation, in the order in which it was attached (U-2). */
export async function restingOn(tx: Tx, observationId: number): Promise<Decision[]> {
  const rows = await query<DecisionRow>(tx)`
    select d.* from evidence as e join decisions as d on d.id = e.decision_ref
    where e.observation_id = ${observationId} and ${notRetracted('e.seq')} order by e.seq`;
  return [...new Map(rows.map((row) => [row.id, toDecision(row)])).values()];
}

export function evidenceDocument({ seq, content }: { seq: number; content: string }): Document {
  return { seq, title: '', body: content };
}

/** The evidence of these decisions that counts, with who attached it, oldest first. */
export function evidenceOf(tx: Tx, decisionIds: string[]): Promise<(Evidence & Writer & Recorded)[]> {
  return query<Evidence & Writer & Recorded>(tx)`
    select e.id, e.content, e.decision_ref, e.timestamp, e.observation_id, ${WRITER}, ${recorded(sql`e.seq`, sql`e.timestamp`)} as recorded from evidence as e ${writersOf('e')}
    where e.decision_ref in (${tx.lists.texts(decisionIds)}) and r.retracted_at is null order by e.seq`;
}
