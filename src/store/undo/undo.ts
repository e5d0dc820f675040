import type { Save } from '../../domain/change.ts';
import { PrecedentError } from '../../domain/error.ts';
import type { RecordKind } from '../../domain/kinds.ts';
import type { Tx } from '../tx.ts';
import { evidencePart, hiddenPart, movedEvidence, shownAgain } from './hidden.ts';
import { changedMemo, memoPart } from './memos.ts';
import { joinedPart, renamedPart } from './names.ts';
import { changedObservation, observationPart } from './observations.ts';
import { outcomeAgain, outcomePart } from './outcomes.ts';
import {
  asEntered,
  changesOf,
  type Effect,
  type Part,
  recordsOf,
  type SavedChange,
  type SavedRecord,
  type Terms,
} from './part.ts';
import { relatedPart, unrelatedPart } from './relations.ts';
import { recordSave } from './save.ts';
import { lastUndo, standingSaves } from './saves.ts';
import { skippedSaves } from './skipped-saves.ts';
import { versionPart } from './versions.ts';

/** How long an axis or a lock of one's own may be overridden without a reason, in milliseconds (D-20). */
const GRACE = 3_600_000;

/** What is undone, or redone. */
export interface Undoing {
  /** When it was saved, or undone; milliseconds UTC. */
  savedAt: number;
  /** What becomes of each part of it. */
  effects: Effect[];
  /** What was saved since and cannot be undone, in words; undefined for nothing, or where it was said already. */
  skippedSaves: string | undefined;
}

/** What is asked for. */
export interface Asked {
  redo: boolean;
  /** Only says what would be done. */
  dryRun: boolean;
  reasoning: string | undefined;
}

/**
 * Undoes the newest active save of this author, or redoes the last one that was undone (K-6). Nothing
 * is erased: what was retracted is kept and marked.
 * @throws PrecedentError `not_found` when there is nothing; `conflict` when other records depend on it, naming them, or when an
 *   axis or a lock is overridden without a reason (D-20)
 */
export async function undo(tx: Tx, asked: Asked): Promise<Undoing> {
  const { found, skippedSaves } = await find(tx, asked);
  if (!found) throw nothing(asked.redo, skippedSaves);
  const { save, parts } = found;
  const rests = [...new Set(parts.flatMap((part) => part.rests))];
  if (rests.length > 0) throw restsOnIt(parts, rests);
  if (!asked.dryRun) {
    for (const part of parts) await part.takeBack();
    await recordSave(tx, save.id);
  }
  return { savedAt: save.createdAt, effects: parts.map(({ effect }) => effect), skippedSaves };
}

interface Found {
  found?: { save: Save; parts: Part[] };
  skippedSaves: string | undefined;
}

async function find(tx: Tx, { redo, reasoning }: Asked): Promise<Found> {
  const partsOf = (save: Save) =>
    partsOfSave(tx, { save, reasoning, isExempt: save.createdAt >= tx.now - GRACE });
  const last = await lastUndo(tx);
  if (redo)
    return { ...(last && { found: { save: last, parts: await partsOf(last) } }), skippedSaves: undefined };
  const passed: Save[] = [];
  // The undo before this one has said what it passed over.
  const words = async () => (last ? undefined : await skippedSaves(tx, passed));
  for await (const save of standingSaves(tx)) {
    const parts = await partsOf(save);
    if (parts.length > 0) return { found: { save, parts }, skippedSaves: await words() };
    // What was erased since, or only counted, leaves nothing to undo.
    passed.push(save);
  }
  return { skippedSaves: await words() };
}

/** How each part of a save is undone, in this order: what was changed, then what was made, the last first. */
async function partsOfSave(tx: Tx, terms: Terms): Promise<Part[]> {
  const parts: (Part | undefined)[] = [];
  const { save } = terms;
  for (const change of await changesOf(tx, save))
    parts.push(await partOfChange(asEntered(tx, change, save), change, terms));
  for (const record of await recordsOf(tx, save))
    parts.push(await partOfRecord(asEntered(tx, record, save), record, terms));
  return parts.filter((part) => part !== undefined);
}

/** How a record of a kind is undone, where it is not just hidden. */
const PARTS: Partial<
  Record<RecordKind, (tx: Tx, seq: number, terms: Terms) => Promise<Part | undefined> | undefined>
> = {
  decision: versionPart,
  // One that an undo or a redo copied goes with its version, or with the outcome that it is a copy of.
  outcome: (tx, seq, { save }) => (save.undoes === null ? outcomePart(tx, seq) : undefined),
  evidence: evidencePart,
  observation: observationPart,
  memo: memoPart,
  // Keywords are counted, and a redaction is for good.
  keyword: () => undefined,
  redaction: () => undefined,
};

async function partOfRecord(tx: Tx, { seq, kind }: SavedRecord, terms: Terms): Promise<Part | undefined> {
  const part = PARTS[kind];
  return part ? part(tx, seq, terms) : hiddenPart(tx, kind, seq);
}

async function partOfChange(tx: Tx, change: SavedChange, { save }: Terms): Promise<Part | undefined> {
  const { kind, recordSeq } = change;
  if (kind === 'joined') return joinedPart(tx, change);
  if (kind === 'related') return relatedPart(tx, change);
  if (kind === 'unrelated') return unrelatedPart(tx, change);
  const of = recordSeq === null ? undefined : await kindOf(tx, recordSeq);
  if (recordSeq === null || of === undefined) return undefined;
  if (kind === 'renamed') return renamedPart(tx, recordSeq, change, save.id);
  if (kind === 'retracted') return again(tx, of, recordSeq);
  if (kind === 'reinstated') return backAgain(tx, of, recordSeq);
  if (of === 'evidence' && kind === 'moved') return movedEvidence(tx, recordSeq, change);
  if (of === 'observation') return changedObservation(tx, recordSeq, change);
  if (of === 'memo') return changedMemo(tx, recordSeq, change);
  return undefined;
}

/** What an undo marked is brought back; a version is by another one that says the same. */
async function again(tx: Tx, kind: RecordKind, seq: number): Promise<Part | undefined> {
  if (kind === 'decision') return undefined;
  return kind === 'outcome' ? outcomeAgain(tx, seq) : shownAgain(tx, kind, seq);
}

/** What a redo brought back is undone once more. */
async function backAgain(tx: Tx, kind: RecordKind, seq: number): Promise<Part | undefined> {
  if (kind === 'decision') return undefined;
  if (kind === 'outcome') return outcomePart(tx, seq);
  return kind === 'evidence' ? evidencePart(tx, seq) : hiddenPart(tx, kind, seq);
}

async function kindOf(tx: Tx, seq: number): Promise<RecordKind | undefined> {
  const row = await tx.db.selectFrom('records').select('kind').where('seq', '=', seq).executeTakeFirst();
  return row?.kind;
}

function nothing(redo: boolean, skippedSaves: string | undefined): PrecedentError {
  const passed = skippedSaves === undefined ? '' : ` ${skippedSaves}`;
  return new PrecedentError(
    'not_found',
    redo
      ? 'Expected something that you undid and nothing that you saved since, found nothing to redo.'
      : `Expected something that you saved here, found nothing that can be undone.${passed} "precedent log" shows who saved what; "precedent revise" and "precedent delete" change what others saved.`,
  );
}

function restsOnIt(parts: Part[], rests: string[]): PrecedentError {
  const [first] = parts;
  const what = first ? `${first.effect.kind} ${first.effect.name || first.effect.id}` : 'it';
  return new PrecedentError(
    'conflict',
    `Expected a save that nothing depends on, found that other records depend on ${what}:\n${rests.map((each) => `- ${each}`).join('\n')}\nNothing was changed.`,
  );
}
