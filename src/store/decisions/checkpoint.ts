import { sql } from 'kysely';
import type { Checkpoint } from '../../domain/checkpoint.ts';
import { putDocument } from '../document.ts';
import type { Document } from '../engine.ts';
import { textsIn } from '../json-list.ts';
import { insertRecord } from '../record.ts';
import type { Tx, Writer } from '../tx.ts';
import { WRITER } from '../writer.ts';

export async function insertCheckpoint(
  tx: Tx,
  content: Pick<Checkpoint, 'summary' | 'nextSteps' | 'openFiles'>,
): Promise<Checkpoint> {
  const checkpoint = { id: tx.newId(), ...content, createdAt: tx.now };
  const seq = await insertRecord(tx, 'checkpoint');
  await tx.db
    .insertInto('checkpoints')
    .values({ ...checkpoint, seq, openFiles: JSON.stringify(checkpoint.openFiles) })
    .execute();
  await putDocument(tx, checkpointDocument({ ...checkpoint, seq }));
  return checkpoint;
}

/** The newest checkpoint with who noted it; undefined in a memory without one. */
export async function newestCheckpoint(tx: Tx): Promise<(Checkpoint & Writer) | undefined> {
  const row = await tx.db
    .selectFrom('checkpoints')
    .innerJoin('records', 'records.seq', 'checkpoints.seq')
    .innerJoin('writers', 'writers.id', 'records.writer')
    .select(['checkpoints.id', 'summary', 'nextSteps', 'openFiles', 'createdAt', ...WRITER])
    .orderBy('checkpoints.seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { ...row, openFiles: textsIn(row.openFiles) };
}

/** The searched texts of those of these records that are checkpoints. */
export async function checkpointDocuments(tx: Tx, seqs: number[]): Promise<Document[]> {
  const rows = await tx.db
    .selectFrom('checkpoints')
    .select(['seq', 'summary', 'nextSteps', 'openFiles'])
    .where('seq', 'in', sql<number>`(${tx.lists.numbers(seqs)})`)
    .execute();
  return rows.map((row) => checkpointDocument({ ...row, openFiles: textsIn(row.openFiles) }));
}

type Searched = Pick<Checkpoint, 'summary' | 'nextSteps' | 'openFiles'> & { seq: number };

function checkpointDocument({ seq, summary, nextSteps, openFiles }: Searched): Document {
  return { seq, title: '', body: [summary, nextSteps ?? '', ...openFiles].join('\n') };
}
