import type { Log } from './log.ts';
import { mask } from './text/masking.ts';

/** What can go wrong, as a caller can act on it. Each face maps a code once (exit code, HTTP status, …). */
export type ErrorCode = 'invalid' | 'not_found' | 'conflict' | 'unauthorized' | 'unavailable' | 'internal';

/**
 * Why a database is `unavailable`: its own structure is `damaged`, it is `foreign`, made by another program, a `newer` or
 * `older` version of this one wrote it, it was `busy` for as long as was waited, or its disk is `full`.
 */
export type ErrorReason = 'damaged' | 'foreign' | 'newer' | 'older' | 'busy' | 'full';

/**
 * The only error that leaves this package. Its message is for the caller: what was expected, what was
 * found, what to do next. It never holds SQL, a path of the code or a stack, nor a secret of the input that it quotes (Z-9).
 */
export class PrecedentError extends Error {
  readonly code: ErrorCode;
  /** Set where the cause is known more exactly than the code says: programs decide by this, never by the message. */
  declare readonly reason?: ErrorReason;
  /** Set where the call must name a lock to override it: its id (T-6). Whoever can ask a person does, and calls again. */
  declare lock?: string;
  /** Set where the call must say which of several decisions holds (Y-2): for whoever can ask a person. */
  declare choices?: { id: string; shown: string; reasoning: string | null; needsReason: boolean }[];
  /** The memory that was asked, where one was (K-3). */
  declare workspace?: string;

  constructor(
    code: ErrorCode,
    message: string,
    options: ErrorOptions & { reason?: ErrorReason | undefined } = {},
  ) {
    super(mask(message), options);
    this.name = 'PrecedentError';
    this.code = code;
    if (options.reason) this.reason = options.reason;
  }
}

type Options = ConstructorParameters<typeof PrecedentError>[2];

/** The refusals, by what a caller can do about them: {@link ErrorCode}. */
export const invalid = (message: string) => new PrecedentError('invalid', message);
export const notFound = (message: string, options?: Options) =>
  new PrecedentError('not_found', message, options);
export const conflict = (message: string, options?: Options) =>
  new PrecedentError('conflict', message, options);
export const unavailable = (message: string, options?: Options) =>
  new PrecedentError('unavailable', message, options);

/** The same error, which says now which memory was asked (K-3). */
export function inWorkspace(error: PrecedentError, workspace: string): PrecedentError {
  error.workspace ??= workspace;
  return error;
}

/**
 * The error as a caller may see it: one of ours unchanged, any other as `internal`.
 * @param log receives the detail that a caller must not see
 */
export function asPrecedentError(error: unknown, log: Log): PrecedentError {
  if (error instanceof PrecedentError) return error;
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log(mask(`internal error: ${detail}`), 'error');
  return new PrecedentError('internal', 'Something unforeseen went wrong; the log has the detail.', {
    cause: error,
  });
}
