import { sql } from 'kysely';
import type { RecordKind } from '../../domain/kinds.ts';
import { putDocuments } from '../document.ts';
import { valuesIn } from '../json-list.ts';
import { STORED } from '../kinds/kinds.ts';
import {
  deleteMemo,
  findMemo,
  memoRevisions,
  restoreMemo,
  rewriteMemo,
  type StoredMemo,
} from '../memos/memo.ts';
import { reinstate, retract } from '../record.ts';
import { everyDocument, holdersOf, renewDocuments } from '../search/documents.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { changedByOthers, dependentsOfEvidence } from './dependents.ts';
import type { Dependent, Effect, Part, SavedChange } from './part.ts';
import type { UndoTx } from './saves.ts';

/** A record stays where it is, hidden, and is still shown by its id (K-6). */
export async function hiddenPart(tx: Tx, kind: RecordKind, seq: number): Promise<Part> {
  const undo = async () => {
    if (await retract(tx, seq)) await renewHolders(tx, kind, seq);
  };
  return { effect: await effectOf(tx, kind, seq, 'hidden'), undo };
}

/** {@link hiddenPart} of evidence, at which others may have set anchors. */
export async function evidencePart(tx: UndoTx, seq: number): Promise<Part> {
  const part = await hiddenPart(tx, 'evidence', seq);
  return { ...part, dependents: await dependentsOfEvidence(tx, part.effect.id) };
}

/** {@link hiddenPart} the other way. */
export async function shownAgain(tx: Tx, kind: RecordKind, seq: number): Promise<Part> {
  return {
    effect: await effectOf(tx, kind, seq, 'shown again'),
    undo: async () => {
      await countAgain(tx, seq);
      await renewHolders(tx, kind, seq);
    },
  };
}

/** Evidence and outcomes are found as their decision: index it without them, or with them again. */
async function renewHolders(tx: Tx, kind: RecordKind, seq: number): Promise<void> {
  const holders = await holdersOf(tx, kind, seq);
  const others = holders.filter((each) => each !== seq);
  await renewDocuments(tx, others);
}

/** Takes the mark of a record away, so that it is found again. */
export async function countAgain(tx: Tx, seq: number): Promise<void> {
  if (await reinstate(tx, seq)) await putDocuments(tx, await everyDocument(tx, [seq]));
}

async function effectOf(tx: Tx, kind: RecordKind, seq: number, becomes: string): Promise<Effect> {
  const { table, title, text } = STORED[kind];
  const column = (name: string | undefined) => (name === undefined ? sql`''` : sql.ref(name));
  const rows = await query<{ id: string; name: string; text: string }>(tx)`
    select id, ${column(title)} as name, ${column(text)} as text from ${sql.table(table)} where seq = ${seq}`;
  return { kind, becomes, ...(rows[0] ?? { id: '', name: '', text: '' }) };
}

/** A memo that was saved is deleted softly (K-6). */
export async function memoPart(tx: UndoTx, seq: number): Promise<Part | undefined> {
  const memo = await findMemo(tx, { seq });
  return memo && part(memo, 'deleted', await changedByOthers(tx, seq), () => deleteMemo(tx, memo));
}

/** Changes of a memo are changed back. */
export async function changedMemo(
  tx: UndoTx,
  recordSeq: number,
  { kind, seq, after }: SavedChange,
): Promise<Part | undefined> {
  const memo = await findMemo(tx, { seq: recordSeq });
  if (!memo) return undefined;
  const others = await changedByOthers(tx, recordSeq, seq);
  if (kind === 'deleted') return part(memo, 'restored', others, () => restoreMemo(tx, memo));
  if (kind === 'restored') return part(memo, 'deleted', others, () => deleteMemo(tx, memo));
  const { revision } = valuesIn(after);
  const text = (await memoRevisions(tx, memo)).find((each) => each.revision === revision);
  return (
    text && part(memo, `rewritten as before: ${text.summary}`, others, () => rewriteMemo(tx, memo, text))
  );
}

function part(
  { id, summary }: StoredMemo,
  becomes: string,
  dependents: Dependent[],
  undo: () => Promise<unknown>,
): Part {
  return { effect: { kind: 'memo', id, name: '', text: summary, becomes }, dependents, undo };
}
