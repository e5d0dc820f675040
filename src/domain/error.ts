/** What can go wrong, as a caller can act on it. Each face maps a code once (exit code, HTTP status, …). */
export type ErrorCode = 'invalid' | 'not_found' | 'conflict' | 'unauthorized' | 'unavailable' | 'internal';

/**
 * The only error that leaves this package. Its message is for the caller: what was expected, what was
 * found, what to do next. It never holds SQL, a path of the code or a stack.
 */
export class PrecedentError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PrecedentError';
    this.code = code;
  }
}

/**
 * The error as a caller may see it: one of ours as it is, anything else as `internal`. What it was goes to the log.
 * @param log receives the detail that a caller must not see
 */
export function asPrecedentError(error: unknown, log: (message: string) => void): PrecedentError {
  if (error instanceof PrecedentError) return error;
  log(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return new PrecedentError('internal', 'Something unforeseen went wrong; the log has the detail.', {
    cause: error,
  });
}
