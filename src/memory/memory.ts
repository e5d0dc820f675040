import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type * as z from 'zod';
import { PrecedentError } from '../domain/error.ts';
import { Backlog } from '../embedding/backlog.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { OpenAiOptions } from '../embedding/openai.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import type { Document, Engine } from '../store/engine.ts';
import { isIndexStale, refreshIndex } from '../store/search/reindex.ts';
import { openSqlite } from '../store/sqlite/engine.ts';
import { Store, unforeseen } from '../store/store.ts';
import type { Author } from '../store/tx.ts';
import { type Whole, wholeOf } from './maintenance.ts';
import { type Context, run } from './run.ts';
import { embedderOf, embedMissing, keeper } from './understand.ts';

export type { OpenAiOptions };

export interface MemoryOptions {
  /**
   * Path of the SQLite file, made when missing; `:memory:` keeps nothing. Or the address of a PostgreSQL database,
   * `postgres://user:password@host:5432/database`; of several hosts, separated by commas, the one that takes writes.
   */
  db: string;
  /**
   * The memory's name, shown in results; in a PostgreSQL database the schema that holds it. Default: the file's name
   * without its ending, or `default`.
   */
  workspace?: string;
  /** Who writes, kept with each record. Default: this process, as `library`. */
  author?: Partial<Author>;
  /** Milliseconds UTC. For tests. */
  clock?: () => number;
  /** A new UUID v4. For tests. */
  newId?: () => string;
  /** A model for meaning beside words: an endpoint that speaks OpenAI's protocol, or an embedder of your own. */
  embedder?: Embedder | OpenAiOptions;
  /** Receives warnings and internal errors, a line each. Default: nowhere. */
  log?: (message: string) => void;
}

type AnyOperation = (typeof operations)[number];

type Camel<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;
type Method<O> =
  O extends Operation<string, infer Input, infer Output>
    ? Record<string, never> extends z.input<Input>
      ? (input?: z.input<Input>) => Promise<z.output<Output>>
      : (input: z.input<Input>) => Promise<z.output<Output>>
    : never;
type GroupOf<Name extends string> = Name extends `${infer Group}_${string}` ? Group : never;
/** `mama_load_checkpoint` as `mama.loadCheckpoint`; a name of one word stands at the root. */
type Methods = {
  [Group in GroupOf<AnyOperation['name']>]: {
    [O in AnyOperation as O['name'] extends `${Group}_${infer Rest}` ? Camel<Rest> : never]: Method<O>;
  };
} & {
  [O in AnyOperation as O['name'] extends `${string}_${string}` ? never : O['name']]: Method<O>;
};

/** An open memory: every operation as a method, and what faces need around them. */
export type Memory = Methods &
  Whole & {
    readonly workspace: string;
    /**
     * Runs an operation by its name. @throws PrecedentError `invalid` also for an unknown name
     * @param author who asks, when that differs from call to call
     */
    call(name: string, input: unknown, author?: Partial<Author>): Promise<Record<string, unknown>>;
    /**
     * Gives every record that lacks one a vector of the embedder's model; stopped and begun again it goes on.
     * @param progress receives how many have one, and how many there are
     * @returns how many still lack one: the model refused them, or they were saved meanwhile
     * @throws PrecedentError `invalid` without an embedder, `unavailable` when it does not answer
     */
    embed(progress?: (done: number, all: number) => void, signal?: AbortSignal): Promise<{ missing: number }>;
    close(): Promise<void>;
  };

/** Of a database without a name that says more. */
const DEFAULT_WORKSPACE = 'default';
/** How long closing waits for the vectors of what was just written, in milliseconds. */
const CLOSING = 2_000;

/**
 * Opens a memory; the composition root, which alone knows engines.
 * @throws PrecedentError `unavailable` when it cannot be opened, saying why
 */
export async function openMemory(options: MemoryOptions): Promise<Memory> {
  const { log = () => {}, clock = Date.now, newId = randomUUID } = options;
  if (typeof options.db !== 'string' || options.db.trim() === '') {
    throw new PrecedentError(
      'invalid',
      'Expected "db" to be the path of a SQLite file or the address of a PostgreSQL database, found nothing.',
    );
  }
  checkDatabase(options.db);
  const workspace =
    options.workspace ??
    (isPostgres(options.db) ? DEFAULT_WORKSPACE : basename(options.db, extname(options.db)));
  const self: Author = { session: randomUUID(), client: 'library', ...options.author };
  const engine = await openEngine(options.db, workspace, log).catch((error: unknown) => {
    throw error instanceof PrecedentError ? error : unforeseen(error, log);
  });
  const store = new Store({ engine, workspace, clock, newId, log });
  if (await store.read(self, isIndexStale)) await store.write(self, refreshIndex);

  const embedder = options.embedder && (await embedderOf(options.embedder));
  const backlog = embedder && new Backlog<Document>(embedder, keeper(store, self, embedder.model), log);

  const context: Context = { store, embedder, log, written: (documents) => backlog?.add(documents) };
  const call: Memory['call'] = async (name, input, author) => {
    const operation = operations.find((each) => each.name === name);
    if (!operation) throw unknownOperation(name);
    return run(context, operation as unknown as Operation, input, { ...self, ...author });
  };
  const embed: Memory['embed'] = (progress, signal) => embedMissing(store, embedder, self, progress, signal);
  return Object.assign(methods(call), {
    workspace,
    call,
    ...wholeOf(store, self, log),
    embed,
    async close() {
      await backlog?.finish(CLOSING);
      await store.close();
    },
  });
}

/** The engine is loaded with the first memory that needs it: who keeps a file pays nothing for a server. */
async function openEngine(db: string, workspace: string, log: (message: string) => void): Promise<Engine> {
  if (!isPostgres(db)) return openSqlite(db, log);
  const { openPostgres } = await import('../store/postgres/engine.ts');
  return openPostgres(db, workspace, log);
}

/** Whether such a memory was made already; nothing is made. @throws PrecedentError when that cannot be told */
export async function isMemoryThere({ db, workspace }: { db: string; workspace: string }): Promise<boolean> {
  if (!isPostgres(db)) return existsSync(db);
  const { isPostgresThere } = await import('../store/postgres/engine.ts');
  return isPostgresThere(db, workspace);
}

/** Whether `db` is the address of a PostgreSQL database, not a file. */
export function isPostgres(db: string): boolean {
  return /^postgres(ql)?:\/\//i.test(db);
}

/** @throws PrecedentError `invalid` for an address of something else: as a file name it would show its password */
export function checkDatabase(db: string): void {
  if (isPostgres(db) || !/^[a-z][a-z0-9+.-]+:\//i.test(db)) return;
  throw new PrecedentError(
    'invalid',
    `Expected the path of a file or an address that begins with postgres://, found one that begins with ${db.replace(/:.*$/s, '')}:/.`,
  );
}

function methods(call: Memory['call']): Methods {
  const root: Record<string, unknown> = {};
  for (const { name } of operations) {
    const method = (input: unknown) => call(name, input);
    const [group = name, ...rest] = name.split('_');
    if (rest.length === 0) root[name] = method;
    else root[group] = { ...(root[group] as object), [camel(rest)]: method };
  }
  return root as Methods;
}

function camel([first = '', ...rest]: string[]): string {
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function unknownOperation(name: string): PrecedentError {
  const names = operations.map((operation) => operation.name).join(', ');
  return new PrecedentError('invalid', `Expected an operation out of ${names}, found "${name}".`);
}
