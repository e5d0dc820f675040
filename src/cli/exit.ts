import type { ErrorCode } from '../domain/error.ts';

/** What a shell sees when there is nothing to find. */
export const NOT_FOUND = 1;

/** What a shell sees of each kind of error. */
export const EXIT_CODE: Record<ErrorCode, number> = {
  internal: 1,
  invalid: 2,
  not_found: 3,
  conflict: 4,
  unavailable: 5,
  unauthorized: 6,
};
