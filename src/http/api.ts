import { PrecedentError } from '../domain/error.ts';
import { findOperation } from '../operations/index.ts';
import { jsonOf } from './body.ts';
import { refusal } from './status.ts';

/** The header that says what the caller should know beside a result whose shape has no room for it (M-7). */
const NOTE = 'precedent-note';

/** The input of an operation, out of a request's body. @param longest in bytes */
export async function inputOf(
  request: Request,
  longest: number,
): Promise<{ input: unknown } | { turned: Response }> {
  const body = await jsonOf(request, longest);
  if ('fault' in body) return turned(body.fault.status, body.fault.message);
  const { value } = body;
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return { input: value };
  return turned(400, 'Expected a JSON object.');
}

/** Whether there is an operation of this name. @throws PrecedentError `not_found` */
export function checkOperation(name: string): void {
  if (findOperation(name)) return;
  throw new PrecedentError('not_found', 'Expected the name of an operation, as in /api/v1/openapi.json.');
}

/** A result as the API answers it. @param notes stand in a header, each as in a URL */
export function resultOf(result: Record<string, unknown>, notes: string[]): Response {
  // What was done is answered, whatever a text holds: half a character cannot be written in a URL.
  const headers = new Headers(
    notes.map((note) => [NOTE, encodeURIComponent(note.toWellFormed())] as [string, string]),
  );
  return Response.json(result, { headers });
}

const turned = (status: number, message: string) => ({
  turned: refusal({ code: 'invalid', message }, status),
});
