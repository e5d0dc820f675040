import type { ServerResponse } from 'node:http';
import { asPrecedentError, inWorkspace, PrecedentError, unavailable } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { answerBytes } from '../memory/answer.ts';
import { findOperation } from '../operations/index.ts';
import { allows, type Grant } from './access/grant.ts';
import type { Audit } from './audit.ts';
import type { Memories } from './memories.ts';
import type { Metrics } from './metrics.ts';
import { isGone, type Unread } from './unread.ts';

/** The protocol of a call. */
export type Face = 'api' | 'mcp';

/** The caller of an operation. */
export interface Caller {
  grant: Grant;
  face: Face;
  /** The program, as it names itself. */
  client: string;
  /** The response that will carry the result. */
  response: ServerResponse;
}

/** The parts of the server that a call needs. */
export interface ServerContext {
  memories: Memories;
  audit: Audit;
  metrics: Metrics;
  unread: Unread;
  log: Log;
  now: () => number;
}

type Result = Record<string, unknown>;

/**
 * Runs an operation for a caller, in the same way for both protocols: permission, queue, author, size of the answer, audit
 * and metrics. Neither input nor result is logged. If the client has hung up before its turn, the call is not begun (Z-5);
 * once begun, it is carried out.
 * @param workspace one that the grant covers
 * @param tell receives notes for the caller that are not part of the result
 * @throws PrecedentError as the operation; `unauthorized` when the grant allows reading alone; `invalid` when a read's
 *   answer is too long; `unavailable` when too many answers wait to be read
 */
export async function perform(
  { memories, audit, metrics, unread, log, now }: ServerContext,
  { grant, face, client, response }: Caller,
  workspace: string,
  name: string,
  input: unknown,
  tell: (note: string) => void,
): Promise<Result> {
  const begun = now();
  const operation = findOperation(name);
  const end = (code: string) => {
    // A counter must not decrease if the clock is set back.
    const ms = Math.max(0, now() - begun);
    metrics.count(face, operation?.name ?? 'unknown', code, ms);
    audit({ at: begun, token: grant.name, face, workspace, operation: name, code, ms });
  };
  try {
    const access = operation?.access ?? 'read';
    if (!allows(grant, access))
      throw new PrecedentError(
        'unauthorized',
        `Expected a token that may write, found one that may only read: ${name}`,
      );
    const begin = () => {
      if (isGone(response)) throw unavailable('The client hung up before the call had begun.');
      unread.check(grant.name);
    };
    const writer = writerOf(grant, client);
    const result = await memories.call(grant, workspace, begin, name, input, writer, tell);
    const bytes = operation ? answerBytes(operation, result) : 0;
    // A write is always answered: such answers are short.
    if (access === 'read') unread.check(grant.name, bytes);
    unread.add(grant.name, bytes, response);
    end('ok');
    return result;
  } catch (cause) {
    const error = inWorkspace(asPrecedentError(cause, log), workspace);
    end(error.code);
    throw error;
  }
}

/** The author of the records of a call (K-4). Calls of one token by one program are one conversation (M-12). */
function writerOf({ name, author }: Grant, client: string) {
  const session = `http:${name}:${client}`;
  // Which branch the folder of the server is on says nothing of its clients.
  return { author, host: '', client, session, conversation: session, branch: undefined };
}
