/** The most that is kept of an event, in bytes. A longer one is read to its end, so that its sender can go on. */
const MOST = 4_000_000;

/**
 * The JSON that an agent sends on standard input; undefined where it sends something else. Some agents never close it: it is
 * read as soon as it is whole.
 */
export async function readPayload(input: AsyncIterable<Buffer>): Promise<object | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const parsed = () => parse(Buffer.concat(chunks).toString('utf8'));
  for await (const chunk of input) {
    bytes += chunk.length;
    if (bytes > MOST) {
      chunks.length = 0;
      continue;
    }
    chunks.push(chunk);
    const whole = endsObject(chunk) ? parsed() : undefined;
    if (whole !== undefined) return whole;
  }
  return bytes > MOST ? undefined : parsed();
}

function endsObject(chunk: Buffer): boolean {
  return chunk.subarray(-4).toString('latin1').trimEnd().endsWith('}');
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return value !== null && typeof value === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}
