import { sql } from 'kysely';
import type { Evidence } from '../domain/evidence.ts';
import { putDocument } from './document.ts';
import type { Document } from './engine.ts';
import { insertRecord } from './record.ts';
import type { Author, Unit } from './unit.ts';

/** Attaches a ground to a decision that is known to exist (D-7). */
export async function insertEvidence(
  unit: Unit,
  decisionRef: string,
  content: string,
  observationId: number | null = null,
): Promise<Evidence> {
  const evidence = { id: unit.newId(), content, decisionRef, timestamp: unit.now, observationId };
  const seq = await insertRecord(unit, 'evidence');
  await unit.db
    .insertInto('evidence')
    .values({ ...evidence, seq })
    .execute();
  await putDocument(unit, evidenceDocument({ seq, content }));
  return evidence;
}

/**
 * Attaches several grounds, leaving out those that the decision has word for word.
 * @param isNew whether the decision was made just now, and has none
 * @returns the new ones
 */
export async function attachEvidence(
  unit: Unit,
  decisionRef: string,
  contents: readonly string[],
  isNew: boolean,
): Promise<Evidence[]> {
  if (contents.length === 0) return [];
  const known = isNew
    ? []
    : await unit.db.selectFrom('evidence').select('content').where('decisionRef', '=', decisionRef).execute();
  const seen = new Set(known.map((row) => row.content));
  const added: Evidence[] = [];
  for (const content of contents) {
    if (seen.has(content)) continue;
    seen.add(content);
    added.push(await insertEvidence(unit, decisionRef, content));
  }
  return added;
}

export async function findEvidence(unit: Unit, id: string): Promise<Evidence | undefined> {
  return unit.db
    .selectFrom('evidence')
    .select(['id', 'content', 'decisionRef', 'timestamp', 'observationId'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** What of every ground is searched, of these records. */
export async function evidenceDocuments(unit: Unit, seqs: number[]): Promise<Document[]> {
  const rows = await unit.db
    .selectFrom('evidence')
    .select(['seq', 'content'])
    .where('seq', 'in', sql<number>`(${unit.list(seqs)})`)
    .execute();
  return rows.map(evidenceDocument);
}

function evidenceDocument({ seq, content }: { seq: number; content: string }): Document {
  return { seq, title: '', body: content };
}

/** All grounds of these decisions, oldest first, with who brought them. */
export function evidenceOf(unit: Unit, decisionIds: string[]): Promise<(Evidence & Author)[]> {
  return unit.db
    .selectFrom('evidence')
    .innerJoin('records', 'records.seq', 'evidence.seq')
    .select([
      'evidence.id',
      'content',
      'decisionRef',
      'timestamp',
      'observationId',
      'records.sessionId as session',
      'records.client',
    ])
    .where('decisionRef', 'in', sql<string>`(${unit.listOfTexts(decisionIds)})`)
    .orderBy('evidence.seq')
    .execute();
}
