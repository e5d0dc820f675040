import { sql } from 'kysely';
import { append } from '../../domain/append.ts';
import { decidedTwice } from '../../domain/decided-twice.ts';
import { type Tried, triedOf } from '../../domain/ranking/meaning.ts';
import { forShell } from '../../domain/text/text.ts';
import { forksOf } from '../decisions/fork.ts';
import { namesAlike } from '../decisions/topic.ts';
import { checkRow, type Finding, findingOf, lineOf } from '../invariants/finding.ts';
import type { Row } from '../invariants/rows.ts';
import { checkTogether, lastGivenOut } from '../invariants/together.ts';
import { readMeta, writeMeta } from '../meta.ts';
import { newestMigration } from '../migrations/migrations.ts';
import { countRows, rowsOf } from '../rows.ts';
import { COLUMNS } from '../schema.ts';
import { countSearchable } from '../search/documents.ts';
import { lastTrial } from '../search/trial.ts';
import { countWithout } from '../search/vectors.ts';
import { query } from '../statements.ts';
import type { Store } from '../store.ts';
import { TABLE_NAMES, TABLES, type Table } from '../tables.ts';
import type { Tx } from '../tx.ts';

/** The report of `precedent doctor`. */
export interface Health {
  workspace: string;
  engine: string;
  location: string;
  /** Size on disk in bytes, write-ahead log included. */
  bytes: number;
  /** Set where other memories share its tables: `bytes` is its share of them then. */
  isEstimate?: true;
  /** Set where row-level security does not keep this role in one workspace (N-2): why. */
  isolation?: string;
  /** Name of the newest migration. */
  schema: string;
  /** Records by kind: of decisions every version. `active` is how many decisions hold. */
  records: Record<string, number>;
  active: number;
  /** Why nothing can be saved; left out where it can. */
  readOnly?: string;
  /** The place that it is synced with, and when it was last; left out where it is not. */
  synced?: { folder: string; at: string };
  /** The model that was tried last, and how it did; left out where none was. */
  model?: Tried & { name: string };
  /** Records that are found by their words only, having no vector of any model. */
  withoutVector: number;
  /** What is wrong, a line each; empty when sound. */
  problems: string[];
  /** Those of the problems that {@link repairDerived} leaves: records that break a rule, a line each. */
  broken: string[];
  /** Things that are no problem and that somebody may want to decide, a line each. */
  notes: string[];
}

/** Counts all records, and looks for rows that break a rule and for damage in the database itself. */
export async function inspectMemory(tx: Tx, store: Store): Promise<Health> {
  const { engine, location, bytes, isEstimate, isolation } = await store.locate();
  const kinds = await query<{ kind: string; count: number }>(tx)`
    select kind, count(*) as count from records group by kind order by kind`;
  const [active] = await query<{ count: number }>(
    tx,
  )`select count(*) as count from decisions where is_active = 1`;
  const findings = await examine(tx);
  const trial = await lastTrial(tx);
  return {
    workspace: tx.workspace,
    engine,
    location,
    bytes,
    ...(isEstimate && { isEstimate }),
    ...(isolation !== undefined && { isolation }),
    schema: await newestMigration(tx),
    records: Object.fromEntries(kinds.map(({ kind, count }) => [kind, count])),
    active: active?.count ?? 0,
    ...(trial && { model: { name: trial.model, ...triedOf(trial) } }),
    withoutVector: await countWithout(tx),
    problems: [
      ...findings.map(lineOf),
      ...(await tx.upkeep.integrity(tx.db)),
      // Last: on some engines a transaction reads nothing more after an error.
      ...(await unfindable(tx)),
    ],
    notes: [
      ...(await namesAlike(tx)).map(alike),
      ...newer(await countRows(tx, 'keptFacts')),
      ...[...(await forksOf(tx)).values()].map(({ sides }) => `decided twice: ${decidedTwice(sides)}`),
    ],
    broken: findings.filter(({ mended }) => !mended).map(lineOf),
  };
}

/** J-5. @param count of kept facts */
function newer(count: number): string[] {
  if (count === 0) return [];
  const kept = count === 1 ? 'fact of a newer version is' : 'facts of a newer version are';
  return [`${count} ${kept} kept; update to read ${count === 1 ? 'it' : 'them'}`];
}

/** Writes a row and reads it back. @returns what went wrong */
export async function writeAndRead(tx: Tx): Promise<string[]> {
  const value = `${tx.now} ${tx.newId()}`;
  await writeMeta(tx, 'doctor', value);
  const read = await readMeta(tx, 'doctor');
  return read === value ? [] : ['what was written was not read back'];
}

/** Compares how many records a search should find with how many are in the text index. */
async function unfindable(tx: Tx): Promise<string[]> {
  const records = await countSearchable(tx);
  const { documents } = await tx.text.frequencies(tx.db, ['']).catch(() => ({ documents: undefined }));
  if (documents === undefined) return ['the text index cannot be read'];
  return documents === records
    ? []
    : [`${records} records can be searched, but ${documents} are in the text index`];
}

/** Two topics or scopes that an older version kept apart, and what joins them (D-19). */
function alike({ what, name, like }: { what: string; name: string; like: string }): string {
  const quoted = [name, like].map(forShell).join(' ');
  const kind = what === 'scope' ? ' --kind scope' : '';
  return `the ${what}s ${quoted} differ only in how they are written: precedent rename ${quoted} --join${kind} joins them`;
}

/** Findings of one rule, or of the rows of one table by themselves: a message of a thousand lines tells enough. */
const MOST = 1_000;

/** The rules that rows break, by themselves and together. */
async function examine(tx: Tx): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const table of TABLE_NAMES) append(findings, await examineTable(tx, table));
  append(findings, await checkTogether(tx, await lastGivenOut(tx), MOST));
  return findings;
}

async function examineTable(tx: Tx, table: Table): Promise<Finding[]> {
  const found: Finding[] = [];
  try {
    for await (const row of rowsOf(tx, table)) {
      append(found, checkRow(table, row));
      if (found.length >= MOST) break;
    }
  } catch (error) {
    if (tx.fault(error).kind !== 'bug') throw error;
    append(found, await unreadable(tx, table));
  }
  return found;
}

/** Rows with a number that is too large to be read: some drivers refuse the whole row. */
async function unreadable(tx: Tx, table: Table): Promise<Finding[]> {
  const broken = { expected: `numbers up to ${Number.MAX_SAFE_INTEGER}`, found: 'one that cannot be read' };
  const beyond = Object.keys(COLUMNS[table]).map(
    (column) =>
      sql`${sql.ref(column)} > ${Number.MAX_SAFE_INTEGER} or ${sql.ref(column)} < ${Number.MIN_SAFE_INTEGER}`,
  );
  const key = sql.join((TABLES[table] as string[]).map((column) => sql.ref(column)));
  const rows = await query<Row>(tx)`
    select ${key} from ${sql.table(table)} where ${sql.join(beyond, sql` or `)} order by ${key} limit ${MOST}`.catch(
    () => [],
  );
  const named = rows.map((row) => ({
    ...findingOf(table, row, broken),
    record: `${table} ${Object.values(row).join(' ')}`,
  }));
  return named.length > 0 ? named : [{ ...findingOf(table, {}, broken), record: `a row of ${table}` }];
}
