import { asPrecedentError, inWorkspace, PrecedentError } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { findOperation } from '../operations/index.ts';
import { allows, type Grant } from './access/grant.ts';
import type { Audit } from './audit.ts';
import type { Memories } from './memories.ts';
import type { Metrics } from './metrics.ts';

/** Which way a call came in. */
export type Face = 'api' | 'mcp';

/** Who calls, from where. */
export interface Caller {
  grant: Grant;
  face: Face;
  /** The program, as it names itself. */
  client: string;
}

/** What a call needs of the server. */
export interface Desk {
  memories: Memories;
  audit: Audit;
  metrics: Metrics;
  log: Log;
  now: () => number;
}

type Result = Record<string, unknown>;

/**
 * Runs an operation for a caller, on both faces in the same way: whether it may, when it is its turn, as whom, and what
 * is kept of it. Neither its input nor its result is kept.
 * @param workspace one that the grant covers
 * @param tell receives what the caller should know beside the result
 * @throws PrecedentError as the operation; `unauthorized` when the grant allows reading alone
 */
export async function perform(
  { memories, audit, metrics, log, now }: Desk,
  { grant, face, client }: Caller,
  workspace: string,
  name: string,
  input: unknown,
  tell: (note: string) => void,
): Promise<Result> {
  const begun = now();
  const end = (code: string) => {
    // A clock that is set back must not take from a sum that only grows.
    const ms = Math.max(0, now() - begun);
    metrics.count(face, findOperation(name)?.name ?? 'unknown', code, ms);
    audit({ at: begun, token: grant.name, face, workspace, operation: name, code, ms });
  };
  try {
    const access = findOperation(name)?.access ?? 'read';
    if (!allows(grant, access))
      throw new PrecedentError(
        'unauthorized',
        `Expected a token that may write, found one that may only read: ${name}`,
      );
    const result = await memories.call(grant, workspace, name, input, writerOf(grant, client), tell);
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
