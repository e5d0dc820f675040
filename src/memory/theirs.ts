import { internal, type PrecedentError } from '../domain/error.ts';

/**
 * For a transaction in which the caller's own code runs, such as a callback or an iterator: an error of that code ends the
 * transaction, is logged as no defect of ours, and comes out as it was thrown (LB-7).
 */
export function callersCode() {
  let thrown: { error: unknown } | undefined;
  return {
    /** @param error thrown by that code @returns the error to end the transaction with */
    failed(error: unknown): PrecedentError {
      thrown = { error };
      return internal.unforeseen('It threw.');
    },
    /** @param error with which the transaction ended: its own where it could not even end as it was told to */
    outcome: (error: PrecedentError): never => {
      throw thrown && error.reason === 'unforeseen' ? thrown.error : error;
    },
  };
}
