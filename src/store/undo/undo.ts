import type { ChangeKind, Save } from '../../domain/change.ts';
import { PrecedentError } from '../../domain/error.ts';
import type { RecordKind } from '../../domain/kinds.ts';
import { dayOf, iso } from '../../domain/text/moment.ts';
import type { Naming } from '../decisions/overriding.ts';
import { findRow } from '../rows.ts';
import type { Tx } from '../tx.ts';
import { changedMemo, evidencePart, hiddenPart, memoPart, movedEvidence, shownAgain } from './hidden.ts';
import { joinedPart, renamedPart } from './names.ts';
import { changedObservation, observationPart, relatedPart, unrelatedPart } from './observations.ts';
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
import { activeSaves, lastUndo, recordSave } from './saves.ts';
import { outcomeAgain, outcomePart, versionPart } from './versions.ts';

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
  /** Needed where an axis or a lock is overridden that was saved more than an hour ago (D-20, T-6). */
  naming: Naming;
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
  const dependents = [...new Set(parts.flatMap((part) => part.dependents ?? []))];
  if (dependents.length > 0) throw dependedOn(parts, dependents);
  if (!asked.dryRun) {
    for (const part of parts) await part.undo();
    await recordSave(tx, save.id);
  }
  return { savedAt: save.createdAt, effects: parts.map(({ effect }) => effect), skippedSaves };
}

interface Found {
  found?: { save: Save; parts: Part[] };
  skippedSaves: string | undefined;
}

async function find(tx: Tx, { redo, naming }: Asked): Promise<Found> {
  const partsOf = (save: Save) =>
    partsOfSave(tx, { save, naming, isExempt: save.createdAt >= tx.now - GRACE });
  const last = await lastUndo(tx);
  if (redo)
    return { ...(last && { found: { save: last, parts: await partsOf(last) } }), skippedSaves: undefined };
  const passed: Save[] = [];
  // The undo before this one has said what it passed over.
  const words = async () => (last ? undefined : await skippedSaves(tx, passed));
  for await (const save of activeSaves(tx)) {
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

type How = (tx: Tx, seq: number, terms: Terms) => Promise<Part | undefined> | undefined;

/** Keywords are counted, a redaction is for good, and a version is brought back by another one that says the same. */
const never: How = () => undefined;

/**
 * How what was `made` of a kind is undone, where it is not just hidden; how what an undo marked of it is shown `again`, where
 * it is not just that; how what a redo brought back is undone once more, where that is not as it was made; and how what was
 * `changed` of it is changed back.
 */
const PARTS: {
  [Kind in RecordKind]?: {
    made?: How;
    again?: How;
    onceMore?: How;
    changed?: (tx: Tx, recordSeq: number, change: SavedChange) => Promise<Part | undefined>;
  };
} = {
  decision: { made: versionPart, again: never, onceMore: never },
  outcome: {
    // One that an undo or a redo copied goes with its version, or with the outcome that it is a copy of.
    made: (tx, seq, { save }) => (save.undoes === null ? outcomePart(tx, seq) : undefined),
    again: outcomeAgain,
    onceMore: outcomePart,
  },
  evidence: { made: evidencePart, changed: movedEvidence },
  observation: { made: observationPart, changed: changedObservation },
  memo: { made: memoPart, changed: changedMemo },
  keyword: { made: never },
  redaction: { made: never },
};

async function partOfRecord(tx: Tx, { seq, kind }: SavedRecord, terms: Terms): Promise<Part | undefined> {
  const made = PARTS[kind]?.made;
  return made ? made(tx, seq, terms) : hiddenPart(tx, kind, seq);
}

async function partOfChange(tx: Tx, change: SavedChange, terms: Terms): Promise<Part | undefined> {
  const { kind, recordSeq } = change;
  if (kind === 'joined') return joinedPart(tx, change);
  if (kind === 'related') return relatedPart(tx, change);
  if (kind === 'unrelated') return unrelatedPart(tx, change);
  const of = recordSeq === null ? undefined : await findRow(tx, 'records', { seq: recordSeq });
  if (recordSeq === null || of === undefined) return undefined;
  if (kind === 'renamed') return renamedPart(tx, recordSeq, change, terms.save.id);
  const { made, again, onceMore = made, changed } = PARTS[of.kind] ?? {};
  if (kind === 'retracted') return again ? again(tx, recordSeq, terms) : shownAgain(tx, of.kind, recordSeq);
  if (kind === 'reinstated')
    return onceMore ? onceMore(tx, recordSeq, terms) : hiddenPart(tx, of.kind, recordSeq);
  return changed?.(tx, recordSeq, change);
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

function dependedOn(parts: Part[], dependents: string[]): PrecedentError {
  const [first] = parts;
  const what = first ? `${first.effect.kind} ${first.effect.name || first.effect.id}` : 'it';
  return new PrecedentError(
    'conflict',
    `Expected a save that nothing depends on, found that other records depend on ${what}:\n${dependents.map((each) => `- ${each}`).join('\n')}\nNothing was changed.`,
  );
}

/** What nothing brings back, as the person who undid it reads it. */
const GONE: Partial<Record<ChangeKind, string>> = {
  erased: 'an observation was deleted for good',
  unrelated: 'a relation was removed for good',
  repeated: 'an observation was saved again, which is only counted',
};

/**
 * Says what was saved later than what is undone, and could not be undone itself (K-6).
 * @param passed the newest first
 * @returns undefined when there is nothing to say
 */
async function skippedSaves(tx: Tx, passed: Save[]): Promise<string | undefined> {
  const last = new Map<string, string>();
  for (const save of passed) {
    const kinds = (await changesOf(tx, save)).map(({ kind }) => GONE[kind]);
    const what = kinds.find((each) => each !== undefined) ?? 'something was saved that is gone by now';
    if (!last.has(what)) last.set(what, dayOf(iso(save.createdAt)));
  }
  if (last.size === 0) return undefined;
  const said = [...last].map(([what, day]) => `${what} (${day})`);
  return `Skipped, since it cannot be undone: ${said.join('; ')}.`;
}
