import { sql } from 'kysely';
import { append } from '../domain/append.ts';
import { PrecedentError } from '../domain/error.ts';
import { REDACTED } from '../domain/text/redaction.ts';
import { redactRecord, rowReference } from '../store/maintenance/redact.ts';
import { TELLING } from '../store/maintenance/redact-blank.ts';
import { findRemaining, type Remaining } from '../store/maintenance/redact-remaining.ts';
import type { Tx } from '../store/tx.ts';
import { blankedBy, isBlank, piecesOf } from './blank.ts';
import { NAMES, WORDS } from './check.ts';
import { type Fact, type Facts, type Fields, factsOf, nameOf, ofKind } from './facts.ts';

/** The redactions that were made here. */
export interface Blanked {
  records: string[];
  letters: string[];
  remaining: Remaining[];
}

/** Characters of a piece at least: a shorter one is in almost every text. */
const SHORTEST = 2;

/**
 * Blanks here what was blanked on another machine, as `redact` would here: it removes the same characters from all texts of
 * the record, also from texts that no other machine has yet.
 * @returns the records, as references for {@link redactRecord}; the characters; and other records that contain them
 */
export async function blankHere(tx: Tx, theirs: Facts, ours: Facts): Promise<Blanked> {
  const first = await wantedBy(tx, theirs, ours);
  for (const [reference, pieces] of first) await blankRecord(tx, reference, pieces);
  if (first.size === 0) return { records: [], letters: [], remaining: [] };
  // If the text still differs, it cannot be found by the words around it: redact all of it.
  for (const reference of (await wantedBy(tx, theirs, await factsOf(tx))).keys())
    await blankRecord(tx, reference, undefined);
  const letters = [...new Set([...first.values()].flat())].filter((each) => each.length >= TELLING);
  const remaining = await findRemaining(tx, { blanked: letters });
  return { records: [...first.keys()], letters, remaining };
}

/** Texts to redact here, by record. */
async function wantedBy(tx: Tx, theirs: Facts, ours: Facts): Promise<Map<string, string[]>> {
  const wanted = new Map<string, string[]>();
  // A name that a chain got later is not secret. By an undo it got back one of before.
  const called = ofKind(ours, 'called').filter(
    (fact) => !fact.gone && blankedBy(fact, theirs.get(nameOf(fact))) === fact,
  );
  const since = new Set<unknown>(called.map(({ topic }) => topic));
  for (const fact of ours.values()) {
    const blanked = blankedBy(fact, theirs.get(nameOf(fact)));
    if (blanked === fact) continue;
    const [has, left] = [fact, blanked] as [Fields, Fields];
    const add = (reference: string, pieces: readonly unknown[]) =>
      wanted.set(reference, append(wanted.get(reference) ?? [], pieces.map(String)));
    const reference = await referenceOf(tx, fact);
    for (const field of WORDS[fact.k])
      if (has[field] !== left[field])
        add(reference, piecesOf(String(has[field]), String(left[field])) ?? [has[field]]);
    const isSecret = (name: unknown) => !isBlank(name) && !since.has(name);
    for (const field of NAMES[fact.k])
      if (field !== 'by' && has[field] !== left[field] && isSecret(has[field])) add(reference, [has[field]]);
    if (!('by' in fact) || !('by' in blanked)) continue;
    for (const [at, name] of fact.by.entries())
      if (name !== blanked.by[at] && !isBlank(name)) add(await writerNamed(tx, name), [name]);
  }
  return wanted;
}

/** @param pieces default: every text of the record */
async function blankRecord(tx: Tx, reference: string, pieces: string[] | undefined): Promise<void> {
  const fit = pieces?.filter((piece) => [...piece].length >= SHORTEST && !REDACTED.includes(piece));
  try {
    await redactRecord(tx, reference, fit && [...new Set(fit)].sort((a, b) => b.length - a.length));
  } catch (error) {
    // The record no longer exists.
    if (!(error instanceof PrecedentError) || error.code !== 'not_found') throw error;
  }
}

/** The reference by which `redact` finds the record of a fact. */
async function referenceOf(tx: Tx, fact: Fact): Promise<string> {
  if (fact.k === 'outcome' || fact.k === 'called') return fact.decision;
  if (fact.k !== 'text' && fact.k !== 'place' && fact.k !== 'observation' && fact.k !== 'relation')
    return fact.id;
  const uid = fact.k === 'text' ? fact.observation : fact.k === 'relation' ? fact.from : fact.id;
  const { rows } = await sql<{
    id: number;
  }>`select o.id from observations as o join records as r on r.seq = o.seq
    where r.uid = ${uid}`.execute(tx.db);
  return `#${rows[0]?.id ?? 0}`;
}

async function writerNamed(tx: Tx, name: string): Promise<string> {
  const { rows } = await sql<{ id: number }>`select id from writers
    where ${name} in (author, host, client, session) order by id`.execute(tx.db);
  return rowReference('writer', rows[0]?.id ?? 0);
}
