import { seqsOf } from '../../domain/id.ts';
import type { Trial } from '../../domain/ranking/meaning.ts';
import { TRIED } from '../../domain/ranking/weights.ts';
import { jsonIn } from '../../domain/text/json.ts';
import type { Document } from '../engine.ts';
import { readMeta, writeMeta } from '../meta.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { everyDocument, FINDABLE } from './documents.ts';

/** A model's trial, and which model it was of. */
export interface KeptTrial extends Trial {
  model: string;
  dimensions: number;
}

/** The meta entry that holds the last trial. */
const KEY = 'trial';
/** Records that are looked at for each one tried: versions of a chain have the same title. */
const LOOKED_AT = 4;

/** The last trial of any model. */
export async function lastTrial(tx: Tx): Promise<KeptTrial | undefined> {
  const kept = jsonIn((await readMeta(tx, KEY)) ?? '') as Partial<KeptTrial> | undefined;
  const numbers = [kept?.dimensions, kept?.asked, kept?.found, kept?.stranger];
  return numbers.every(Number.isFinite) && typeof kept?.model === 'string' ? (kept as KeptTrial) : undefined;
}

/** The trial of this model, with vectors of this size; undefined if another one was tried last. */
export async function trialOfModel(
  tx: Tx,
  model: string,
  dimensions: number,
): Promise<KeptTrial | undefined> {
  const kept = await lastTrial(tx);
  return kept?.model === model && kept.dimensions === dimensions ? kept : undefined;
}

export const keepTrial = (tx: Tx, trial: KeptTrial): Promise<void> =>
  writeMeta(tx, KEY, JSON.stringify(trial));

/** So that a model is tried anew. */
export const forgetTrial = (tx: Tx) => query(tx)`delete from meta where key = ${KEY}`;

/** The newest records with a title and a text, one of each title. */
export async function recordsToTry(tx: Tx): Promise<Document[]> {
  const rows = await query<{ seq: number }>(tx)`
    select r.seq from records as r where ${FINDABLE} order by r.seq desc limit ${LOOKED_AT * TRIED.most}`;
  const documents = await everyDocument(tx, seqsOf(rows));
  const titled = documents.filter(({ title, body }) => title.trim() && body.trim());
  return [...new Map(titled.map((document) => [document.title, document])).values()].slice(-TRIED.most);
}
