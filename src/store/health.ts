import { sql } from 'kysely';
import { countWrongConnections } from './keyword.ts';
import { readMeta, writeMeta } from './meta.ts';
import { wrongOutcomes } from './outcome.ts';
import { countSearchable } from './reindex.ts';
import type { Store } from './store.ts';
import type { Unit } from './unit.ts';

/** What `precedent doctor` reports. Reading it at all proves that a write and a read work. */
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
  /** What is wrong, a line each; empty when sound. */
  problems: string[];
}

/** Counts everything and looks for what no constraint can hold. */
export async function inspectMemory(unit: Unit, store: Store): Promise<Health> {
  const { engine, location, bytes } = await store.inspect();
  const kinds = await unit.db
    .selectFrom('records')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
    .groupBy('kind')
    .orderBy('kind')
    .execute();
  return {
    workspace: unit.workspace,
    engine,
    location,
    bytes,
    schema: await newestMigration(unit),
    records: Object.fromEntries(kinds.map(({ kind, count }) => [kind, count])),
    problems: [
      ...(await brokenChains(unit)),
      ...(await wrongConnections(unit)),
      ...(await wrongOutcomes(unit)).map(({ id }) => `decision ${id} does not show its newest outcome`),
      // Last: on some engines nothing can be read after an error.
      ...(await unfindable(unit)),
      ...(await store.integrity()),
    ],
  };
}

/** Name of the newest migration that the memory has. */
export async function newestMigration(unit: Unit): Promise<string> {
  const found = await sql<{ name: string }>`
    select name from kysely_migration order by name desc limit 1`.execute(unit.db);
  return found.rows[0]?.name ?? 'none';
}

/** Writes a row and reads it back. @returns what went wrong */
export async function writeAndRead(unit: Unit): Promise<string[]> {
  const value = `${unit.now} ${unit.newId()}`;
  await writeMeta(unit, 'doctor', value);
  const read = await readMeta(unit, 'doctor');
  return read === value ? [] : ['what was written was not read back'];
}

/** Exactly one version of a chain is active, and it is the newest; none when the newest withdrew it (D-3, D-15). */
async function brokenChains(unit: Unit): Promise<string[]> {
  const chains = await sql<{ rootId: string }>`
    select d.root_id
    from decisions as d
    where d.version = (select max(version) from decisions as newer where newer.root_id = d.root_id)
      and (d.is_active + d.withdrawn <> 1
        or (select sum(is_active) from decisions as each_one where each_one.root_id = d.root_id) <> d.is_active)
  `.execute(unit.db);
  return chains.rows.map((chain) => `chain ${chain.rootId} does not have its newest version active`);
}

async function unfindable(unit: Unit): Promise<string[]> {
  const records = await countSearchable(unit);
  const { documents } = await unit.text.frequencies(unit.db, ['']).catch(() => ({ documents: undefined }));
  if (documents === undefined) return ['the text index cannot be read'];
  return documents === records ? [] : [`${records} records to be found, but ${documents} in the text index`];
}

async function wrongConnections(unit: Unit): Promise<string[]> {
  const count = await countWrongConnections(unit);
  return count === 0 ? [] : [`connections of keywords that are not the sum of their relations: ${count}`];
}
