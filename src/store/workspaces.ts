import { sql } from 'kysely';
import { conflict, type PrecedentError } from '../domain/error.ts';
import type { Db } from './engine.ts';
import { COLUMNS } from './schema.ts';
import { snakeCase, TABLE_NAMES } from './tables.ts';

/** A memory among others. */
export interface NamedWorkspace {
  workspace: string;
  /** Other names that lead to it: those that URLs of its repository have had (K-1). */
  names: string[];
}

/** How much a memory holds, and when it changed last. */
export interface Usage {
  records: number;
  /** Milliseconds UTC; null for a memory in which nothing was saved. */
  lastUse: number | null;
}

/**
 * The memory that a name leads to: the one that has it now, before one that had it (Z-10).
 * @throws PrecedentError `conflict` where several were: which is meant is for a person to say
 */
export function findNamed(all: readonly NamedWorkspace[], name: string): NamedWorkspace | undefined {
  const exact = all.find(({ workspace }) => workspace === name);
  if (exact) return exact;
  const [first, ...others] = all.filter(({ names }) => names.includes(name));
  if (others.length === 0) return first;
  const found = [first, ...others].map((each) => `"${each?.workspace}"`).join(' and ');
  throw conflict.ambiguous_name(
    `Expected one workspace that the name "${name}" leads to, found ${found}. Say which is meant with: precedent workspaces join WORKSPACE`,
  );
}

/**
 * The memories of one place: files in a folder, or workspaces on a server. An engine brings it with its port,
 * since it works on memories from outside. Nothing here creates one (K-2). Whatever a database refuses is a PrecedentError.
 */
export interface Workspaces {
  /**
   * Every memory, by name. Of files only the names are read; on a server only names count that an owner wrote whom
   * the asker trusts (Z-10). {@link findNamed} chooses among them.
   */
  list(): Promise<NamedWorkspace[]>;
  /** @returns undefined when it is not a memory of ours. @throws PrecedentError when that cannot be read */
  usage(workspace: string): Promise<Usage | undefined>;
  /**
   * Keeps names that lead to a memory, for everyone who uses this place (K-1).
   * @param claim whether a name that leads to another memory leads here from now on; else it is left where it is
   * @returns false where that cannot be kept: files have no such names, and on a server only the owner may
   */
  addNames(workspace: string, names: string[], claim: boolean): Promise<boolean>;
  /** @throws PrecedentError `conflict` when the new name is taken or another process uses the memory */
  rename(from: string, to: string): Promise<void>;
  /**
   * Brings the tables that all memories share up to date. Files are brought up to date as they are opened.
   * @param create whether to make them where there are none
   * @returns their newest migration before, `none` for new ones, and after; undefined where nothing had to be done
   * @throws PrecedentError `unavailable` for tables of a newer version, or of another owner
   */
  upgrade(create?: boolean): Promise<{ from: string; to: string } | undefined>;
  /**
   * {@link upgrade}, and asks for the right to save, which changes nothing (OP-1).
   * @throws PrecedentError where calls would be refused, if only saves
   */
  check(): Promise<unknown>;
  /** The things that {@link remove} removes, for a person to read. */
  parts(workspace: string): Promise<string[]>;
  /** @throws PrecedentError `conflict` when it holds what is not ours, or another process uses it; nothing is removed then */
  remove(workspace: string): Promise<void>;
  /** {@link remove} for a memory that was made a moment ago, unless a record was saved in it since (K-3). */
  removeUnused(workspace: string): Promise<void>;
  close(): Promise<void>;
}

/** The refusal of a new name that another memory has. */
export function isTaken(workspace: string): PrecedentError {
  return conflict.name_taken(
    `Expected a name that no workspace has, found that "${workspace}" is there. Nothing was changed. Choose another name.`,
  );
}

/**
 * When a row was written or changed last, by table and column as the database names them: records, changes, and what has no
 * number.
 */
const TIMES = TABLE_NAMES.flatMap((table): [table: string, column: string][] => {
  if (!('seq' in COLUMNS[table] || table === 'relations' || table === 'conversations')) return [];
  const at = ['updatedAt', 'lastVisited', 'createdAt', 'timestamp'].find((name) => name in COLUMNS[table]);
  return at === undefined ? [] : [[snakeCase(table), snakeCase(at)]];
});

/** The usage of a memory of any version: it is not migrated. @param tables that it has */
export async function readUsage(db: Db, tables: readonly string[]): Promise<Usage> {
  const newest = TIMES.filter(([table]) => tables.includes(table)).map(
    ([table, column]) => sql`select max(${sql.id(column)}) as time from ${sql.id(table)}`,
  );
  const { rows } = await sql<{ records: number; lastUse: number | null }>`
    select (select count(*) from records) as records, max(each_one.time) as last_use
    from (${sql.join(newest, sql` union all `)}) as each_one`.execute(db);
  const [{ records, lastUse } = { records: 0, lastUse: null }] = rows;
  return { records, lastUse };
}
