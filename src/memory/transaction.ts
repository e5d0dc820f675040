import { asPrecedentError, invalid, inWorkspace, PrecedentError, unavailable } from '../domain/error.ts';
import type { Tx, Writer } from '../store/tx.ts';
import { recordSave } from '../store/undo/saves.ts';
import { type TransactionOptions, unlessAborted } from './caller.ts';
import { oneAfterTheOther } from './in-turn.ts';
import { incomplete } from './incomplete.ts';
import { receive } from './receive.ts';
import { answerIn, type Call, type Context, type Prepare } from './run.ts';
import { theirError, throwTheirs } from './theirs.ts';

const TIMEOUT = 10_000;

/**
 * Runs calls that belong together, in one transaction with one undo (LB-3). They run one after the other, however they are
 * made. A refused save may be half done, or be needed by the others, so nothing of the transaction is kept then, whatever
 * the function does about it.
 * @param work is never run twice
 */
export async function runTransaction<T>(
  context: Context,
  prepare: Prepare,
  work: (call: Call) => Promise<T>,
  self: Writer,
  { signal, timeout = TIMEOUT }: TransactionOptions,
): Promise<T> {
  const { store, log } = context;
  let begun = false;
  const run = async (tx: Tx) => {
    if (begun) throw incomplete('transaction');
    begun = true;
    const inTurn = oneAfterTheOther();
    let isOver = false;
    let broken: unknown;
    const call: Call = (name, input, given, tell, how) =>
      inTurn(async () => {
        if (isOver) throw invalid.not_applicable(OVER);
        if (broken) throwTheirs(asPrecedentError(broken, log));
        let isRead = false;
        try {
          const { operation, writer } = await prepare(name, { ...self, ...given });
          isRead = operation.access === 'read';
          const received = await receive(operation, input ?? {}, how);
          if (name === 'undo' || received.given.as_of !== undefined || received.given.asOf !== undefined)
            throw invalid.not_applicable(`${name}: ${OUTSIDE}`);
          const by = { writer, writerRows: given ? new Map() : tx.writerRows, notes: [] };
          return await answerIn({ ...tx, ...by }, context, operation, received, tell);
        } catch (error) {
          if (!isRead || !(error instanceof PrecedentError)) broken = error;
          return throwTheirs(inWorkspace(asPrecedentError(error, log), store.workspace));
        }
      });
    try {
      const result = await within(timeout, signal, work(call)).catch((error: unknown) => {
        // The database's own error: it says whether the connection was lost.
        throw broken && !(broken instanceof PrecedentError) ? broken : theirError(error);
      });
      await inTurn(async () => {});
      if (broken) throw broken instanceof PrecedentError ? caught(broken) : broken;
      await recordSave(tx);
      return { result, documents: tx.written };
    } finally {
      isOver = true;
      // A statement after the end would run outside of the transaction.
      await inTurn(async () => {});
    }
  };
  const { result, documents } = await store.write(self, run);
  context.written(documents);
  return result;
}

/** A refusal that the caller's function caught, and that ends the transaction nevertheless. */
function caught(error: PrecedentError): PrecedentError {
  const message = `${error.message} It ends the transaction, also where it is caught: nothing was saved.`;
  return Object.assign(new PrecedentError(error.code, error.reason, message, { cause: error }), { ...error });
}

const OVER =
  'Expected the calls of a transaction before its function ends, found one after its end, which was not carried out. Await each call.';
const OUTSIDE =
  'Expected an operation on the memory as it is now, found one about its past. Call it on the memory, before the transaction or after it.';

async function within<T>(timeout: number, signal: AbortSignal | undefined, running: Promise<T>): Promise<T> {
  const stop = new AbortController();
  const late = () =>
    stop.abort(
      unavailable.too_slow(
        `Expected the transaction to end within ${timeout} milliseconds, found it still running: nothing was saved. Do what is slow, such as asking a model, before it, or give a longer "timeout".`,
      ),
    );
  const timer = setTimeout(late, timeout);
  try {
    return await unlessAborted(running, AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]));
  } finally {
    clearTimeout(timer);
  }
}
