import { PrecedentError } from '../domain/error.ts';
import { findOperation } from '../operations/index.ts';
import { refusal } from './status.ts';

/** The header that says what the caller should know beside a result whose shape has no room for it (M-7). */
const NOTE = 'precedent-note';

/** A body as it was sent. */
type Body = { input: unknown } | { turned: Response };

/**
 * The input of an operation, out of a request's body. What it weighs is looked at before it is read: a body that does not
 * say its length is not read at all.
 * @param longest in bytes
 */
export async function inputOf(request: Request, longest: number): Promise<Body> {
  const { headers } = request;
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') return turned(415, 'Expected a body of type application/json.');
  if (headers.get('content-encoding') !== null) return turned(415, 'Expected a body that is not compressed.');
  const length = headers.get('content-length');
  if (length === null) return turned(411, 'Expected the header Content-Length.');
  if (!(Number(length) <= longest)) return turned(413, `Expected a body of at most ${longest} bytes.`);
  try {
    const input: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(await request.arrayBuffer()),
    );
    if (input !== null && typeof input === 'object' && !Array.isArray(input)) return { input };
  } catch {
    // Said below.
  }
  return turned(400, 'Expected a JSON object in UTF-8.');
}

/** Whether there is an operation of this name. @throws PrecedentError `not_found` */
export function checkOperation(name: string): void {
  if (findOperation(name)) return;
  throw new PrecedentError('not_found', 'Expected the name of an operation, as in /api/v1/openapi.json.');
}

/** A result as the API answers it. @param notes stand in a header, each as in a URL */
export function resultOf(result: Record<string, unknown>, notes: string[]): Response {
  const headers = new Headers(notes.map((note) => [NOTE, encodeURIComponent(note)] as [string, string]));
  return Response.json(result, { headers });
}

const turned = (status: number, message: string): Body => ({
  turned: refusal({ code: 'invalid', message }, status),
});
