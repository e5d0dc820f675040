import { sql } from 'kysely';
import type { Checkpoint } from '../domain/checkpoint.ts';
import { putDocument } from './document.ts';
import type { Document } from './engine.ts';
import { insertRecord } from './record.ts';
import type { Author, Unit } from './unit.ts';

export async function insertCheckpoint(
  unit: Unit,
  content: Pick<Checkpoint, 'summary' | 'nextSteps' | 'openFiles'>,
): Promise<Checkpoint> {
  const checkpoint = { id: unit.newId(), ...content, createdAt: unit.now };
  const seq = await insertRecord(unit, 'checkpoint');
  await unit.db
    .insertInto('checkpoints')
    .values({ ...checkpoint, seq, openFiles: JSON.stringify(checkpoint.openFiles) })
    .execute();
  await putDocument(unit, checkpointDocument({ ...checkpoint, seq }));
  return checkpoint;
}

/** The checkpoint saved last, with who saved it; undefined in a memory without one. */
export async function newestCheckpoint(unit: Unit): Promise<(Checkpoint & Author) | undefined> {
  const row = await unit.db
    .selectFrom('checkpoints')
    .innerJoin('records', 'records.seq', 'checkpoints.seq')
    .select([
      'id',
      'summary',
      'nextSteps',
      'openFiles',
      'createdAt',
      'records.sessionId as session',
      'records.client',
    ])
    .orderBy('checkpoints.seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { ...row, openFiles: JSON.parse(row.openFiles) as string[] };
}

/** What of every checkpoint is searched, of these records. */
export async function checkpointDocuments(unit: Unit, seqs: number[]): Promise<Document[]> {
  const rows = await unit.db
    .selectFrom('checkpoints')
    .select(['seq', 'summary', 'nextSteps', 'openFiles'])
    .where('seq', 'in', sql<number>`(${unit.list(seqs)})`)
    .execute();
  return rows.map((row) => checkpointDocument({ ...row, openFiles: JSON.parse(row.openFiles) }));
}

type Searched = Pick<Checkpoint, 'summary' | 'nextSteps' | 'openFiles'> & { seq: number };

function checkpointDocument({ seq, summary, nextSteps, openFiles }: Searched): Document {
  return { seq, title: '', body: [summary, nextSteps ?? '', ...openFiles].join('\n') };
}
