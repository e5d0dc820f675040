import { hostname } from 'node:os';
import { asPrecedentError, invalid, inWorkspace, PrecedentError } from '../domain/error.ts';
import { newId as newRecordId } from '../domain/id.ts';
import type { Log, LogLevel } from '../domain/log.ts';
import type { Tried } from '../domain/ranking/meaning.ts';
import { label } from '../domain/text/label.ts';
import { LIMITS } from '../domain/text/text.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { OpenAiOptions } from '../embedding/openai.ts';
import type { StaticOptions } from '../embedding/static.ts';
import type { Operation } from '../operations/operation.ts';
import type { Engine } from '../store/engine.ts';
import { isIndexStale } from '../store/stale.ts';
import { Store, UNHURRIED } from '../store/store.ts';
import type { Tx, Writer } from '../store/tx.ts';
import type { Batch, BatchEntry } from './batch.ts';
import type { TransactionOptions } from './caller.ts';
import { describeDatabase, openEngine } from './engines.ts';
import { type Maintenance, maintenanceOf } from './maintenance.ts';
import type { Keeping } from './receive.ts';
import { type Context, type Prepare, run } from './run.ts';
import { theirs, throwTheirs, told } from './theirs.ts';

export type { Embedder, OpenAiOptions, StaticOptions };

export interface MemoryOptions {
  /**
   * Path of the SQLite file, created when missing; `:memory:` keeps nothing. Or the address of a PostgreSQL database,
   * `postgres://user:password@host:5432/database`; of several hosts, separated by commas, the one that takes writes.
   */
  db: string;
  /**
   * The memory's name, shown in results; in a PostgreSQL database the schema that holds it. Default: the file's name
   * without its ending, or `default`.
   */
  workspace?: string;
  /** Whether the memory is created where there is none, which is logged. Default: true. */
  create?: boolean;
  /**
   * Whether every save is refused, as `unavailable/read_only`; none is created then. A memory of an older version is still
   * brought up to date. Default: false.
   */
  readOnly?: boolean;
  /**
   * The writer, kept with each record (K-4). Default: this process on this machine, as `library`, of no author. Calls that
   * name no `sessionId` belong to the writer's conversation, by default its session, and without a session to one of their
   * own, which begins with `openMemory` and ends with `close` (M-12).
   */
  writer?: Partial<Writer>;
  /** Whole milliseconds UTC. For tests. */
  clock?: () => number;
  /** A new id, which no record has: a UUID v4, since links in reasoning are read by that form. For tests. */
  newId?: () => string;
  /**
   * A model, for searching by meaning too: an endpoint that speaks OpenAI's protocol, the folder of a static model in
   * model2vec's form, or an embedder of your own.
   */
  embedder?: Embedder | OpenAiOptions | StaticOptions;
  /**
   * Receives how many records are done and how many there are, while opening rebuilds the index of a memory that an
   * older version wrote (W-1).
   */
  progress?: (done: number, all: number) => void;
  /**
   * Receives warnings and internal errors, a message each. The level comes second, so that a function of the message
   * alone will do. Default: nowhere.
   */
  log?: (message: string, level: LogLevel) => void;
}

/** The parts of a memory besides its operations; published as a part of `Memory`. */
export interface MemoryCore extends Maintenance {
  /** The memory's name. */
  readonly workspace: string;
  /**
   * Runs an operation by its name. @throws PrecedentError `invalid` also for an unknown name
   * @param writer who asks, when that differs from call to call
   * @param tell receives what the caller should know besides a result whose shape has no room for it. Default: the log
   * @param how what a person asked for that no agent may: no field of an input says it, so that none can send it (Z-9)
   */
  call(
    name: string,
    input: unknown,
    writer?: Partial<Writer>,
    tell?: (note: string) => void,
    how?: Keeping,
  ): Promise<Record<string, unknown>>;
  /**
   * Runs calls in one transaction. The library gives them as methods: `transaction`.
   * @param work is given what runs an operation by its name
   */
  transact<T>(work: (call: MemoryCore['call']) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Runs many saves, in their order and in one transaction: all of them, or none (U-7). Each costs less than a call.
   * @param entries each an object, or a line of JSON that holds one: `operation`, the name of one that saves, and the fields of
   *   its input, where `line 3` is the id of what the third one saved. With `date` a record is entered as of then. They are
   *   read one after the other while the memory is locked: do not wait for a model or a network between them
   * @param progress receives how many were saved
   * @returns how many were saved; what was warned of, with the number of the entry; and the answer to each that was given as an
   *   object, without what a save compares
   * @throws PrecedentError that of the first entry that is refused; the message names its number
   */
  batch(
    entries: AsyncIterable<string | BatchEntry> | Iterable<string | BatchEntry>,
    progress?: (done: number) => void,
    how?: Keeping,
  ): Promise<Batch>;
  /**
   * Computes the vectors that records lack, with the embedder's model, and tries the model: how much meaning counts in the
   * ranking follows from that. Stopped by the signal, it can be started again and continues.
   * @param progress receives how many records have a vector, and how many records there are
   * @returns how many still lack one, since the model refused them or they were saved meanwhile; and how the model did,
   *   once there are records enough to try it
   * @param by another model than that of the options
   * @throws PrecedentError `invalid` without an embedder, `unavailable` when it does not answer
   */
  embed(
    progress?: (done: number, all: number) => void,
    signal?: AbortSignal,
    by?: Embedder | OpenAiOptions | StaticOptions,
  ): Promise<{ missing: number; tried?: Tried }>;
  /**
   * Whether something was saved since it was opened that it does not show. That happens only where this process may not
   * write: there a memory is read through a copy. Open it again to see what is new.
   */
  isOutdated(): boolean;
  /**
   * Closes it. Calls that were made before are finished first, except {@link embed}, which can go on another time; calls made
   * afterwards are refused as `unavailable/closed`.
   */
  close(): Promise<void>;
  /** Closes it at the end of a block: `await using memory = await openMemory(…)`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * The operation of this name, loaded when it is asked for.
 * @throws PrecedentError `invalid` for an unknown name
 */
export type FindOperation = (name: string) => Operation | Promise<Operation>;

/** How long to wait for another process that rebuilds the index: as long as a large memory takes, in milliseconds. */
const REINDEXING = 600_000;
/** How long closing waits for the vectors of what was just written, in milliseconds. */
const CLOSING = 2_000;

/** @throws PrecedentError `invalid` where a clock says what cannot be the date of a record */
function requireMoment(now: number): number {
  if (Number.isInteger(now) && !Number.isNaN(new Date(now).getTime())) return now;
  throw invalid.wrong_time(`Expected the clock to give whole milliseconds since 1970, found ${now}.`);
}

/** Ids of a caller's own. @throws PrecedentError `invalid` for one that cannot be one, or was there before */
function checkedIds(newId: () => string): () => string {
  const known = new Set<string>();
  return () => {
    const id: unknown = newId();
    if (typeof id !== 'string' || id === '' || id.length > LIMITS.id)
      throw invalid.wrong_form(
        `Expected "newId" to make a text of 1 to ${LIMITS.id} characters, found something else.`,
      );
    if (known.has(id)) throw invalid.given_twice(`Expected "newId" to make a new id, found ${id} again.`);
    known.add(id);
    return id;
  };
}

/**
 * Opens a memory without the methods of its operations, and creates it where there is none. Code that only some calls need is
 * loaded with the first of them: a command loads its own operation and no other (U-9).
 * @throws PrecedentError `unavailable` when it cannot be opened, saying why; `not_found` when there is none and `create`
 *   is false
 */
export async function openCore(options: MemoryOptions, find: FindOperation): Promise<MemoryCore> {
  const { readOnly = false } = options;
  const clock = theirs(options.clock ?? Date.now);
  const log: Log = told(options.log);
  const newId = options.newId ? checkedIds(theirs(options.newId)) : newRecordId;
  const { workspace = describeDatabase(options.db).workspace } = options;
  const self = writerOf({
    author: '',
    host: hostname(),
    client: 'library',
    session: newRecordId(),
    ...options.writer,
  });
  const engine = await openOrCreate(options.db, workspace, log, !readOnly && (options.create ?? true));
  const store = new Store({ engine, workspace, clock: () => requireMoment(clock()), newId, log, readOnly });
  if (await store.read(self, isIndexStale)) {
    const { refreshIndex } = await import('../store/search/reindex.ts');
    const refresh = (tx: Tx) => refreshIndex(tx, options.progress && theirs(options.progress));
    await store.write(self, refresh, { ...UNHURRIED, isDerived: true, waiting: REINDEXING });
  }

  const { embedder, backlog } = (await embedding(options, store, self, log)) ?? {};
  const context: Context = { store, embedder, log, written: (documents) => backlog?.add(documents) };
  const prepare: Prepare = async (name, given) => {
    const operation = await find(name);
    const writer = writerOf({ ...self, ...given });
    return { operation, writer };
  };
  const call: MemoryCore['call'] = async (name, input, given, tell, how) => {
    const { operation, writer } = await prepare(name, given);
    return run(context, operation, input, writer, tell, how);
  };
  const transact: MemoryCore['transact'] = async (work, options = {}) => {
    const { runTransaction } = await import('./transaction.ts');
    const writer = writerOf({ ...self, ...options.writer });
    try {
      return await runTransaction(context, prepare, work, writer, options);
    } catch (error) {
      throw error instanceof PrecedentError ? inWorkspace(error, workspace) : error;
    }
  };
  const embed: MemoryCore['embed'] = async (progress, signal, by) => {
    const { embedderOf, embedMissing } = await import('./embed.ts');
    return embedMissing(store, by ? await embedderOf(by, store) : embedder, self, progress, signal);
  };
  const batch: MemoryCore['batch'] = async (lines, progress, how) => {
    const { runBatch } = await import('./batch.ts');
    try {
      return await runBatch(context, find, lines, self, progress, how);
    } catch (error) {
      throw error instanceof PrecedentError ? inWorkspace(error, workspace) : error;
    }
  };
  const core: MemoryCore = {
    workspace,
    ...waitedFor(store, { call, transact, ...maintenanceOf(store, self, log), batch }),
    embed: (...given) => embed(...given).catch(throwTheirs),
    isOutdated: () => store.isOutdated(),
    async close() {
      store.requireOutside();
      await store.finishCalls();
      await backlog?.finish(CLOSING);
      await store.close();
    },
    [Symbol.asyncDispose]: () => core.close(),
  };
  return core;
}

/** The same methods, whose calls closing waits for. */
function waitedFor<Methods extends object>(store: Store, methods: Methods): Methods {
  const all = Object.entries(methods).map(([name, method]) => [
    name,
    (...given: unknown[]) => store.duringCall(() => method(...given)).catch(throwTheirs),
  ]);
  return Object.fromEntries(all);
}

/** Opens the engine; a memory that is created is announced first, since its name may be mistyped (K-2). */
async function openOrCreate(db: string, workspace: string, log: Log, create: boolean): Promise<Engine> {
  const announce = () => log(`New workspace "${workspace}".`, 'warning');
  return openEngine(db, workspace, log, { create: create && announce }).catch((error: unknown) => {
    throw asPrecedentError(error, log);
  });
}

/** A writer as it is kept with each record: programs and people choose these names. */
function writerOf(writer: Writer): Writer {
  const { author, host, client, session, conversation, branch, ...others } = writer;
  const [strange] = Object.keys(others);
  if (strange !== undefined)
    throw invalid.unknown_field(
      `Expected only author, host, client, session, conversation and branch of a writer, found "${strange}".`,
    );
  for (const [name, value] of Object.entries(writer))
    if (value !== undefined && typeof value !== 'string')
      throw invalid.wrong_type(`Expected "${name}" of the writer to be a text, found a ${typeof value}.`);
  return {
    author: label(author),
    host: label(host),
    client: label(client),
    session: label(session),
    ...(conversation !== undefined && { conversation: label(conversation) }),
    ...(branch && { branch: label(branch) }),
  };
}

/** The model, and the backlog of what it has to read; both are loaded where there is one. */
async function embedding({ embedder: given }: MemoryOptions, store: Store, self: Writer, log: Log) {
  if (!given) return undefined;
  const { backlogOf, embedderOf } = await import('./embed.ts');
  const embedder = await embedderOf(given, store);
  return { embedder, backlog: backlogOf(embedder, store, self, log) };
}
