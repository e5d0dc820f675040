import { countValues } from '../domain/text/json.ts';
import { MOST } from '../mcp/message.ts';

/** The longest body, in bytes. */
export const LONGEST = 4 * 1024 * 1024;
export const TOO_LONG = `Expected a body of at most ${LONGEST} bytes.`;

/** A parsed body, or why it was rejected. */
type Body = { value: unknown } | { fault: { status: 400 | 415; message: string } };

/** Parses the JSON body of a request, of at most {@link LONGEST} bytes. The number of its values is checked before. */
export async function jsonOf(request: Request): Promise<Body> {
  const { headers } = request;
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') return fault(415, 'Expected a body of type application/json.');
  if (headers.get('content-encoding') !== null) return fault(415, 'Expected a body that is not compressed.');
  const bytes = Buffer.from(await request.arrayBuffer());
  if (countValues(bytes) > MOST) return fault(400, `Expected a body of at most ${MOST} values.`);
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return fault(400, 'Expected JSON in UTF-8.');
  }
}

const fault = (status: 400 | 415, message: string): Body => ({ fault: { status, message } });
