import type { Decision } from '../../domain/decision.ts';
import { quoted } from '../../domain/text/text.ts';
import { findDecision, findDecisions } from '../../store/decisions/decision.ts';
import { revisionsOf } from '../../store/observations/revision.ts';
import {
  type Copy,
  type Corrected,
  copiesOf,
  newestCorrections,
  type Outdated,
  outdatedIn,
} from '../../store/search/copies.ts';
import { giveWay } from '../../store/turns.ts';
import type { Tx } from '../../store/tx.ts';

/** Records that an answer names at most. */
const NAMED = 3;
/** Characters of a text and of a title. */
const TEXT = 80;
const TITLE = 60;

/** What an answer says of a correction: which records still say the old text (CC-1). */
export async function copyWarnings(tx: Tx, corrected: Corrected, id?: string): Promise<string[]> {
  const copies = await copiesOf(tx, corrected);
  const verb = corrected.next === undefined ? 'no longer holds' : 'you replaced';
  const both = id === undefined ? '' : `. Correct it; if both hold, say so there: alongside: ${id}`;
  return copies
    .slice(0, NAMED)
    .map((copy, at) => `⚠️ still says what ${verb}: ${nameOf(copy)}${at === 0 ? both : ''}`);
}

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

/** {@link copyWarnings} of a saved version, and what it says itself that was replaced elsewhere. */
export async function copiesWarned(tx: Tx, saved: Decision): Promise<string[]> {
  const was = saved.previousVersionId === null ? undefined : await findDecision(tx, saved.previousVersionId);
  const of = { rootId: saved.rootId, from: saved.version };
  if (saved.withdrawn) return copyWarnings(tx, { ...of, old: saved.text }, saved.id);
  const isOther = was !== undefined && was.text !== saved.text;
  const next = { ...of, old: was?.text ?? '', next: saved.text };
  return [
    ...(isOther ? await copyWarnings(tx, next, saved.id) : []),
    ...(was === undefined || isOther ? await outdatedWarnings(tx, { ...saved, title: saved.topic }) : []),
  ];
}

/** {@link copiesWarned} of a note that was saved, or corrected. */
export async function copiesOfNote(
  tx: Tx,
  id: number,
  { title, content }: { title: string; content: string },
  isCorrected: boolean,
): Promise<string[]> {
  const [was] = isCorrected ? await revisionsOf(tx, id, { newest: 1 }) : [];
  return was && was.content !== content
    ? copyWarnings(tx, { observation: id, old: was.content, next: content })
    : outdatedWarnings(tx, { title, text: content });
}

/** That a record says what was replaced, withdrawn or failed elsewhere, for its writer. */
async function outdatedWarnings(tx: Tx, record: Parameters<typeof outdatedIn>[1]): Promise<string[]> {
  const found = await outdatedIn(tx, record);
  return found.slice(0, NAMED).map((each) => `⚠️ may say what ${said(each)}`);
}

/** What happened to what a record says: was replaced, and by what. */
function said({ was, now }: Outdated): string {
  const topic = topicOr(was.topic, now.id);
  const old = `${topic} v${was.version} said`;
  if (now.withdrawn) return `was withdrawn: ${old} ${quoted(was.text, TEXT)}`;
  if (now.outcome === 'failed') return `failed: ${old} ${quoted(was.text, TEXT)}`;
  return `was replaced: ${topic} v${now.version} says ${quoted(now.text, TEXT)}`;
}

/** Corrections whose copies are looked for at once. */
const CORRECTIONS = 50;

/** The active decisions that still say what was corrected lately, each with what took the place of that (CC-1). */
export async function lateCopies(tx: Tx): Promise<{ decision: Decision; by: Outdated[] }[]> {
  const ids = new Set<string>();
  for (const corrected of await newestCorrections(tx, CORRECTIONS)) {
    // Others get their turn in between (Z-5).
    await giveWay();
    for (const { kind, id } of await copiesOf(tx, corrected)) if (kind === 'decision') ids.add(id);
  }
  const found: { decision: Decision; by: Outdated[] }[] = [];
  for (const decision of await findDecisions(tx, [...ids])) {
    const by = await outdatedIn(tx, { ...decision, title: decision.topic });
    if (by.length > 0) found.push({ decision, by });
  }
  return found;
}

/** What is said of a record next to it: "may still say what was replaced: …". */
export async function outdatedNotes(tx: Tx, record: Parameters<typeof outdatedIn>[1]): Promise<string[]> {
  return notesOf(await outdatedIn(tx, record));
}

export const notesOf = (found: Outdated[]) =>
  found.slice(0, NAMED).map((each) => `may still say what ${said(each)}`);
