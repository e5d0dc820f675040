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

/** An error as every face of the server answers it: the same shape as `--json` prints. */
export function refusal(
  { code, message, workspace }: Pick<PrecedentError, 'code' | 'message' | 'workspace'>,
  status: number = STATUS[code],
  headers: Record<string, string> = {},
): Response {
  const body = { error: { code, message, ...(workspace !== undefined && { workspace }) } };
  // Who is told to wait is told how long, in seconds.
  const wait = status === 503 ? { 'retry-after': '1' } : {};
  return Response.json(body, { status, headers: { ...wait, ...headers } });
}
