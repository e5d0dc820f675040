import type { ErrorCode, PrecedentError } from '../domain/error.ts';

/** The HTTP status of each code. */
const STATUS = {
  invalid: 400,
  unauthorized: 403,
  not_found: 404,
  conflict: 409,
  unavailable: 503,
  internal: 500,
} as const satisfies Record<ErrorCode, number>;

/** The response for an error, in the shape that `--json` prints. */
export function errorResponse(
  { code, reason, message, workspace }: PrecedentError,
  status: number = STATUS[code],
  headers: Record<string, string> = {},
): Response {
  const body = { error: { code, reason, message, ...(workspace !== undefined && { workspace }) } };
  // Seconds until the call may be repeated.
  const wait = status === 503 ? { 'retry-after': '1' } : {};
  return Response.json(body, { status, headers: { ...wait, ...headers } });
}
