import { sql } from 'kysely';
import type { ChangeKind, Save } from '../../domain/change.ts';
import { conflict, notFound, type PrecedentError } from '../../domain/error.ts';
import type { RecordKind } from '../../domain/kinds.ts';
import { dayOf, iso } from '../../domain/text/moment.ts';
import type { Naming } from '../decisions/overriding.ts';
import { STORED } from '../kinds/kinds.ts';
import { notRetracted } from '../record.ts';
import { findRow } from '../rows.ts';
import { query } from '../statements.ts';
import { giveWay } from '../turns.ts';
import type { Tx } from '../tx.ts';
import { changedMemo, evidencePart, hiddenPart, memoPart, shownAgain } from './hidden.ts';
import { joinedPart, renamedPart } from './names.ts';
import { changedObservation, observationPart, relatedPart, unrelatedPart } from './observations.ts';
import {
  changesOf,
  type Dependent,
  type Effect,
  type Part,
  recordsOf,
  type SavedChange,
  type SavedRecord,
  type Terms,
} from './part.ts';
import {
  activeSaves,
  type ChosenSaves,
  lastUndos,
  madeByUndo,
  ownOfAsker,
  ownOfSaves,
  recordSave,
  savesOf,
  type UndoTx,
} from './saves.ts';
import { outcomeAgain, outcomePart, versionPart } from './versions.ts';

/** Milliseconds in which authors may undo their own axis or lock without a reason and a name (D-20, T-6). */
const GRACE = 3_600_000;

/** The saves that are undone, or redone. */
export interface Undoing {
  /** When the first of it was saved, or undone; milliseconds UTC. */
  savedAt: number;
  /** How many saves. */
  saves: number;
  /** The result for each part of it. */
  effects: Effect[];
  /** Later saves that cannot be undone, in words; undefined for none, or where they were named already. */
  skippedSaves: string | undefined;
  /** In a dry run: what the real call must also provide; undefined if nothing is missing. */
  needs: Needs | undefined;
}

/** Overrides of an axis or a lock without a reason, or without a name (D-20, T-6). */
interface Needs {
  /** The ids of the locks that are not named. */
  replaces: string[];
  reasoning: boolean;
}

/** The saves that a caller asks for. */
export interface Asked {
  redo: boolean;
  /** So many saves, one after the other. */
  last: number;
  /** Only says what would be done. */
  dryRun: boolean;
  /**
   * Required to override an axis or a lock that was saved more than an hour ago or that was chosen by name
   * (D-20, T-6).
   */
  naming: Naming;
}

/**
 * Undoes the newest active saves of this author by this program, or redoes the last ones that were undone (K-6, V-2).
 * Nothing is erased: what was retracted is kept and marked.
 * @throws PrecedentError `not_found` when there is nothing; `conflict` when other records depend on it, naming them, or when an
 *   axis or a lock is overridden without a reason (D-20), or a lock without its name (T-6)
 */
export async function undo(tx: Tx, { redo, last, ...asked }: Asked): Promise<Undoing> {
  const own = { ...tx, own: ownOfAsker(tx) };
  const before = await firstOf(lastUndos(tx));
  const { done, passed, needs } = await undoEach(own, redo ? lastUndos(tx) : activeSaves(tx), {
    ...asked,
    last,
    isChosen: false,
  });
  // The previous undo already reported what it skipped.
  const skipped = redo || before ? undefined : await skippedSaves(tx, passed);
  if (done.length === 0) throw nothing(redo, skipped);
  return { ...together(done), skippedSaves: skipped, needs };
}

/**
 * Undoes the saves in which these records and changes were made, whoever saved them (V-2), the newest first.
 * @throws PrecedentError as {@link undo}
 */
export async function undoSaves(
  tx: Tx,
  chosen: ChosenSaves,
  asked: Pick<Asked, 'dryRun' | 'naming'>,
): Promise<Undoing> {
  const { saves, ids, isSavedHere } = await savesOf(tx, chosen);
  const own = { ...tx, own: ownOfSaves(tx, ids) };
  const { done, passed, needs } = await undoEach(own, saves, {
    ...asked,
    last: saves.length,
    isChosen: true,
  });
  const skipped = await skippedSaves(tx, passed);
  if (done.length === 0)
    throw notFound.nothing_to_do(
      isSavedHere
        ? `Expected something that can be undone, found nothing: it was undone before, came by sync or an import, or is gone.${skipped === undefined ? '' : ` ${skipped}`}`
        : `Expected something that was saved in this memory, found only what came by sync or an import. ${ELSEWHERE} To bring an earlier text of a decision back, save it on the topic again ("precedent why" shows it); "precedent withdraw ID" ends the decision, "precedent delete ID" removes a note.`,
    );
  return { ...together(done), skippedSaves: skipped, needs };
}

/**
 * The number of the record to undo for this id. A version that was made by undo or redo stands for the
 * earlier version with the same text.
 * @param id the record's id; for an observation, its number
 */
export async function numberOf(tx: Tx, kind: RecordKind, id: string | number): Promise<number[]> {
  const rows = await query<{ seq: number }>(tx)`
    select seq from ${sql.table(STORED[kind].table)} where id = ${id}`;
  if (kind !== 'decision') return rows.map(({ seq }) => seq);
  const versions = await query<{ seq: number }>(tx)`
    select d.seq from decisions as named join decisions as d on d.root_id = named.root_id and d.text = named.text
    where named.id = ${id} and d.version <= named.version and ${notRetracted('d.seq')} and not ${madeByUndo('d.seq')}
    order by d.version desc limit 1`;
  return (versions.length > 0 ? versions : rows).map(({ seq }) => seq);
}

/**
 * The changes in which these observations got another text.
 * @param texts the observation's number, and when in milliseconds UTC
 */
export async function rewritings(tx: Tx, texts: { number: number; at: number }[]): Promise<number[]> {
  const seqs: number[] = [];
  for (const { number, at } of texts) {
    const rows = await query<{ seq: number }>(tx)`
      select c.seq from observations as o join changes as c on c.record_seq = o.seq
      where o.id = ${number} and c.kind = 'rewritten' and c.created_at = ${at}`;
    for (const { seq } of rows) seqs.push(seq);
  }
  return seqs;
}

interface Done {
  save: Save;
  parts: Part[];
}

/** Undoes the saves in sequence, because the result of each depends on the ones before. */
async function undoEach(
  tx: UndoTx,
  saves: AsyncIterable<Save> | Iterable<Save>,
  { last, dryRun, naming, isChosen }: Omit<Asked, 'redo'> & { isChosen: boolean },
): Promise<{ done: Done[]; passed: Save[]; needs: Needs | undefined }> {
  const done: Done[] = [];
  const passed: Save[] = [];
  const refusals: PrecedentError[] = [];
  const restored = new Set<string>();
  for await (const save of saves) {
    const needsReason = save.createdAt < tx.now - GRACE;
    // The author's own saves of the last hour need no name, as in a batch (T-6).
    const isBatch = !isChosen && !needsReason;
    const parts = await partsOfSave(tx, { save, naming: { ...naming, isBatch }, needsReason, restored });
    // A part that was erased since, or only counted, leaves nothing to undo.
    if (parts.length === 0) {
      passed.push(save);
      continue;
    }
    const dependents = parts.flatMap((part) => part.dependents ?? []);
    if (dependents.length > 0) throw dependedOn(parts, dependents);
    for (const { refused } of parts) if (refused) refusals.push(refused);
    if (!dryRun) {
      if (refusals[0]) throw refusals[0];
      for (const part of parts) {
        await giveWay();
        await part.undo();
      }
      await recordSave(tx, save.id);
    }
    done.push({ save, parts });
    if (done.length === last) break;
  }
  const replaces = [...new Set(refusals.flatMap(({ lock }) => lock ?? []))];
  const reasoning = refusals.some(({ needsReason }) => needsReason);
  return { done, passed, needs: refusals.length > 0 ? { replaces, reasoning } : undefined };
}

async function firstOf<Item>(items: AsyncIterable<Item>): Promise<Item | undefined> {
  for await (const item of items) return item;
  return undefined;
}

function together(done: Done[]): Pick<Undoing, 'savedAt' | 'saves' | 'effects'> {
  const effects = done.flatMap(({ parts }) => parts.map(({ effect }) => effect));
  return { savedAt: (done[0] as Done).save.createdAt, saves: done.length, effects };
}

/** How each part of a save is undone, in this order: what was changed, then what was made, the last first. */
async function partsOfSave(tx: UndoTx, terms: Terms): Promise<Part[]> {
  const parts: (Part | undefined)[] = [];
  const { save } = terms;
  for (const change of await changesOf(tx, save)) {
    // A batch or an import is one save of thousands (Z-12).
    await giveWay();
    parts.push(await partOfChange(tx, change, terms));
  }
  for (const record of await recordsOf(tx, save)) {
    await giveWay();
    parts.push(await partOfRecord(tx, record, terms));
  }
  return parts.filter((part) => part !== undefined);
}

type How = (tx: UndoTx, seq: number, terms: Terms) => Promise<Part | undefined> | undefined;

/**
 * Not undone here: keywords are only counts, redactions are permanent, and a version is restored by a new
 * version with the same text.
 */
const never: How = () => undefined;

/**
 * Handlers for each kind, where the default does not apply. `made` undoes a new record (default: hide it);
 * `again` redoes an undone record (default: show it); `onceMore` undoes a redone record (default: `made`);
 * `changed` reverts a change.
 */
const PARTS: {
  [Kind in RecordKind]?: {
    made?: How;
    again?: How;
    onceMore?: How;
    changed?: (tx: UndoTx, recordSeq: number, change: SavedChange) => Promise<Part | undefined>;
  };
} = {
  decision: { made: versionPart, again: never, onceMore: never },
  outcome: { made: outcomePart, again: outcomeAgain },
  evidence: { made: evidencePart },
  observation: { made: observationPart, changed: changedObservation },
  memo: { made: memoPart, changed: changedMemo },
  keyword: { made: never },
  redaction: { made: never },
};

async function partOfRecord(tx: UndoTx, { seq, kind }: SavedRecord, terms: Terms): Promise<Part | undefined> {
  const made = PARTS[kind]?.made;
  return made ? made(tx, seq, terms) : hiddenPart(tx, kind, seq);
}

async function partOfChange(tx: UndoTx, change: SavedChange, terms: Terms): Promise<Part | undefined> {
  const { kind, recordSeq } = change;
  if (kind === 'joined') return joinedPart(tx, change);
  if (kind === 'related') return relatedPart(tx, change);
  if (kind === 'unrelated') return unrelatedPart(tx, change);
  const of = recordSeq === null ? undefined : await findRow(tx, 'records', { seq: recordSeq });
  if (recordSeq === null || of === undefined) return undefined;
  if (kind === 'renamed') return renamedPart(tx, recordSeq, change, terms);
  const { made, again, onceMore = made, changed } = PARTS[of.kind] ?? {};
  if (kind === 'retracted') return again ? again(tx, recordSeq, terms) : shownAgain(tx, of.kind, recordSeq);
  if (kind === 'reinstated')
    return onceMore ? onceMore(tx, recordSeq, terms) : hiddenPart(tx, of.kind, recordSeq);
  return changed?.(tx, recordSeq, change);
}

function nothing(redo: boolean, skippedSaves: string | undefined): PrecedentError {
  const passed = skippedSaves === undefined ? '' : ` ${skippedSaves}`;
  return notFound.nothing_to_do(
    redo
      ? 'Expected something that you undid and nothing that you saved since, found nothing to redo.'
      : `Expected a save of yours here that can be undone, found none.${passed} "precedent log" shows who saved what, and by what; "precedent undo REF" and "precedent undo via:claude since:1d" undo what others saved.`,
  );
}

const ELSEWHERE =
  'What came by sync can be undone only on the machine that saved it, an import by "precedent import --undo SOURCE".';

function dependedOn(parts: Part[], dependents: Dependent[]): PrecedentError {
  const { effect } = parts.find((part) => part.dependents?.length) ?? (parts[0] as Part);
  const { kind, id, name } = effect;
  const lines = new Set(dependents.map(({ line }) => `- ${line}`));
  const isFromElsewhere = dependents.some((each) => each.isFromElsewhere);
  const first = isFromElsewhere ? ELSEWHERE : 'Undo these first, by their ids: "precedent undo ID".';
  // A name that a shell would interpret is not put into a suggested command.
  const isPlain = /^[\p{L}\p{N}:._/-]+$/u.test(name);
  const all =
    isPlain && !isFromElsewhere
      ? `To undo all that was saved on this topic: "precedent undo topic:${name}"; what other topics made of it, first.`
      : first;
  const next =
    kind === 'decision'
      ? `${all} To end the decision and keep these: "precedent withdraw ${isPlain ? name : id}".`
      : first;
  return conflict.depended_on(
    `Expected a save that nothing depends on, found that other records depend on ${kind} ${name || id}:\n${[...lines].join('\n')}\n${next} Nothing was changed.`,
  );
}

/** How messages describe changes that cannot be undone. */
const GONE: Partial<Record<ChangeKind, string>> = {
  erased: 'an observation was deleted for good',
  unrelated: 'a relation was removed for good',
  repeated: 'saving an observation again only raises its count',
};

/**
 * Describes later saves that were skipped because they cannot be undone (K-6).
 * @param passed the newest first
 * @returns undefined when there is nothing to say
 */
async function skippedSaves(tx: Tx, passed: Save[]): Promise<string | undefined> {
  const last = new Map<string, string>();
  for (const save of passed) {
    const kinds = (await changesOf(tx, save)).map(({ kind }) => GONE[kind]);
    const what = kinds.find((each) => each !== undefined) ?? 'something was saved that no longer exists';
    if (!last.has(what)) last.set(what, dayOf(iso(save.createdAt)));
  }
  if (last.size === 0) return undefined;
  const said = [...last].map(([what, day]) => `${what} (${day})`);
  return `Skipped, since it cannot be undone: ${said.join('; ')}.`;
}
