import { namesAlike } from '../decisions/topic.ts';
import { examine } from '../invariants/examine.ts';
import { lineOf } from '../invariants/finding.ts';
import { readMeta, writeMeta } from '../meta.ts';
import { newestMigration } from '../migrations/migrations.ts';
import { countSearchable } from '../search/documents.ts';
import type { Store } from '../store.ts';
import type { Tx } from '../tx.ts';

/** What `precedent doctor` reports. */
export interface Health {
  workspace: string;
  engine: string;
  location: string;
  /** Size on disk in bytes, write-ahead log included. */
  bytes: number;
  /** Name of the newest migration. */
  schema: string;
  /** Records by kind. */
  records: Record<string, number>;
  /** Why nothing can be saved; left out where it can. */
  readOnly?: string;
  /** What is wrong, a line each; empty when sound. */
  problems: string[];
  /** Those of the problems that {@link repairDerived} leaves: records that break a rule, a line each. */
  broken: string[];
  /** What is unusual and no problem, such as what earlier versions wrote otherwise, a line each. */
  notes: string[];
}

/** Counts all records, and looks for rows that break a rule and for damage in the database itself. */
export async function inspectMemory(tx: Tx, store: Store): Promise<Health> {
  const { engine, location, bytes } = await store.locate();
  const kinds = await tx.db
    .selectFrom('records')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
    .groupBy('kind')
    .orderBy('kind')
    .execute();
  const { findings, unusual } = await examine(tx);
  return {
    workspace: tx.workspace,
    engine,
    location,
    bytes,
    schema: await newestMigration(tx),
    records: Object.fromEntries(kinds.map(({ kind, count }) => [kind, count])),
    problems: [
      ...findings.map(lineOf),
      ...(await tx.upkeep.integrity(tx.db)),
      // Last: on some engines a transaction reads nothing more after an error.
      ...(await unfindable(tx)),
    ],
    notes: [...unusual.map(lineOf), ...(await namesAlike(tx)).map(alike)],
    broken: findings.filter(({ mended }) => !mended).map(lineOf),
  };
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
  const quoted = [name, like].map((each) => JSON.stringify(each)).join(' ');
  return `the ${what}s ${quoted} differ only in how they are written: precedent ${what} join ${quoted} joins them`;
}
