import { sql } from 'kysely';
import { wrongOutcomes } from '../decisions/outcome.ts';
import { namesAlike } from '../decisions/topic.ts';
import { countWrongConnections } from '../memos/keyword.ts';
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
  /** What is sound, and yet may surprise, a line each. */
  notes: string[];
}

/** Counts all records, and looks for damage that no constraint of the database can prevent. */
export async function inspectMemory(tx: Tx, store: Store): Promise<Health> {
  const { engine, location, bytes } = await store.locate();
  const kinds = await tx.db
    .selectFrom('records')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
    .groupBy('kind')
    .orderBy('kind')
    .execute();
  const notes = (await namesAlike(tx)).map(alike);
  return {
    workspace: tx.workspace,
    engine,
    location,
    bytes,
    schema: await newestMigration(tx),
    records: Object.fromEntries(kinds.map(({ kind, count }) => [kind, count])),
    ...(store.readOnly !== undefined && { readOnly: store.readOnly }),
    problems: [
      ...(await brokenChains(tx)),
      ...(await wrongConnections(tx)),
      ...(await wrongOutcomes(tx)).map(({ id }) => `decision ${id} does not show its newest outcome`),
      ...(await tx.upkeep.integrity(tx.db)),
      // Last: on some engines a transaction reads nothing more after an error.
      ...(await unfindable(tx)),
    ],
    notes,
  };
}

/** Writes a row and reads it back. @returns what went wrong */
export async function writeAndRead(tx: Tx): Promise<string[]> {
  const value = `${tx.now} ${tx.newId()}`;
  await writeMeta(tx, 'doctor', value);
  const read = await readMeta(tx, 'doctor');
  return read === value ? [] : ['what was written was not read back'];
}

/** Chains whose one active version is not the newest, unless the newest withdrew the decision (D-3, D-15). */
async function brokenChains(tx: Tx): Promise<string[]> {
  const chains = await sql<{ rootId: string }>`
    select d.root_id
    from decisions as d
    where d.version = (select max(version) from decisions as newer where newer.root_id = d.root_id)
      and (d.is_active + d.withdrawn <> 1
        or (select sum(is_active) from decisions as each_one where each_one.root_id = d.root_id) <> d.is_active)
  `.execute(tx.db);
  return chains.rows.map((chain) => `chain ${chain.rootId} does not have its newest version active`);
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

async function wrongConnections(tx: Tx): Promise<string[]> {
  const count = await countWrongConnections(tx);
  return count === 0 ? [] : [`connections of keywords that are not the sum of their relations: ${count}`];
}
