import * as z from 'zod';
import { bothHold, nameOfNote } from '../../domain/copies/both-hold.ts';
import type { Correction } from '../../domain/copies/copies.ts';
import type { Decision } from '../../domain/decision.ts';
import { quoted } from '../../domain/text/text.ts';
import { findDecision } from '../../store/decisions/decision.ts';
import { revisionsOf } from '../../store/observations/revision.ts';
import {
  type Compared,
  type Copy,
  copiesOf,
  type Outdated,
  outdatedIn,
  type SavedNote,
  sameNote,
} from '../../store/search/copies.ts';
import type { Source } from '../../store/search/corrections.ts';
import { type Counting, counting } from '../../store/search/counting.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { indented, warn } from '../view.ts';

/** Records that an answer names at most. */
const MOST_COPIES = 3;
/** Characters of a text and of a title. */
const TEXT = 80;
const TITLE = 60;

/** What an answer says of a correction: which records still say the old text (CC-1). */
export const copyWarnings = async (
  tx: Tx,
  corrected: Correction & Source,
  count?: Counting,
): Promise<string[]> => warningsOf(await copiesOf(tx, corrected, count), corrected);

/** @param id of the decision that was saved */
function warningsOf(copies: Copy[], { next, observation }: Correction & Source, id?: string): string[] {
  const verb = next === undefined ? 'no longer holds' : 'you replaced';
  const name = id ?? (observation !== undefined && next !== undefined ? nameOfNote(next) : undefined);
  return copies.slice(0, MOST_COPIES).map((copy, at, all) => {
    const [how, where] = CORRECTED[copy.kind];
    const isFirst = all.findIndex(({ kind }) => kind === copy.kind) === at;
    const both =
      at === 0 && name !== undefined ? `; if both hold, write into ${where}: ${bothHold(name)}` : '';
    const files = at === 0 ? '. Files may say it too: "precedent check --stale"' : '';
    const more = at === MOST_COPIES - 1 ? moreOf(copies.length - MOST_COPIES) : '';
    return `⚠️ still says what ${verb}: ${nameOf(copy)}${isFirst ? `. ${how}` : ''}${both}${files}${more}`;
  });
}

const moreOf = (left: number) =>
  left > 0 ? `. ${left} more: "precedent review" lists ${left === 1 ? 'it' : 'them'}` : '';

/** How a record is corrected, and where it says that both hold. */
const CORRECTED = {
  decision: ['Save a new version under its topic', 'its reasoning'],
  observation: ['Supersede it with mem_save, then mem_relate ("precedent revise")', 'its content'],
  memo: ['Correct it with memo_save ("precedent revise")', 'its text'],
} as const;

/** A record in a few words. */
function nameOf({ kind, id, title, text }: Copy): string {
  const said = quoted(text, TEXT);
  if (kind === 'observation') return `#${id} ${quoted(title ?? '', TITLE)}: ${said}`;
  if (kind === 'memo') return `memo ${id}: ${said}`;
  return `${topicOr(title, id)}: ${said}`;
}

/** A topic as it is, unless it is more than a plain name. */
const topicOr = (topic: string | null, id: string): string => {
  if (topic === null) return id;
  return topic.length <= TITLE && /^[\p{L}\p{N}:._/-]+$/u.test(topic) ? topic : quoted(topic, TITLE);
};

/**
 * {@link copyWarnings} of a saved version, and what it says itself that was replaced elsewhere.
 * @returns also the ids of the records that are named
 */
export async function copiesWarned(
  tx: Tx,
  saved: Decision,
  count?: Counting,
): Promise<{ named: string[]; warnings: string[] }> {
  const { corrected, isSame } = await correctedBy(tx, saved);
  const copies = corrected ? await copiesOf(tx, corrected, count) : [];
  const isRead = !saved.withdrawn && !isSame;
  return {
    named: copies.slice(0, MOST_COPIES).map(({ id }) => id),
    warnings: [
      ...(corrected ? warningsOf(copies, corrected, saved.id) : []),
      ...(isRead ? await outdatedWarnings(tx, { ...saved, title: saved.topic }, count) : []),
    ],
  };
}

/** What still says what a version replaced or withdrew. */
export async function copiesLeft(tx: Tx, saved: Decision): Promise<Copy[]> {
  const { corrected } = await correctedBy(tx, saved);
  return corrected ? copiesOf(tx, corrected) : [];
}

/** The text that a version replaced or withdrew, and whether it says the same as the one before. */
async function correctedBy(tx: Tx, { previousVersionId, rootId, version: from, text, withdrawn }: Decision) {
  const was = previousVersionId === null ? undefined : await findDecision(tx, previousVersionId);
  const isSame = was?.text === text;
  const of = { rootId, from };
  if (withdrawn) return { corrected: { ...of, old: text }, isSame };
  return { corrected: was && !isSame ? { ...of, old: was.text, next: text } : undefined, isSame };
}

/** {@link copiesWarned} of a note that was saved, or corrected; of a new one also the note that it seems to be again. */
export async function copiesOfNote(tx: Tx, note: SavedNote, isCorrected: boolean): Promise<string[]> {
  const { id, title, content } = note;
  const [was] = isCorrected ? await revisionsOf(tx, id, { newest: 1 }) : [];
  if (was && was.content !== content)
    return copyWarnings(tx, { observation: id, old: was.content, next: content });
  const count = counting(tx);
  const [same, outdated] = await together(
    isCorrected ? undefined : sameNote(tx, note, count),
    outdatedWarnings(tx, { observation: id, title, text: content }, count),
  );
  return [...(same ? [sameWarning(note.id, same)] : []), ...outdated];
}

const sameWarning = (id: number, same: { id: number; title: string; text: string }) =>
  `⚠️ #${same.id} ${quoted(same.title, TITLE)} is there already: ${quoted(same.text, TEXT)}. If this one corrects it: mem_relate(${id}, supersedes, ${same.id}); if it says nothing new: delete #${id}; if both hold, leave both`;

/** {@link copyWarnings} for a result, which has them only if there are any. */
export async function warnedCopies(
  ...given: Parameters<typeof copyWarnings>
): Promise<{ warnings?: string[] }> {
  const warnings = await copyWarnings(...given);
  return warnings.length > 0 ? { warnings } : {};
}

/** That a record says what was replaced, withdrawn or failed elsewhere, for its writer. */
async function outdatedWarnings(tx: Tx, record: Compared, count?: Counting): Promise<string[]> {
  const found = await outdatedIn(tx, record, count);
  return found.slice(0, MOST_COPIES).map((each) => `⚠️ may say what ${said(each)}`);
}

/** What happened to what a record says: was replaced, and by what. */
function said({ id, topic: title, how, version, newest, old, next = '' }: Outdated): string {
  const topic = topicOr(title, id);
  if (how !== 'replaced')
    return `${how === 'failed' ? 'failed' : 'was withdrawn'}: ${topic} v${version} said ${quoted(old, TEXT)}`;
  return `was replaced: ${topic}${id.startsWith('#') ? '' : ` v${newest}`} says ${quoted(next, TEXT)}`;
}

/** What is said of a record next to it, if anything is: "may still say what was replaced: …". */
export async function toOutdated(tx: Tx, record: Compared): Promise<{ outdated?: string[] }> {
  const outdated = notesOf(await outdatedIn(tx, record));
  return outdated.length > 0 ? { outdated } : {};
}

export const outdated = () =>
  z.array(z.string()).optional().describe('What it may still say, and what took its place');

export const viewOutdated = ({ outdated = [] }: { outdated?: string[] | undefined }) =>
  outdated.map((each) => indented(warn(`! ${each}`)));

export const notesOf = (found: Outdated[]) =>
  found.slice(0, MOST_COPIES).map((each) => `may still say what ${said(each)}`);
