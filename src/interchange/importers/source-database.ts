import { randomBytes } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { invalid, PrecedentError, unavailable } from '../../domain/error.ts';
import type { Facts } from '../../domain/import/facts.ts';
import { requireOrdinary } from '../../files/bounded.ts';
import { namesAnotherFile } from '../../files/journal.ts';
import { beginningOf, requireBelow, requireFile } from './source-text.ts';
import { counted, type SourceRow } from './values.ts';

/** How often a file is copied that its owner writes meanwhile. */
const ATTEMPTS = 20;
/** Bytes at the beginning of a write-ahead log. */
const LOG_HEADER = 32;
/** Bytes of a database that is copied. */
const LARGEST = 4 * 1024 * 1024 * 1024;

/** A row that breaks a rule of its table, such as one that came later, can be read as any other. */
const RULE = /^(CHECK constraint failed|NULL value|(non-)?[A-Z-]+ value) in /;
/** Tables that only serve a search there. */
const DERIVED = /^(sqlite_|schema_version|vss_|vec_|.*_fts)/;

/**
 * Changes the copy before any of it is read (Z-11): views, triggers, virtual tables and indexes go, since each may hold
 * an expression that costs any time, and no check is evaluated. Every remaining statement begins as SQLite itself writes a table. A file
 * that was cut short is noticed by the first read alone: with a schema that can be written SQLite overlooks it.
 */
const KEEP_TABLES_ALONE = `select 1 from sqlite_schema;
  pragma ignore_check_constraints = on; pragma writable_schema = on;
  delete from sqlite_schema where sql not like 'create table %'; pragma writable_schema = reset`;
/** How many pages the tables have, counted up to one more than there are. */
const PAGES = `select count(*) as visited, (select page_count from pragma_page_count) as pages
  from (select 1 from dbstat limit (select page_count + 1 from pragma_page_count))`;
/** Bytes of a value, where Node can limit them: Node 22 cannot. */
const LIMITS = { limits: { length: 64 * 1024 * 1024 }, defensive: false };

/** A database of another tool, read from a copy. */
export class SourceDatabase {
  readonly #database: DatabaseSync;
  /** Tables with a column that is computed whenever it is read, by an expression that a stranger may have written. */
  readonly computed: string[];
  /** The columns of each table, by its name; those of bytes are vectors, and left where they are. */
  readonly columns: Map<string, Set<string>>;

  constructor(database: DatabaseSync) {
    this.#database = database;
    database.exec(KEEP_TABLES_ALONE);
    this.#requireEachPageOnce();
    const rows = database
      .prepare(
        `select m.name as "table", c.name as "column", upper(c.type) = 'BLOB' as "isBytes", c.hidden > 1 as "isComputed"
          from sqlite_schema as m join pragma_table_xinfo(m.name) as c where m.type = 'table'`,
      )
      .all() as { table: string; column: string; isBytes: number; isComputed: number }[];
    this.computed = [...new Set(rows.filter(({ isComputed }) => isComputed).map(({ table }) => table))];
    const read = rows.filter(({ table, isBytes }) => !isBytes && !this.computed.includes(table));
    const tables = Map.groupBy(read, ({ table }) => table);
    this.columns = new Map([...tables].map(([name, of]) => [name, new Set(of.map(({ column }) => column))]));
    for (const table of tables.keys()) if (!DERIVED.test(table)) this.#requireWhole(table);
  }

  /** Pages that refer to each other again and again make a small file as long as one likes. */
  #requireEachPageOnce(): void {
    const { visited, pages } = this.#database.prepare(PAGES).get() ?? {};
    if (Number(visited) > Number(pages)) throw new Error('it is damaged (a page is in two places)');
  }

  /** Each table by itself: an index of words that broke is not what is read, and its owner makes it anew. */
  #requireWhole(table: string): void {
    const stated = this.#database
      .prepare(`pragma quick_check(${quoted(table)})`)
      .all()
      .map((row) => String(row.quick_check));
    const damage = stated.find((each) => each !== 'ok' && !RULE.test(each));
    if (damage !== undefined) throw new Error(`it is damaged (${damage})`);
  }

  has(table: string, column?: string): boolean {
    const columns = this.columns.get(table);
    return columns !== undefined && (column === undefined || columns.has(column));
  }

  /** The rows of a table, none where it has no such table. @param order columns, as SQL has them */
  rows(table: string, order: string): SourceRow[] {
    if (!this.has(table)) return [];
    const columns = [...(this.columns.get(table) ?? [])].map(quoted).join(', ');
    const statement = this.#database.prepare(`select ${columns} from ${quoted(table)} order by ${order}`);
    statement.setReadBigInts(true);
    return statement.all().map(plain);
  }

  /** How many rows each of the other tables has, if any. @param why they are left out */
  others(taken: RegExp, why: string): Facts['skipped'] {
    const rest = [...this.columns.keys()].flatMap((table) => {
      if (taken.test(table) || DERIVED.test(table)) return [];
      const { count } = this.#database.prepare(`select count(*) as count from ${quoted(table)}`).get() ?? {};
      return Number(count) > 0 ? [{ what: `${counted(Number(count), 'row')} of ${table}`, why }] : [];
    });
    return [
      ...rest,
      ...this.computed.map((table) => ({ what: table, why: 'a table with computed columns' })),
    ];
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** A row as JSON can say it: a number that is too large for one is its digits, and bytes instead of a text are that. */
function plain(row: SourceRow): SourceRow {
  for (const column in row) {
    const value = row[column];
    if (typeof value === 'bigint')
      row[column] = Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`;
    else if (value instanceof Uint8Array) row[column] = new TextDecoder().decode(value);
  }
  return row;
}

/**
 * Reads a database of another tool from a copy of it and its log: the file itself is neither opened nor locked, and nothing
 * appears next to it (I-4). Its owner may run meanwhile.
 * @param source the tool that was named
 * @param handed what was named, where that is a folder: no link leads out of it
 * @throws PrecedentError `not_found`; `invalid` where it is not a database, a damaged one, or one of another tool
 */
export function readDatabase<T>(
  path: string,
  source: string,
  read: (database: SourceDatabase) => T,
  handed = path,
): T {
  requireBelow(path, handed);
  requireFile(path, 'a database');
  const { folder, held } = ownFolder();
  try {
    const copy = copied(path, folder);
    const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite');
    const database = new Database(copy, { open: true, ...LIMITS });
    try {
      const whole = new SourceDatabase(database);
      requireDatabaseOf(source, whole);
      return read(whole);
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof PrecedentError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw invalid.wrong_content(`Expected a whole database, found that ${path} cannot be read: ${why}.`, {
      cause: error,
    });
  } finally {
    held.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * A folder of this process alone: "doctor" removes such a one once nobody holds it, however its process ended
 * (src/cli/scratch.ts), and another is made where it came upon this one in the moment in which it was made.
 */
function ownFolder(attempt = 1): { folder: string; held: DatabaseSync } {
  const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite');
  const folder = join(tmpdir(), `precedent-import.${randomBytes(4).toString('hex')}.partial`);
  mkdirSync(folder, { mode: 0o700 });
  let held: DatabaseSync | undefined;
  try {
    held = new Database(join(folder, 'held'));
    held.exec('pragma journal_mode = memory; begin exclusive');
    return { folder, held };
  } catch (error) {
    held?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    if (attempt === ATTEMPTS) throw error;
    return ownFolder(attempt + 1);
  }
}

/**
 * Copies a database with its log, again where what was copied first changed meanwhile. A log that only grew is whole up to
 * some commit.
 */
function copied(named: string, folder: string): string {
  // Its log is next to the file itself, and not next to a link to it.
  const path = realpathSync(named);
  const copy = join(folder, 'backup.db');
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = stateOf(path);
    for (const ending of ['', '-wal', '-journal']) {
      rmSync(copy + ending, { force: true });
      if (!existsSync(path + ending)) continue;
      requireOrdinary(path + ending, LARGEST);
      copyFileSync(path + ending, copy + ending);
      chmodSync(copy + ending, 0o600);
    }
    if (existsSync(`${copy}-journal`) && namesAnotherFile(`${copy}-journal`))
      throw invalid.unsafe_file(
        `Expected a database by itself, found that its journal names another file, which SQLite would delete: ${path}-journal. Nothing was read. If the database is yours, open it with its own tool first.`,
      );
    if (stateOf(path) === before) return copy;
  }
  throw unavailable.changing(
    `Expected a database that rests for a moment, found that its owner wrote to ${path} while it was copied, ${ATTEMPTS} times. Try again, or close that program first.`,
  );
}

/** Of the file when it was written last, of its log which one it is: each has numbers of its own in its header. */
function stateOf(path: string): string {
  const state = statSync(path, { throwIfNoEntry: false });
  return `${state?.size} ${state?.mtimeMs} ${headerOf(`${path}-wal`)}`;
}

function headerOf(log: string): string {
  return existsSync(log) ? beginningOf(log, LOG_HEADER).toString('hex') : '';
}

/** Columns by which the database of a tool is recognised: its version and path say less. The first one that is there counts. */
const MARKS: readonly [source: string, table: string, column: string][] = [
  ['mama', 'decisions', 'failure_reason'],
  ['7-division', 'decisions', 'outcome_reason'],
  ['claude-mem', 'sdk_sessions', 'project'],
  ['claude-mem', 'memories', 'archive_basename'],
  ['engram', 'sync_chunks', 'chunk_id'],
  ['engram', 'observations', 'sync_id'],
  ['hoofy', 'observations', 'namespace'],
  // Before it had namespaces.
  ['hoofy', 'observations', 'topic_key'],
];

/** Databases that no reader takes, and what does bring their memory here. */
const OTHERS: readonly [table: string, column: string, found: string][] = [
  ['records', 'writer', 'a memory of Precedent; "precedent import" without --from takes it as it is'],
  ['entity', 'permalink', 'the index of basic-memory; --from basic-memory reads the folder of its notes'],
];

/** The name of a tool in a message, where it differs from that of `--from`. */
const CALLED: Record<string, string> = { mama: 'MAMA', hoofy: 'Hoofy' };

/**
 * Makes sure that a database is of the tool that was named.
 * @throws PrecedentError `invalid` where it is another's, or holds nothing, and says whose it is
 */
function requireDatabaseOf(source: string, database: SourceDatabase): void {
  const other = OTHERS.find(([table, column]) => database.has(table, column))?.[2];
  const found = MARKS.find(([, table, column]) => database.has(table, column))?.[0];
  if (found === source && other === undefined) return;
  throw invalid.wrong_content(
    `Expected the database of ${CALLED[source] ?? source}, found ${other ?? whose(database, found)}. Nothing was imported.`,
  );
}

function whose(database: SourceDatabase, found: string | undefined): string {
  if (found !== undefined) return `that of ${CALLED[found] ?? found}; --from ${found} reads it`;
  if (database.columns.size === 0 && database.computed.length === 0) {
    return 'no table. Its log (the same name and -wal) has them when its owner did not end well: keep both together';
  }
  const [computed] = database.computed;
  if (computed !== undefined) return `one whose table ${computed} has computed columns, which are not read`;
  return 'that of another program';
}
