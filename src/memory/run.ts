import type * as z from 'zod';
import { asPrecedentError, inWorkspace } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { mask } from '../domain/text/masking.ts';
import { redact } from '../domain/text/redaction.ts';
import { type Embedder, isRefusal } from '../embedding/embedder.ts';
import { momentAsked } from '../operations/moment-asked.ts';
import type { Operation } from '../operations/operation.ts';
import type { Document } from '../store/engine.ts';
import type { Store } from '../store/store.ts';
import { dated, type Tx, type Writer } from '../store/tx.ts';
import { recordSave } from '../store/undo/saves.ts';
import { type Keeping, receive } from './receive.ts';
import { withWarnings } from './warnings.ts';

/** The parts of a memory that running an operation needs. */
export interface Context {
  store: Store;
  embedder: Embedder | undefined;
  log: Log;
  /** Receives the documents that a transaction wrote, after its commit. */
  written: (documents: Document[]) => void;
}

/** Receives what a caller should know besides a result whose shape has no room for it (M-7). */
export type Tell = (note: string) => void;

/** The operation of a call, and who makes it. */
export type Prepare = (
  name: string,
  writer: Partial<Writer> | undefined,
) => Promise<{ operation: Operation; writer: Writer }>;

/** Runs an operation by its name. */
export type Call = (
  name: string,
  input: unknown,
  writer?: Partial<Writer>,
  tell?: Tell,
  how?: Keeping,
) => Promise<Record<string, unknown>>;

/**
 * Runs one operation in one transaction; its input is cleaned, redacted and checked before.
 * @param tell default: the log
 * @param how see {@link Keeping}
 */
export async function run(
  context: Context,
  operation: Operation,
  input: unknown,
  writer: Writer,
  tell: Tell = (note) => context.log(`${operation.name}: ${note}`, 'warning'),
  how: Keeping = {},
) {
  const { store, log } = context;
  try {
    const { given, warnings } = await receive(operation, input ?? {}, how);
    const done =
      operation.access === 'write'
        ? await write(context, operation, given, writer, tell)
        : await read(context, operation, given, writer, tell);
    // K-7, Z-9: the answer of a save names what was cut from its texts, and what was masked.
    const result = withWarnings(placed(operation, done, store.workspace), { last: warnings });
    logWarnings(operation.name, result, log);
    if (!operation.afterCommit) return result;
    return await addAfterwards(store, operation, result, writer, log);
  } catch (error) {
    throw inWorkspace(asPrecedentError(error, log), store.workspace);
  }
}

/** A result that always names its memory, with the name (K-3). */
function placed({ output }: Operation, result: Record<string, unknown>, workspace: string) {
  const named: z.ZodType | undefined = output.shape.workspace;
  return named === undefined || named.isOptional() ? result : { ...result, workspace };
}

async function write(
  { store, written }: Context,
  operation: Operation,
  given: Given,
  writer: Writer,
  tell: Tell,
) {
  let committed: Pick<Tx, 'written' | 'notes'> = { written: [], notes: [] };
  const result = await store.write(writer, async (tx) => {
    const done = await runDated(tx, operation, given);
    await recordSave(tx);
    committed = tx;
    return done;
  });
  written(committed.written);
  for (const note of committed.notes) tell(note);
  return result;
}

/** Runs one operation in a transaction that others share, and answers as {@link run} does; there it is found by words alone. */
export async function answerIn(
  tx: Tx,
  { embedder, store, log }: Context,
  operation: Operation,
  { given, warnings }: { given: Given; warnings: string[] },
  tell: Tell = (note) => log(`${operation.name}: ${note}`, 'warning'),
) {
  const done = await (operation.access === 'write'
    ? runDated(tx, operation, given)
    : operation.run(tx, given));
  for (const note of tx.notes) tell(note);
  const isByWords = embedder && operation.embeddingQuery?.(given)?.trim();
  const result = withWarnings(placed(operation, done, store.workspace), { last: warnings });
  logWarnings(operation.name, result, log);
  const whole = (await operation.afterCommit?.(tx, result)) ?? result;
  return isByWords
    ? { ...whole, degraded: 'no model is asked in a transaction: only words were compared' }
    : whole;
}

/** Runs an operation that writes, as of the date that its input may name (U-7). */
function runDated(tx: Tx, operation: Operation, { date, ...given }: Given) {
  return operation.run(dated(tx, date as string | undefined), given);
}

/** {@link runDated} where few read the answer. @returns it without what costs statements of its own, and what it warns of */
export async function enterDated(
  tx: Tx,
  operation: Operation,
  { date, ...given }: Given,
): Promise<{ result: Record<string, unknown>; warnings: string[] }> {
  const enter = operation.runInBatch ?? operation.run;
  const result: Record<string, unknown> = await enter(dated(tx, date as string | undefined), given);
  return { result, warnings: Array.isArray(result.warnings) ? result.warnings : [] };
}

/** The model is asked before the snapshot is taken, so that no snapshot waits for a model; it sees no private part and no secret. */
async function read(
  { store, embedder, log }: Context,
  operation: Operation,
  given: Given,
  writer: Writer,
  tell: Tell,
) {
  const at = momentAsked(given, () => store.now());
  if (at !== undefined) {
    // Few ask, and a hook loads only what it needs.
    const { readAsOf } = await import('./past.ts');
    const then = await readAsOf(store, operation, given, writer, {
      at,
      hasModel: embedder !== undefined,
    });
    for (const note of then.notes) tell(note);
    return then.result;
  }
  const question = embedder && operation.embeddingQuery?.(given)?.trim();
  if (!embedder || !question) return store.read(writer, (tx) => operation.run(tx, given));
  const understanding = await understand(embedder, mask(redact(question)), { now: store.now(), log });
  const result = await store.read(writer, (tx) => operation.run(tx, given), { understanding });
  const { degraded } = understanding;
  return degraded === undefined ? result : { ...result, degraded };
}

/** How long a search waits for the meaning of its question, in milliseconds. */
const ASKING = 3_000;

/** How long a model that did not answer is left alone, in milliseconds. */
const LEFT_ALONE = 60_000;
/** When each model that answers no more was asked last, in milliseconds UTC. */
const silentSince = new WeakMap<Embedder, number>();

/**
 * Asks the model what a question means. Without an answer in time, says that words alone were searched, and why. From then
 * on no question waits: once a minute the model is asked in the background, until it answers.
 * @param now milliseconds UTC
 */
async function understand(embedder: Embedder, question: string, { now, log }: { now: number; log: Log }) {
  const silent = silentSince.get(embedder);
  if (silent !== undefined) {
    const isDue = now < silent || now >= silent + LEFT_ALONE;
    if (isDue) {
      // Now, so that the questions of the next minute do not ask as well.
      silentSince.set(embedder, now);
      // Neither awaited nor logged: its silence was reported.
      ask(embedder, 'ready', now).catch(() => {});
    }
    return {
      degraded: 'the model did not answer, and is asked again every minute: only words were compared',
    };
  }
  try {
    const vector = await ask(embedder, question, now);
    return vector ? { meaning: { model: embedder.model, vector } } : {};
  } catch (error) {
    log(`only words were compared: ${error instanceof Error ? error.message : error}`, 'warning');
    return { degraded: 'the model did not answer: only words were compared' };
  }
}

/** @throws what the model fails with; it is silent from then on, until it answers */
async function ask(embedder: Embedder, question: string, now: number): Promise<Float32Array | undefined> {
  const stop = new AbortController();
  const { signal } = stop;
  // AbortSignal.timeout would let the process end while the caller still waits for the answer.
  const timer = setTimeout(() => stop.abort(new Error(`no answer within ${ASKING / 1000} seconds`)), ASKING);
  try {
    // A user's own embedder may ignore the signal.
    const [vector] = await Promise.race([embedder.embed([question], 'query', signal), aborted(signal)]);
    silentSince.delete(embedder);
    return vector;
  } catch (error) {
    // A text that it refuses is an answer.
    if (!isRefusal(error)) silentSince.set(embedder, now);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Adds to a result that is committed. It counts without the addition when that fails. */
async function addAfterwards(
  store: Store,
  { name, afterCommit }: Operation,
  result: Record<string, unknown>,
  writer: Writer,
  log: Log,
): Promise<Record<string, unknown>> {
  try {
    return await store.read(writer, async (tx) => (await afterCommit?.(tx, result)) ?? result);
  } catch (error) {
    log(
      `${name}: nothing was added to the result: ${error instanceof Error ? error.message : error}`,
      'warning',
    );
    return result;
  }
}

/** G-6: that something was ignored is also logged, and never a text: warnings quote records (OP-2). */
function logWarnings(name: string, { warnings, id }: Record<string, unknown>, log: Log): void {
  if (!Array.isArray(warnings)) return;
  const which = typeof id === 'string' ? ` of ${id}` : '';
  for (const _ of warnings) log(`${name}: the answer${which} has a warning`, 'warning');
}

type Given = Record<string, unknown>;
