import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { invalid } from '../domain/error.ts';
import { bytesOf, LONGEST } from './body.ts';
import { attend, type Caller, type ServerContext } from './perform.ts';
import { errorResponse } from './status.ts';

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
  const bytes = await bytesOf(request).catch(() => undefined);
  if (!bytes) return errorResponse(invalid.too_large(`Expected a body of at most ${LONGEST} bytes.`), 413);
  const taken = await attend(context, caller, workspace, {
    ...asked,
    work: async (memory) => memory.takeFacts(await unpacked(bytes)),
    bytesOf: (answer) => JSON.stringify(answer).length,
  });
  return Response.json(taken);
}

async function unpacked(bytes: Buffer): Promise<string> {
  try {
    return (await promisify(gunzip)(bytes, { maxOutputLength: LARGEST })).toString();
  } catch {
    throw invalid.wrong_content(`Expected facts, compressed with gzip, of at most ${LARGEST} bytes.`);
  }
}
