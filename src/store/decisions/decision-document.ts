import { type Selectable, sql } from 'kysely';
import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import { putDocument, removeDocument } from '../document.ts';
import type { Document } from '../engine.ts';
import { notRetracted } from '../record.ts';
import type { Schema } from '../schema.ts';
import { together } from '../statements.ts';
import type { Tx } from '../tx.ts';

type Searched = Pick<Selectable<Schema['decisions']>, 'seq' | 'topic' | 'text' | 'reasoning'>;

/**
 * The topic is the title. The body is the text, the reasoning without its links, which are no words (W-2), and the reason
 * of every outcome (W-1).
 */
export function decisionDocument({ seq, topic, text, reasoning }: Searched, reasons: string[]): Document {
  const { prose } = parseReasoning(reasoning ?? '');
  const body = [text, prose, ...new Set(reasons)].join('\n');
  return { seq, title: topic ?? '', body, isVersion: true };
}

/** The searched texts of those of these records that are decisions, and no mistakes. */
export async function decisionDocuments(tx: Tx, seqs: number[]): Promise<Document[]> {
  const [rows, reasons] = await together(searchedOf(tx, seqs), reasonsOf(tx, seqs));
  return rows.map((row) => decisionDocument(row, reasons.get(row.seq) ?? []));
}

function searchedOf(tx: Tx, seqs: number[]): Promise<Searched[]> {
  return tx.db
    .selectFrom('decisions')
    .select(['seq', 'topic', 'text', 'reasoning'])
    .where('seq', 'in', sql<number>`(${tx.lists.numbers(seqs)})`)
    .where(sql<boolean>`${notRetracted('decisions.seq')}`)
    .execute();
}

/** Makes a decision findable by what it says and what became of it now; no mistake is. */
export async function reindexDecision(tx: Tx, seq: number): Promise<void> {
  const [documents] = await together(decisionDocuments(tx, [seq]), removeDocument(tx, seq));
  for (const document of documents) await putDocument(tx, document);
}

/** Why these decisions failed or worked, by their numbers, oldest first. */
async function reasonsOf(tx: Tx, seqs: number[]): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ seq: number; reason: string }>`
    select d.seq, o.reason from (${tx.lists.numbers(seqs)}) as wanted join decisions as d on d.seq = wanted.id
    join outcomes as o on o.decision_id = d.id
    where o.reason is not null and ${notRetracted('o.seq')} order by o.seq`.execute(tx.db);
  const reasons = new Map<number, string[]>();
  for (const { seq, reason } of rows) reasons.set(seq, [...(reasons.get(seq) ?? []), reason]);
  return reasons;
}
