import { sql } from 'kysely';
import { append } from '../../domain/append.ts';
import { PrecedentError } from '../../domain/error.ts';
import { REDACTED } from '../../domain/text/redaction.ts';
import { recordChange } from '../change.ts';
import { putDocument, removeDocument } from '../document.ts';
import { nameEverything } from '../names.ts';
import { insertRecord } from '../record.ts';
import { everyDocument } from '../search/documents.ts';
import type { Tx } from '../tx.ts';
import { blankPlace, holds } from './redact-blank.ts';
import { findTarget, type Target } from './redact-places.ts';

/** A secret shorter than this would blank half of a text. */
const SHORTEST = 2;

/** What was blanked. */
export interface Redaction {
  kind: Target['kind'];
  id: string;
  /** Texts that were changed, revisions and notes included. */
  texts: number;
  /** What they held: the secret, or each text that was blanked as a whole. */
  blanked: string[];
  whole: boolean;
}

/**
 * Blanks the texts of one record, its revisions and its outcomes, and what the indexes hold of them. The redaction itself
 * stays on record. For an operator: no operation changes a text.
 * @param reference the id of a record, the number of an observation, or `keyword:` and the number of a keyword
 * @param secret only this is blanked, wherever it is in the record, its names included; without it every text is,
 *   and no name
 * @throws PrecedentError `not_found` when there is no such record, or it does not hold the secret
 */
export async function redactRecord(
  tx: Tx,
  reference: string,
  secret: string | undefined,
): Promise<Redaction> {
  if (secret !== undefined) checkSecret(secret);
  const target = await findTarget(tx, reference);
  if (!target) {
    throw new PrecedentError(
      'not_found',
      `Expected the id of a record, the number of an observation, keyword: and the number of a keyword, or what a redaction listed, such as writer:3, found "${reference}", which does not exist.`,
    );
  }
  const blanked: string[] = [];
  for (const place of target.places) append(blanked, await blankPlace(tx, place, secret));
  if (secret !== undefined) append(blanked, await forgetNames(tx, target, secret));
  if (blanked.length === 0) throw nothingToBlank(target, secret);
  for (const seq of target.indexed) await reindexRecord(tx, seq);
  await recordRedaction(tx, target);
  return {
    kind: target.kind,
    id: target.id,
    texts: blanked.length,
    blanked: secret === undefined ? blanked : [secret],
    whole: secret === undefined,
  };
}

/** The redaction itself stays on record, without what it blanked. */
async function recordRedaction(tx: Tx, { kind, seq: recordSeq, id }: Target): Promise<void> {
  if (recordSeq === null) return recordChange(tx, 'redacted', null, { after: { [kind]: id } });
  const seq = await insertRecord(tx, 'redaction');
  await tx.db.insertInto('redactions').values({ seq, recordSeq, createdAt: tx.now }).execute();
}

/**
 * Deletes the names of topics that hold the secret, and those of scopes that no decision has any more; what is left is
 * named again, by what took the place of the secret.
 * @returns the names of topics that were deleted
 */
async function forgetNames(tx: Tx, { names = [] }: Target, secret: string): Promise<string[]> {
  const forgotten: string[] = [];
  for (const { where } of names) {
    const { rows } = await sql<{ name: string }>`select name from topics where ${where}`.execute(tx.db);
    append(
      forgotten,
      rows.map(({ name }) => name).filter((name) => holds(name, secret)),
    );
  }
  for (const name of forgotten) await tx.db.deleteFrom('topics').where('name', '=', name).execute();
  await sql`delete from scopes where scope not in (select scope from decisions)`.execute(tx.db);
  await nameEverything(tx);
  return forgotten;
}

function checkSecret(secret: string): void {
  if ([...secret].length >= SHORTEST && !REDACTED.includes(secret)) return;
  throw new PrecedentError(
    'invalid',
    `Expected a text of at least ${SHORTEST} characters to blank, and no part of ${REDACTED}, found "${secret}". Without a text the whole record is blanked.`,
  );
}

function nothingToBlank({ kind, id }: Target, secret: string | undefined): PrecedentError {
  return new PrecedentError(
    'not_found',
    secret === undefined
      ? `Expected texts to blank in ${kind} ${id}, found that they are blank already.`
      : `Expected the text in ${kind} ${id}, found none of it there.`,
  );
}

/** The text index learns the text as it is now; the vector, which a model made of the old text, is deleted. */
async function reindexRecord(tx: Tx, seq: number): Promise<void> {
  await removeDocument(tx, seq);
  for (const document of await everyDocument(tx, [seq])) await putDocument(tx, document);
}
