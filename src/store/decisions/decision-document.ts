import { type Selectable, sql } from 'kysely';
import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import { putDocument, removeDocument } from '../document.ts';
import type { Document } from '../engine.ts';
import { countingAmong, counts } from '../record.ts';
import type { Schema } from '../schema.ts';
import type { Tx } from '../tx.ts';

type Searched = Pick<Selectable<Schema['decisions']>, 'seq' | 'topic' | 'text' | 'reasoning'>;

/**
 * The topic is the title. The body is the text, the reasoning without its links, which are no words (W-2), and the reason
 * of every outcome (W-1).
 */
export function decisionDocument({ seq, topic, text, reasoning }: Searched, reasons: string[]): Document {
  const { prose } = parseReasoning(reasoning ?? '');
  return { seq, title: topic ?? '', body: [text, prose, ...new Set(reasons)].join('\n') };
}

/** The searched texts of those of these records that are decisions. */
export async function decisionDocuments(tx: Tx, seqs: number[]): Promise<Document[]> {
  const rows = await tx.db
    .selectFrom('decisions')
    .select(['seq', 'id', 'topic', 'text', 'reasoning'])
    .where('seq', 'in', sql<number>`(${tx.lists.numbers(seqs)})`)
    .execute();
  const reasons = await reasonsOf(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => decisionDocument(row, reasons.get(row.id) ?? []));
}

/** Makes a decision findable by what it says and what became of it now; no mistake is. */
export async function reindexDecision(tx: Tx, seq: number): Promise<void> {
  await removeDocument(tx, seq);
  const counting = await countingAmong(tx, [seq]);
  for (const document of await decisionDocuments(tx, counting)) await putDocument(tx, document);
}

/** Why these decisions failed or worked, by their ids, oldest first. */
async function reasonsOf(tx: Tx, decisionIds: string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; reason: string }>`
    select o.decision_id as id, o.reason from (${tx.lists.texts(decisionIds)}) as wanted
    join outcomes as o on o.decision_id = wanted.id where o.reason is not null and ${counts('o.seq')} order by o.seq`.execute(
    tx.db,
  );
  const reasons = new Map<string, string[]>();
  for (const { id, reason } of rows) reasons.set(id, [...(reasons.get(id) ?? []), reason]);
  return reasons;
}
