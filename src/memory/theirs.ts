import { PrecedentError } from '../domain/error.ts';

/** An error of the caller's own code on its way out: what it passes logs no defect of ours (LB-7). */
class Theirs extends PrecedentError {
  constructor(cause: unknown) {
    super('internal', 'unforeseen', 'It threw.', { cause });
  }
}

/** @param error thrown by the caller's own code @returns the error to end a transaction with */
export function theirError(error: unknown): PrecedentError {
  return error instanceof PrecedentError ? error : new Theirs(error);
}

/** A function of the caller's that ends a transaction when it throws. */
export function theirs<Given extends unknown[], T>(run: (...given: Given) => T): (...given: Given) => T {
  return (...given) => {
    try {
      return run(...given);
    } catch (error) {
      throw theirError(error);
    }
  };
}

/** The same for what the caller iterates over. */
export async function* theirLines<T>(lines: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  try {
    yield* lines;
  } catch (error) {
    throw theirError(error);
  }
}

/** A function of the caller's that is only told something: with its error, a save that was made would look like one that was not. */
export const told =
  <Given extends unknown[]>(run?: (...given: Given) => void) =>
  (...given: Given): void => {
    try {
      run?.(...given);
    } catch {}
  };

/** @throws the error, or the caller's own where that is its cause */
export function throwTheirs(error: unknown): never {
  for (let each = error; each instanceof PrecedentError; each = each.cause)
    if (each instanceof Theirs) throw each.cause;
  throw error;
}
