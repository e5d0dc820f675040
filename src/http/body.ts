import { countValues } from '../domain/text/json.ts';
import { MOST } from '../mcp/message.ts';

/** The longest body, in bytes. */
export const LONGEST = 4 * 1024 * 1024;

/** A parsed body, or why it was rejected. */
type Body = { value: unknown } | { fault: { status: 400 | 413 | 415; message: string } };

/**
 * Parses the JSON body of a request. Its size is checked before or while it is read, the number of its values before it is
 * parsed.
 */
export async function jsonOf(request: Request): Promise<Body> {
  const { headers } = request;
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') return fault(415, 'Expected a body of type application/json.');
  if (headers.get('content-encoding') !== null) return fault(415, 'Expected a body that is not compressed.');
  let bytes: Buffer | undefined;
  try {
    bytes = await bytesOf(request);
  } catch {
    // A body breaks off when the client goes away or is too slow. Nobody reads this answer.
    return fault(400, 'Expected the whole body.');
  }
  if (!bytes) return fault(413, `Expected a body of at most ${LONGEST} bytes.`);
  if (countValues(bytes) > MOST) return fault(400, `Expected a body of at most ${MOST} values.`);
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return fault(400, 'Expected JSON in UTF-8.');
  }
}

/** @returns undefined for a body that is too long: no more than {@link LONGEST} of it is held */
export async function bytesOf(request: Request): Promise<Buffer | undefined> {
  const length = request.headers.get('content-length');
  if (length !== null)
    return Number(length) <= LONGEST ? Buffer.from(await request.arrayBuffer()) : undefined;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of request.body ?? []) {
    bytes += piece.length;
    if (bytes > LONGEST) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces, bytes);
}

const fault = (status: 400 | 413 | 415, message: string): Body => ({ fault: { status, message } });
