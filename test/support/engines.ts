import './patient.cjs';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
import { type Memory, type MemoryOptions, openMemory } from '../../src/index.ts';
import type { Ddl } from '../../src/store/engine.ts';
import { migrations } from '../../src/store/migrations/migrations.ts';
import { openPostgres } from '../../src/store/postgres/engine.ts';
import { ddl as postgresDdl } from '../../src/store/postgres/migrate.ts';
import { openSqlite } from '../../src/store/sqlite/engine.ts';
import { ddl as sqliteDdl } from '../../src/store/sqlite/migrate.ts';
import { isTried } from './part.ts';
import {
  CITUS,
  HOW_TO_GET_A_SERVER,
  HOW_TO_GET_CITUS,
  newDatabaseWithTables,
  newDistributed,
  newWorkspace,
  query,
  SERVER,
  telling,
} from './postgres.ts';

/** Where a memory is, as its options say. */
export type Place = Pick<MemoryOptions, 'db' | 'workspace'>;

/** A database that the contract is run on. */
export interface EngineUnderTest {
  name: string;
  /** Why it cannot be tested here, and how it can. */
  skip?: string;
  /** How many tests of a group run at once, and how many groups: more of them only wait for each other. */
  concurrency: number;
  /** A place where nothing is yet; whatever comes there is removed after the test file. */
  place(): Place;
  /** Opens a new, empty memory, closed and removed after the test file. */
  open(options?: Partial<MemoryOptions>): Promise<Memory>;
  /** Opens an empty memory that need not outlive the test, for one that writes a lot. */
  openFast(options?: Partial<MemoryOptions>): Promise<Memory>;
  /** A place that shares its database with no other, for a test that changes or reads all of that. */
  alone(): Promise<Place>;
  /** Fills a place once, and closes it. @returns what copies it to a new place, as often as it is asked */
  filled(fill: (place: Place) => Promise<void>): () => Promise<Place>;
  /** Opens the same memory a second time, as another process would. */
  reopen(memory: Memory, options?: Partial<MemoryOptions>): Promise<Memory>;
  /** Upgrades a memory as a version to come would, while this one may have it open. @param up its migration */
  upgrade(memory: Memory, up: () => Promise<void>): Promise<void>;
  /** Every column of the memory at a place that holds no numbers, named as the database names it. */
  columns(place: Place): Promise<Column[]>;
}

/** A column of a database. */
export type Column = { table: string; column: string };

const newFile = (): Place => ({ db: join(scratch(), 'memory.db') });

/**
 * A memory that holds nothing, in a file: a copy of it takes a tenth of what the migrations take. `npm test` has one for
 * all files; a file that runs alone makes one while this module is loaded. If tests made it, whatever else waited for it
 * would be cleaned up with the test that came first.
 */
const TEMPLATE = process.env.PRECEDENT_TEST_TEMPLATE ?? (await emptyMemory());

async function emptyMemory(): Promise<string> {
  const { db } = newFile();
  await (await openMemory({ db })).close();
  return db;
}

export const sqlite: EngineUnderTest = {
  name: 'SQLite',
  concurrency: 4,
  place: newFile,
  async open(options) {
    const place = newFile();
    // Who brings a clock may count on how often it is looked at while a memory is made.
    if (options?.clock === undefined) copyFileSync(TEMPLATE, place.db);
    return track(await openMemory({ ...place, ...options }));
  },
  async openFast(options) {
    return track(await openMemory({ db: ':memory:', ...options }));
  },
  alone: async () => newFile(),
  filled(fill) {
    const original = newFile();
    let filling: Promise<void> | undefined;
    return async () => {
      filling ??= fill(original);
      await filling;
      const place = newFile();
      copyFileSync(original.db, place.db);
      return place;
    };
  },
  async reopen(memory, options) {
    const { location } = await memory.inspect();
    return track(await openMemory({ db: location, ...options }));
  },
  async upgrade(memory, up) {
    const { location } = await memory.inspect();
    await (await openSqlite(location, () => {}, { migrations: toCome(sqliteDdl, up) })).close();
  },
  async columns({ db }) {
    const database = new DatabaseSync(db, { readOnly: true });
    const rows = database
      .prepare(
        `select m.name as "table", c.name as "column" from sqlite_master as m
        join pragma_table_info(m.name) as c where lower(c.type) not in ('integer', 'bigint', 'double precision')`,
      )
      .all();
    database.close();
    return rows as Column[];
  },
};

/** Where each memory is that was opened on a server. */
const places = new WeakMap<Memory, Required<Place>>();

/** @param server its address; empty where there is none */
function onServer(
  name: string,
  server: string,
  {
    howToGetOne,
    concurrency,
    another = async () => (await newDatabaseWithTables()).db,
  }: { howToGetOne: string; concurrency: number; another?: () => Promise<string> },
): EngineUnderTest {
  const place = () => ({ db: server, workspace: newWorkspace() });
  const open = async (options: Partial<MemoryOptions> = {}) => {
    const at = { ...place(), ...options };
    const memory = track(await openMemory(at));
    places.set(memory, { db: at.db, workspace: at.workspace });
    return memory;
  };
  const placeOf = (memory: Memory) => places.get(memory) ?? { db: server, workspace: memory.workspace };
  return {
    name,
    ...(server === '' && { skip: howToGetOne }),
    concurrency,
    place,
    open,
    openFast: open,
    alone: async () => ({ db: await another(), workspace: newWorkspace() }),
    filled: (fill) => async () => {
      const own = place();
      await fill(own);
      return own;
    },
    async reopen(memory, options) {
      return open({ ...placeOf(memory), ...options });
    },
    async upgrade(memory, up) {
      const { db, workspace } = placeOf(memory);
      await (await openPostgres(db, workspace, () => {}, { migrations: toCome(postgresDdl, up) })).close();
    },
    columns: ({ db }) =>
      query(
        `select c.table_name as "table", c.column_name as "column" from information_schema.columns as c
        join information_schema.views as v using (table_schema, table_name)
        where c.table_schema = 'precedent' and c.data_type not in ('integer', 'bigint', 'double precision')`,
        [],
        db,
      ),
  };
}

export const postgres = onServer('PostgreSQL', SERVER, { howToGetOne: HOW_TO_GET_A_SERVER, concurrency: 3 });
/** No engine of its own: the same one, on a server that distributes what it is told. Two at once keep it busy enough. */
export const citus = onServer('Citus', telling(CITUS), {
  howToGetOne: HOW_TO_GET_CITUS,
  concurrency: 2,
  another: async () => telling(await newDistributed()),
});

/** The migrations of a version to come. */
export const toCome = (ddl: Ddl, up: () => Promise<void>) => ({ ...migrations(ddl), '9999-future': { up } });

/** Every engine that the contract is run on, by name. */
export const engines: EngineUnderTest[] = [sqlite, postgres];

/**
 * Whether a case is tried on an engine that does nothing of its own with it: always on the first, on others in one run of
 * eight. @param index its number among such cases @param around as {@link isTried} has it
 */
export const isTriedOn = ({ name }: EngineUnderTest, index: number, around = 1) =>
  name === sqlite.name || isTried(index, around);

/**
 * The engines that a test file is run on which the contract repeats: on all but the first in one run of eight, since what
 * engines do differently is in the contract. @param index another for each file
 */
export const enginesInTurn = (index: number) => engines.filter((_, place) => place === 0 || isTried(index));

/** A clock that moves one second with each look, and ids that count up: the same in every run. */
export function fixed(start = Date.UTC(2026, 0, 1)): Required<Pick<MemoryOptions, 'clock' | 'newId'>> {
  let ticks = 0;
  let ids = 0;
  return {
    clock: () => start + 1000 * ticks++,
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
  };
}

/** An empty folder that is removed after the test file. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function track(memory: Memory): Memory {
  after(() => memory.close());
  return memory;
}

/** The options of a suite that is run on an engine. */
export function optionsOf({ skip, concurrency }: EngineUnderTest) {
  return { concurrency, ...(skip !== undefined && { skip }) };
}
