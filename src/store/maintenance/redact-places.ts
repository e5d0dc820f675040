import type { Decision } from '../../domain/decision.ts';
import { findDecision } from '../decisions/decision.ts';
import type { RecordKind, Table } from '../schema.ts';
import type { Tx } from '../tx.ts';

export type Value = string | number | null;
/** A record that may hold a secret, and where its texts stand. */
export interface Target {
  kind: RecordKind;
  seq: number;
  /** Records whose entries in the text index hold any of it. */
  found: number[];
  id: string;
  places: Place[];
}

export interface Place {
  table: Table;
  column: string;
  is: Value;
  texts: string[];
  /** Columns by which others find the record: blanked only where they hold the secret, and told apart by this. */
  names?: string[];
  apart?: string;
  /** What is blanked here without being asked for by its letters. */
  secret?: string;
}

/** Tables whose records are found by an id of their own, with what they hold and their texts. */
const BY_ID = [
  { table: 'evidence', kind: 'evidence', texts: ['content'] },
  { table: 'anchors', kind: 'anchor', texts: ['hint'] },
  { table: 'checkpoints', kind: 'checkpoint', texts: ['summary', 'nextSteps', 'openFiles'] },
  { table: 'memos', kind: 'memo', texts: ['summary', 'fullText'] },
] as const;

/** The record with this id, and where its texts stand. */
export async function findTarget(tx: Tx, reference: string): Promise<Target | undefined> {
  if (/^\d{1,15}$/.test(reference)) return findObservationTexts(tx, Number(reference));
  const [, keyword] = reference.match(/^keyword:(\d{1,15})$/) ?? [];
  if (keyword) return findKeywordName(tx, Number(keyword));
  const decision = await findDecision(tx, reference);
  if (decision) return decisionTexts(tx, decision);
  for (const { table, kind, texts } of BY_ID) {
    const row = await tx.db.selectFrom(table).select('seq').where('id', '=', reference).executeTakeFirst();
    if (!row) continue;
    const place = { table, column: 'id', is: reference, texts: [...texts] };
    return { kind, seq: row.seq, found: [row.seq], id: reference, places: [place] };
  }
  return undefined;
}

/** A topic is the name of the whole chain. */
async function decisionTexts(tx: Tx, { id, rootId }: Decision): Promise<Target> {
  const rows = await tx.db
    .selectFrom('decisions')
    .select(['id', 'seq'])
    .where('rootId', '=', rootId)
    .execute();
  const apart = rootId.slice(0, 8);
  return {
    kind: 'decision',
    seq: rows.find((row) => row.id === id)?.seq ?? 0,
    found: rows.map(({ seq }) => seq),
    id,
    places: [
      { table: 'decisions', column: 'id', is: id, texts: ['text', 'reasoning', 'outcomeReason'] },
      { table: 'decisions', column: 'rootId', is: rootId, texts: [], names: ['topic', 'scope'], apart },
      { table: 'outcomes', column: 'decisionId', is: id, texts: ['reason'] },
    ],
  };
}

async function findKeywordName(tx: Tx, seq: number): Promise<Target | undefined> {
  const row = await tx.db.selectFrom('keywords').select('name').where('seq', '=', seq).executeTakeFirst();
  if (!row) return undefined;
  return {
    kind: 'keyword',
    seq,
    found: [],
    id: String(seq),
    places: [
      {
        table: 'keywords',
        column: 'seq',
        is: seq,
        texts: [],
        names: ['name'],
        apart: String(seq),
        secret: row.name,
      },
    ],
  };
}

async function findObservationTexts(tx: Tx, id: number): Promise<Target | undefined> {
  const row = await tx.db.selectFrom('observations').select('seq').where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const both = ['title', 'content'];
  return {
    kind: 'observation',
    seq: row.seq,
    found: [row.seq],
    id: String(id),
    places: [
      {
        table: 'observations',
        column: 'id',
        is: id,
        texts: both,
        names: ['topicKey', 'project', 'scope', 'type'],
        apart: String(id),
      },
      {
        table: 'observationRevisions',
        column: 'observationId',
        is: id,
        texts: both,
        names: ['type'],
        apart: String(id),
      },
      { table: 'relations', column: 'fromId', is: id, texts: ['note'], names: ['type'] },
      { table: 'relations', column: 'toId', is: id, texts: ['note'], names: ['type'] },
    ],
  };
}
