import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { append } from '../../domain/append.ts';
import type { Decision } from '../../domain/decision.ts';
import { invalid, notFound, type PrecedentError } from '../../domain/error.ts';
import { KINDS, type RecordKind } from '../../domain/kinds.ts';
import { namesOfAuthor } from '../../domain/text/label.ts';
import { REDACTED } from '../../domain/text/redaction.ts';
import { resolveDecision } from '../decisions/reference.ts';
import type { Row, TextPlace } from '../kinds/kind.ts';
import { KINDS_WITH_ID, STORED } from '../kinds/kinds.ts';
import { nameEverything } from '../names.ts';
import { idByPrefix } from '../prefix.ts';
import { insertRecord, ofKeptFields, recordChange } from '../record.ts';
import { countRows, findRow as findOne, findRows, insertRows, requireRow } from '../rows.ts';
import { holdersOf, renewDocuments } from '../search/documents.ts';
import { query } from '../statements.ts';
import type { Table } from '../tables.ts';
import { textsOf } from '../texts.ts';
import type { Tx } from '../tx.ts';
import { blankPlace, holds, TELLING } from './redact-blank.ts';

/** A secret shorter than this would blank half of a text. */
const SHORTEST = 2;

/** The redacted texts. */
export interface Redaction {
  kind: Target['kind'];
  id: string;
  /** Texts that were changed, revisions and notes included. */
  texts: number;
  /** Their content: the secret, or each text that was redacted as a whole. */
  blanked: string[];
  whole: boolean;
}

/**
 * Blanks the texts of one record, its revisions and its outcomes, and what the indexes hold of them. The redaction itself
 * stays on record. For an operator: no operation changes a text.
 * @param reference the id of a record, the number of an observation, or `keyword:` and the number of a keyword
 * @param secrets only these are blanked, wherever they are in the record, its names included; without them every text is,
 *   and no name
 * @throws PrecedentError `not_found` when there is no such record, or it does not hold the secret
 */
export async function redactRecord(
  tx: Tx,
  reference: string,
  secrets: readonly string[] | undefined,
): Promise<Redaction> {
  for (const secret of secrets ?? []) checkSecret(secret);
  const target = await findTarget(tx, reference);
  if (!target)
    throw notFound.no_record(
      `Expected the id of a record, the number of an observation, keyword:NUMBER, or a name that a redaction listed, such as writer:3; found "${reference}", which does not exist.`,
    );
  const blanked: string[] = [];
  for (const secret of secrets ?? [undefined]) {
    for (const place of target.places) append(blanked, await blankPlace(tx, place, secret));
    if (secret !== undefined) append(blanked, await forgetNames(tx, target, secret));
  }
  append(blanked, await blankKept(tx, target, secrets, blanked));
  if (blanked.length === 0) throw await nothingToBlank(tx, target, secrets);
  await renewDocuments(tx, target.indexed);
  await recordRedaction(tx, target);
  return {
    kind: target.kind,
    id: target.id,
    texts: blanked.length,
    blanked: secrets === undefined ? blanked : [...secrets, ...(target.alsoCalled ?? [])],
    whole: secrets === undefined,
  };
}

/** Blanks all that a newer program wrote of the record, and its texts wherever else such facts have them (J-5). */
async function blankKept(tx: Tx, { id, seq }: Target, ...texts: (readonly string[] | undefined)[]) {
  if ((await countRows(tx, 'keptFacts')) === 0) return [];
  const blanked: string[] = [];
  const [secrets, found = []] = texts;
  const place = (where: RawBuilder<unknown>): TextPlace => ({ table: 'keptFacts', where });
  if (!secrets && seq !== null) {
    const { uid } = await requireRow(tx, 'records', { seq });
    for (const name of [id, ...(uid === null ? [] : [uid])])
      append(blanked, await blankPlace(tx, place(ofKeptFields(name)), undefined));
  }
  for (const text of secrets ?? found.filter((each) => each.length >= TELLING))
    append(blanked, await blankPlace(tx, place(sql`1 = 1`), text));
  return blanked;
}

/** The redaction itself stays on record, without what it blanked. */
async function recordRedaction(tx: Tx, { kind, seq: recordSeq, id }: Target): Promise<void> {
  if (recordSeq === null) return recordChange(tx, 'redacted', null, { after: { [kind]: id } });
  const seq = await insertRecord(tx, 'redaction');
  await insertRows(tx, 'redactions', [{ seq, recordSeq, createdAt: tx.now }]);
}

/**
 * Deletes the names of topics that hold the secret, and those of scopes that no decision has any more; what is left is
 * named again, by what took the place of the secret.
 * @returns the names of topics that were deleted
 */
async function forgetNames(tx: Tx, { names = [] }: Target, secret: string): Promise<string[]> {
  const forgotten: string[] = [];
  for (const { where } of names) {
    const rows = await query<{ name: string }>(tx)`select name from topics where ${where}`;
    for (const { name } of rows) if (holds(name, secret)) forgotten.push(name);
  }
  for (const name of forgotten) await query(tx)`delete from topics where name = ${name}`;
  await query(tx)`delete from scopes where scope not in (select scope from decisions)`;
  await nameEverything(tx);
  return forgotten;
}

function checkSecret(secret: string): void {
  if ([...secret].length >= SHORTEST && !REDACTED.includes(secret)) return;
  throw invalid.too_short(
    `Expected a text of at least ${SHORTEST} characters to blank, and no part of ${REDACTED}, found "${secret}". Without a text the whole record is blanked.`,
  );
}

async function nothingToBlank(
  tx: Tx,
  { kind, id, indexed }: Target,
  secrets: readonly string[] | undefined,
): Promise<PrecedentError> {
  if (!secrets)
    return notFound.nothing_to_do(
      `Expected texts to blank in ${kind} ${id}, found that they are blank already.`,
    );
  const own = kind === 'decision' ? indexed : [];
  const versions = await Promise.all(own.map((seq) => requireRow(tx, 'decisions', { seq })));
  const having = versions.filter((each) =>
    textsOf('decisions').some(({ column }) =>
      secrets.some((one) => holds(each[column as keyof typeof each], one)),
    ),
  );
  const named = having.map((each) => `${each.topic ?? each.rootId}@${each.version} (${each.id})`);
  const others = named.length === 0 ? '' : ` Other versions have it: ${named.join(', ')}.`;
  return notFound.nothing_to_do(`Expected the text in ${kind} ${id}, found none of it there.${others}`);
}

/** A record that may hold a secret, or a row that belongs to many, and the rows with its texts. */
interface Target {
  kind: RecordKind | RowKind;
  /** Null for what is not a record. */
  seq: number | null;
  id: string;
  /** The records whose entries in the text index hold any of these texts. */
  indexed: number[];
  places: TextPlace[];
  /** The other names of an author, which are kept, and looked for in other places. */
  alsoCalled?: string[] | undefined;
  /** Names of topics that are forgotten when they hold the secret: they are made again of what is left. */
  names?: TextPlace[];
}

/** The record with this name, and the places of its texts. */
async function findTarget(tx: Tx, reference: string): Promise<Target | undefined> {
  const [, observation] = reference.match(/^#?(\d{1,15})$/) ?? [];
  if (observation) return recordTexts(tx, 'observation', sql`id = ${Number(observation)}`);
  const [, keyword] = reference.match(/^keyword:(\d{1,15})$/) ?? [];
  if (keyword) return keywordTexts(tx, Number(keyword));
  const author = await findAuthor(tx, reference);
  const row = author ?? (await findRow(tx, reference));
  const alsoCalled = author && namesOfAuthor(reference.slice('author:'.length));
  if (row) return { kind: row.kind, seq: null, id: row.id, indexed: [], places: [row], alsoCalled };
  const decision = await resolveDecision(tx, reference);
  if (decision) return decisionTexts(tx, decision);
  for (const kind of KINDS_WITH_ID) {
    const id = await idByPrefix(tx, STORED[kind].table, reference, KINDS[kind].plural);
    const target = await recordTexts(tx, kind, sql`id = ${id ?? reference}`);
    if (target) return target;
  }
  return undefined;
}

/** A record whose texts are all its own. @param where a condition on its row */
async function recordTexts(tx: Tx, kind: RecordKind, where: RawBuilder<unknown>) {
  const { table, texts } = STORED[kind];
  const rows = await query<Row<Table>>(tx)`select * from ${sql.table(table)} where ${where}`;
  const [row] = rows as (Row<Table> & { seq: number; id?: string | number })[];
  if (!row) return undefined;
  const { seq, id = seq } = row;
  return {
    kind,
    seq,
    id: String(id),
    indexed: await holdersOf(tx, kind, seq),
    places: [{ table, where: sql`seq = ${seq}` }, ...(texts?.(row) ?? []), ...recordPlaces(seq)],
  };
}

/** Texts that the memory itself keeps of every record: its writer and redaction, its changes, and the model that read it. */
function recordPlaces(seq: number): TextPlace[] {
  return [
    writersOf(sql`seq = ${seq} or seq in (select seq from redactions where record_seq = ${seq})`),
    { table: 'changes', where: sql`record_seq = ${seq}` },
    { table: 'vectors', where: sql`seq = ${seq}` },
    { table: 'origins', where: sql`record_seq = ${seq}` },
  ];
}

/** The writers of these records. A name of theirs is redacted in everything that they wrote. */
function writersOf(records: RawBuilder<unknown>): TextPlace {
  return { table: 'writers', where: sql`id in (select writer from records where ${records})` };
}

/** A name of a decision, such as its topic, is that of the whole chain; the words of each version are its own. */
async function decisionTexts(tx: Tx, { id, rootId, tidies }: Decision): Promise<Target> {
  const of = tidies ?? id;
  const versions = await findRows(tx, 'decisions', { rootId }, 'version');
  const seq = versions.find((version) => version.id === id)?.seq ?? 0;
  // One decision in several wordings has one outcome (TR-3).
  const isIt = sql`(id = ${of} or tidies = ${of})`;
  return {
    kind: 'decision',
    seq,
    id,
    indexed: versions.map((version) => version.seq),
    places: [
      { table: 'decisions', where: isIt, kinds: ['words', 'list'] },
      { table: 'decisions', where: sql`root_id = ${rootId}`, kinds: ['name'], apart: rootId.slice(0, 8) },
      { table: 'outcomes', where: sql`decision_id = ${of}` },
      writersOf(sql`seq in (select seq from outcomes where decision_id = ${of})`),
      ...recordPlaces(seq),
      // The chain's first version has its name.
      {
        table: 'changes',
        where: sql`record_seq in (select seq from decisions where root_id = ${rootId})`,
        kinds: ['values'],
        apart: rootId.slice(0, 8),
      },
    ],
    names: [{ table: 'topics', where: sql`root_id = ${rootId}` }],
  };
}

async function keywordTexts(tx: Tx, seq: number): Promise<Target | undefined> {
  const row = await findOne(tx, 'keywords', { seq });
  if (!row) return undefined;
  return {
    kind: 'keyword',
    seq,
    id: String(seq),
    indexed: [],
    places: [{ table: 'keywords', where: sql`seq = ${seq}`, secret: row.name }, ...recordPlaces(seq)],
  };
}

/** Rows that are not records and belong to many: each is named by its kind and its key, or the hash of a key that is a name. */
const ROWS = {
  writer: { table: 'writers', key: 'id' },
  change: { table: 'changes', key: 'seq' },
  scope: { table: 'scopes', key: 'name' },
  conversation: { table: 'conversations', key: 'session_id' },
  origin: { table: 'origins', key: 'key' },
} as const satisfies Record<string, { table: Table; key: string }>;
type RowKind = keyof typeof ROWS;

interface FoundRow {
  kind: RowKind;
  /** Its reference, without a name. */
  id: string;
  table: Table;
  /** A condition on the row. */
  where: RawBuilder<unknown>;
  /** The value that tells a redacted name in it from others. */
  apart: string;
}

/** The values by which {@link findRow} finds a row. */
export function rowReference(kind: RowKind, key: unknown): string {
  return `${kind}:${typeof key === 'string' ? hashOfKey(key) : key}`;
}

/** The row of a {@link rowReference}, and its texts; undefined when there is none. */
async function findRow(tx: Tx, reference: string): Promise<FoundRow | undefined> {
  const [kind = '', called = ''] = reference.split(':');
  if (!Object.hasOwn(ROWS, kind)) return undefined;
  const { table, key } = ROWS[kind as RowKind];
  const rows = await query<{ key: string | number }>(tx)`
    select ${sql.ref(key)} as key from ${sql.table(table)}`;
  const row = rows.find((each) => rowReference(kind as RowKind, each.key) === reference);
  if (!row) return undefined;
  // A writer has a row for each process: the name goes from all of them.
  const where = kind === 'writer' ? sql`1 = 1` : sql`${sql.ref(key)} = ${row.key}`;
  return { kind: kind as RowKind, id: reference, table, where, apart: called };
}

/** `author:` and the whole name of somebody who wrote: that name alone, and none that it is a part of (OP-7). */
async function findAuthor(tx: Tx, reference: string): Promise<FoundRow | undefined> {
  if (!reference.startsWith('author:')) return undefined;
  const where = sql`author = ${reference.slice('author:'.length)}`;
  const [first] = await query<{ id: number | null }>(tx)`select min(id) as id from writers where ${where}`;
  if (!first || first.id === null) return undefined;
  const apart = String(first.id);
  return { kind: 'writer', id: rowReference('writer', first.id), table: 'writers', where, apart };
}

/** A name that may hold a secret is not shown to say where it is. */
function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}
