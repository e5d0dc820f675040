/** The most that is kept of an event, in bytes. A longer one is read to its end, so that its sender can go on. */
const MOST = 4_000_000;

/**
 * The JSON that an agent sends on standard input; undefined for what is none. Some agents never close it: it is read as
 * soon as it is whole.
 */
export async function readPayload(input: AsyncIterable<Buffer>): Promise<object | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    bytes += chunk.length;
    if (bytes > MOST) {
      chunks.length = 0;
      continue;
    }
    chunks.push(chunk);
    if (!endsObject(chunk)) continue;
    const whole = parse(Buffer.concat(chunks).toString('utf8'));
    if (whole !== undefined) return whole;
  }
  return bytes > MOST ? undefined : parse(Buffer.concat(chunks).toString('utf8'));
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
