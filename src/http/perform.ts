import type { ServerResponse } from 'node:http';
import { asPrecedentError, inWorkspace, PrecedentError } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { answerBytes } from '../memory/answer.ts';
import { findOperation } from '../operations/index.ts';
import { allows, type Grant } from './access/grant.ts';
import type { Audit } from './audit.ts';
import type { Memories } from './memories.ts';
import type { Metrics } from './metrics.ts';
import { isGone, type Unread } from './unread.ts';

/** Which way a call came in. */
export type Face = 'api' | 'mcp';

/** Who calls, from where. */
export interface Caller {
  grant: Grant;
  face: Face;
  /** The program, as it names itself. */
  client: string;
  /** What its answer is sent with. */
  response: ServerResponse;
}

/** What a call needs of the server. */
export interface Desk {
  memories: Memories;
  audit: Audit;
  metrics: Metrics;
  unread: Unread;
  log: Log;
  now: () => number;
}

type Result = Record<string, unknown>;

/**
 * Runs an operation for a caller, on both faces in the same way: whether it may, when it is its turn, as whom, how long its
 * answer may be, and what is kept of it. Neither its input nor its result is kept. It does not begin for a client that has
 * hung up before its turn (Z-5); once begun, it is carried out.
 * @param workspace one that the grant covers
 * @param tell receives what the caller should know beside the result
 * @throws PrecedentError as the operation; `unauthorized` when the grant allows reading alone; `invalid` when a read's
 *   answer is too long; `unavailable` when too many answers wait to be read
 */
export async function perform(
  { memories, audit, metrics, unread, log, now }: Desk,
  { grant, face, client, response }: Caller,
  workspace: string,
  name: string,
  input: unknown,
  tell: (note: string) => void,
): Promise<Result> {
  const begun = now();
  const operation = findOperation(name);
  const end = (code: string) => {
    // A clock that is set back must not take from a sum that only grows.
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
      if (isGone(response))
        throw new PrecedentError('unavailable', 'The client hung up before the call had begun.');
      unread.check(grant.name);
    };
    const writer = writerOf(grant, client);
    const result = await memories.call(grant, workspace, begin, name, input, writer, tell);
    const bytes = operation ? answerBytes(operation, result) : 0;
    // What was written is answered: such answers are short.
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

/** A caller as its records name it (K-4). Calls of one token by one program are one conversation (M-12). */
function writerOf({ name, author }: Grant, client: string) {
  const session = `http:${name}:${client}`;
  return { author, host: '', client, session, conversation: session };
}
