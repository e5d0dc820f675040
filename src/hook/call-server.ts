import type { IncomingMessage, RequestOptions } from 'node:http';
import { PrecedentError } from '../domain/error.ts';

/** The server that a hook asks, as setup entered it (H-1). */
export interface Server {
  /** Its address, without a slash at the end. */
  url: string;
  /** Undefined for a server that asks for none. It is written nowhere. */
  token: string | undefined;
  /** Left out: the only one of the token, else the server's own. */
  workspace: string | undefined;
  /** The agent, by which the server names what it records. */
  client: string;
}

/** The most that is read of an answer, in bytes: what a context has room for is a hundredth of it. */
const MOST = 1_000_000;

/**
 * Runs an operation on a server. It waits for as long as the hook does; an answer that leads elsewhere is none, since only
 * this server is meant to see the token.
 * @throws PrecedentError `unavailable`, as `busy` where it asks to come again; `not_found` where it has no such memory;
 *   `unauthorized` where the token may not do that
 */
export async function callServer<Result>(
  { url, token, workspace, client }: Server,
  operation: string,
  input: object,
): Promise<Result> {
  const place = workspace === undefined ? '' : `/${encodeURIComponent(workspace)}`;
  const body = Buffer.from(JSON.stringify(input));
  const options: RequestOptions = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': client,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  };
  // Loaded where a server is asked: most hooks ask none.
  const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${url}/api/v1${place}/${operation}`, options, resolve).on('error', reject).end(body);
  });
  const { statusCode: status = 0 } = response;
  if (status !== 200) {
    response.resume();
    const message = `the server answers ${status} to ${operation}`;
    if (status === 404) throw new PrecedentError('not_found', message);
    if (status === 403) throw new PrecedentError('unauthorized', message);
    throw new PrecedentError('unavailable', message, status === 503 ? { reason: 'busy' } : {});
  }
  return JSON.parse(await textOf(response));
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > MOST) throw new PrecedentError('unavailable', 'the answer of the server is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
