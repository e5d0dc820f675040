import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { invalid } from '../domain/error.ts';
import { attend, type Caller, type ServerContext } from './perform.ts';

/** Bytes of the facts of one request, unpacked. */
const LARGEST = 64 * 1024 * 1024;

/**
 * Answers a machine that syncs with a memory (Y-1, Y-8): what the memory knows, or what became of what the machine says. Both are
 * texts with a fact a line, compressed.
 */
export async function syncWith(
  context: ServerContext,
  caller: Omit<Caller, 'client'>,
  workspace: string,
  request: Request,
): Promise<Response> {
  const asked = { name: 'sync', access: 'sync' } as const;
  if (request.method === 'GET') {
    const after = new URL(request.url).searchParams.get('after') ?? undefined;
    const sent = await attend(context, caller, workspace, {
      ...asked,
      work: async (memory) => promisify(gzip)(await memory.sendFacts(after)),
      bytesOf: ({ length }) => length,
    });
    return new Response(new Uint8Array(sent), { headers: { 'content-encoding': 'gzip' } });
  }
  const bytes = Buffer.from(await request.arrayBuffer());
  const taken = await attend(context, caller, workspace, {
    ...asked,
    // A rehearsal reads it, too.
    work: async (memory) => memory.takeFacts({ [Symbol.asyncIterator]: () => unpacked(bytes) }),
    bytesOf: (answer) => JSON.stringify(answer).length,
  });
  return Response.json(taken);
}

/** A compressed body, piece by piece: it is never held whole (Z-12). @throws PrecedentError `invalid` */
async function* unpacked(bytes: Buffer): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  gunzip.end(bytes);
  let length = 0;
  try {
    for await (const piece of gunzip) {
      length += piece.length;
      if (length > LARGEST) throw new RangeError('too long');
      yield piece;
    }
  } catch {
    throw invalid.wrong_content(`Expected facts, compressed with gzip, of at most ${LARGEST} bytes.`);
  }
}
