import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { Fault } from '../../src/store/engine.ts';
import type { EngineUnderTest, Place } from '../support/engines.ts';
import { workbench } from '../support/program.ts';
import { openRaw, type Scratch } from '../support/raw-engine.ts';

/** A version 4 UUID, in lower case. */
export const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
/** A date in a result: ISO 8601, UTC, with milliseconds. */
export const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What gives the next record the id that the specification writes, and every other a random one. */
export function naming() {
  let given: string | undefined;
  return {
    newId: () => {
      const id = given ?? crypto.randomUUID();
      given = undefined;
      return id;
    },
    next: (id: string) => {
      given = id;
    },
  };
}

/** A memory in which decisions stand under the ids that the specification writes, each on a topic of its own. */
export async function withDecisions(
  engine: EngineUnderTest,
  place: Place,
  ...ids: string[]
): Promise<Memory> {
  const { newId, next } = naming();
  const memory = await engine.open({ ...place, newId });
  for (const id of ids) {
    next(id);
    await memory.mama.save({ topic: `topic of ${id}`, decision: `결정 ${id}` });
  }
  return memory;
}

/**
 * Sends a statement to the database of a memory, past the product, and keeps what it does.
 * @returns what the engine says of the error that it ends in; undefined when it ends in none
 */
export async function pastTheProduct(
  place: Place,
  work: (db: Scratch) => Promise<unknown>,
): Promise<Fault['kind'] | undefined> {
  const raw = await openRaw(place);
  return raw
    .transaction(
      { access: 'write', patience: 'usual' },
      async (db) => void (await work(db as unknown as Scratch)),
    )
    .then(
      () => undefined,
      (error: unknown) => raw.fault(error).kind,
    );
}

/** The rows of a table as the stream of the whole memory has them, without the table's name. */
export async function rowsOf(memory: Memory, table: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  await memory.export('jsonl', (line) => {
    const { table: of, ...row } = JSON.parse(line);
    if (of === table) rows.push(row);
  });
  return rows;
}

/** The memory as Cypher statements. */
export async function cypherOf(memory: Memory): Promise<string[]> {
  const statements: string[] = [];
  await memory.export('cypher', (line) => statements.push(line));
  return statements;
}

/** The program as it ships, on a memory of this engine: command line and MCP; gone after the test. */
export function programOn(engine: EngineUnderTest, test: TestContext) {
  const place = engine.place();
  const bench = workbench(test, 'here');
  const env = { PRECEDENT_DB: place.db, PRECEDENT_WORKSPACE: place.workspace ?? 'bench' };
  return {
    /** Opens the same memory by the library. */
    open: (options: Parameters<EngineUnderTest['open']>[0] = {}) => engine.open({ ...place, ...options }),
    /** A command, to its end. */
    run: (...args: string[]) => bench.run(args, { env }),
    /** What a command that succeeds answers, as JSON. */
    answer: async (...args: string[]) => JSON.parse(await bench.succeed([...args, '--json'], { env })),
    /** A server with a client of the SDK. */
    connect: () => bench.connect({ env }),
  };
}

const PAGES: Record<string, string> = { SQLite: 'schema.sql', PostgreSQL: 'schema-postgres.sql' };

/**
 * A table as the page of the engine's schema has it, which another test compares with the database itself. What the rows of
 * all workspaces have besides is left out: `workspace`, which comes first in each key, reference and index (N-1).
 * @returns its columns by name, its constraints as they are written, and what its indexes are on
 */
export function tableOf(engine: EngineUnderTest, table: string) {
  const page = readFileSync(`docs/reference/${PAGES[engine.name]}`, 'utf8')
    .replaceAll('(workspace, ', '(')
    .replace(/^ {2}workspace .*\n/gm, '')
    .replace(/\ball_(?=\w)/g, '');
  const [, body = ''] = page.match(new RegExp(`create table ${table} \\(\n(.*?)\n\\);`, 's')) ?? [];
  const lines = body.split('\n').map((line) => line.trim().replace(/,$/, ''));
  const constraints = lines.filter((line) => line.startsWith('constraint '));
  const columns = Object.fromEntries(
    lines
      .filter((line) => !constraints.includes(line))
      .map((line) => [line.split(' ', 1)[0], line.replace(/^\S+ /, '').replace(' collate "C"', '')]),
  ) as Record<string, string>;
  // Added to the tables when all are there.
  const added = new RegExp(
    `alter table ${table} add constraint \\w+ foreign key \\((\\w+)\\) (references .*);`,
    'g',
  );
  for (const [, column = '', reference] of page.matchAll(added)) columns[column] += ` ${reference}`;
  const indexes = [...page.matchAll(new RegExp(`create (?:unique )?index \\w+ on ${table} \\((.*?)\\)`, 'g'))]
    .map((match) => match[1] as string)
    .concat(constraints.flatMap((line) => line.match(/(?:primary key|unique) \((.*?)\)/)?.[1] ?? []));
  return { columns, constraints, indexes };
}
