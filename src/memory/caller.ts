import { PrecedentError } from '../domain/error.ts';
import type { Writer } from '../store/tx.ts';
import type { Keeping } from './receive.ts';

/** The parts of a call besides its input. */
export interface CallOptions extends Keeping {
  /** The caller, where it differs from the writer of the memory: several agents may share one memory. */
  writer?: Partial<Writer>;
  /**
   * Ends the wait for the answer: the call throws the reason of the signal. A call that has not begun is not made. A save
   * that has begun is made nevertheless: look for it before you repeat it.
   */
  signal?: AbortSignal;
  /** Receives what the answer has no room for, a sentence each. Default: the `log` of the memory. */
  tell?: (note: string) => void;
}

/** How a transaction of a program differs from most. */
export interface TransactionOptions {
  /** The writer, where it differs from that of the memory. */
  writer?: Partial<Writer>;
  /** Ends the transaction: nothing is saved, and it throws the reason of the signal. */
  signal?: AbortSignal;
  /** Milliseconds after which it is ended, since nobody else can write meanwhile. Default: 10,000. */
  timeout?: number;
}

/** A program gets this for each function of ours: its errors name the line that called it, and not ten of ours. */
export function atCaller<Given extends unknown[], T>(method: (...given: Given) => Promise<T>) {
  const called = async (...given: Given): Promise<T> => {
    const here: { stack?: string } = {};
    Error.captureStackTrace(here, called);
    try {
      return await method(...given);
    } catch (error) {
      if (error instanceof PrecedentError)
        error.stack = [`${error}`, ...(here.stack ?? '').split('\n').slice(1)].join('\n');
      throw error;
    }
  };
  return called;
}

/** The same, which throws the reason of the signal when that comes first. */
export function unlessAborted<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  running.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  return promise;
}
