import { seqsOf } from '../../domain/id.ts';
import type { Document } from '../engine.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { toBytes } from '../vector.ts';
import { everyDocument, FINDABLE } from './documents.ts';

/**
 * How many findable records there are, and how many of them have no vector of this model.
 * @param size numbers in a vector of the model: vectors of another size count as missing
 */
export async function countMissing(
  tx: Tx,
  model: string,
  size: number,
): Promise<{ missing: number; all: number }> {
  const rows = await query<{ missing: number; all: number }>(tx)`
    select count(*) as "all", coalesce(sum(case when v.seq is null then 1 else 0 end), 0) as missing
    from records as r left join vectors as v on v.seq = r.seq and v.model = ${model} and v.dimensions = ${size}
    where ${FINDABLE}`;
  return rows[0] ?? { missing: 0, all: 0 };
}

/** How many findable records have no vector of any model. */
export async function countWithout(tx: Tx): Promise<number> {
  const rows = await query<{ count: number }>(tx)`
    select count(*) as count from records as r left join vectors as v on v.seq = r.seq
    where v.seq is null and ${FINDABLE}`;
  return rows[0]?.count ?? 0;
}

/** The next documents without a vector of this model, in the order of their numbers. @param after the last one seen */
export async function missingDocuments(
  tx: Tx,
  model: string,
  size: number,
  after: number,
  limit: number,
): Promise<Document[]> {
  const rows = await query<{ seq: number }>(tx)`
    select r.seq from records as r left join vectors as v on v.seq = r.seq and v.model = ${model} and v.dimensions = ${size}
    where r.seq > ${after} and v.seq is null and ${FINDABLE} order by r.seq limit ${limit}`;
  return everyDocument(tx, seqsOf(rows));
}

/** Keeps the vectors of those documents whose text is still the one that the model read. @returns how many */
export async function keepVectors(
  tx: Tx,
  model: string,
  documents: Document[],
  vectors: Float32Array[],
): Promise<number> {
  let kept = 0;
  for (const [index, document] of documents.entries()) {
    const vector = vectors[index];
    if (!vector || !(await tx.text.holds(tx.db, document))) continue;
    await putVector(tx, document.seq, model, vector);
    kept++;
  }
  return kept;
}

/** Keeps the vector of a record, of unit length; it replaces an earlier one. */
export async function putVector(
  tx: Pick<Tx, 'db' | 'vectors'>,
  seq: number,
  model: string,
  vector: Float32Array,
): Promise<void> {
  await query(tx)`insert into vectors (seq, model, dimensions, vector)
    values (${seq}, ${model}, ${vector.length}, ${tx.vectors.fromBytes(toBytes(vector))})
    on conflict (seq) do update set model = excluded.model, dimensions = excluded.dimensions, vector = excluded.vector`;
}
