import type { ServerResponse } from 'node:http';
import { asPrecedentError, inWorkspace, unauthorized, unavailable } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { PAGE, tokenNamed } from '../domain/via.ts';
import { answerBytes } from '../memory/answer.ts';
import type { ServedMemory } from '../memory/connection.ts';
import type { Operation } from '../operations/operation.ts';
import { type Access, allows, type Grant } from './access/grant.ts';
import type { Audit } from './audit.ts';
import type { Memories } from './memories.ts';
import type { Metrics } from './metrics.ts';
import type { Outage } from './outage.ts';
import { isGone, type Unread } from './unread.ts';

/** The protocol of a call. */
export type Face = 'api' | 'mcp';

/** The caller of an operation. */
export interface Caller {
  grant: Grant;
  face: Face;
  /** The program, as it names itself. */
  client: string;
  /** Whether it says that it is the page of this server. */
  isPage?: boolean;
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
  outage: Outage;
}

type Result = Record<string, unknown>;

/**
 * Runs an operation for a caller, in the same way for both protocols.
 * @param workspace one that the grant covers
 * @param tell receives notes for the caller that are not part of the result
 * @throws PrecedentError as the operation, and as {@link attend}
 */
export function perform(
  context: ServerContext,
  caller: Caller,
  workspace: string,
  operation: Operation,
  input: unknown,
  tell: (note: string) => void,
): Promise<Result> {
  const { name, access } = operation;
  const writer = writerOf(caller);
  return attend(context, caller, workspace, {
    ...{ name, access },
    work: (memory) => memory.call(name, input, writer, tell),
    bytesOf: (result) => answerBytes(operation, result),
  });
}

/** A call, as a caller asks for it. */
interface Asked<Answer> {
  /** For the audit and the metrics: one of few. */
  name: string;
  access: Access;
  work: (memory: ServedMemory) => Promise<Answer>;
  /** How long the answer is. */
  bytesOf: (answer: Answer) => number;
}

/**
 * Lets a caller do something with a memory: permission, queue, size of the answer, audit and metrics. Neither what is asked nor
 * the answer is logged. If the client has hung up before its turn, it is not begun (Z-5); once begun, it is carried out.
 * @throws PrecedentError as a client may see it: `unauthorized` when the grant does not allow it; `invalid` when a read's answer is too long;
 *   `unavailable` when too many answers wait to be read
 */
export async function attend<Answer>(
  { memories, audit, metrics, unread, log, now, outage }: ServerContext,
  { grant, face, response }: Omit<Caller, 'client'>,
  workspace: string,
  { name, access, work, bytesOf }: Asked<Answer>,
): Promise<Answer> {
  const begun = now();
  const end = (code: string, reason?: string) => {
    // A counter must not decrease if the clock is set back.
    const ms = Math.max(0, now() - begun);
    metrics.count(face, workspace, name, code, ms, reason);
    audit({ at: begun, token: grant.name, face, workspace, operation: name, code, ms });
  };
  try {
    if (!allows(grant, access))
      throw unauthorized.not_allowed(
        `Expected a token that may ${access}, found one that may only ${grant.access}: ${name}`,
      );
    const begin = () => {
      if (isGone(response)) throw unavailable.client_gone('The client hung up before the call had begun.');
      unread.check(grant.name);
    };
    const answer = await memories.use(grant, workspace, access, begin, work);
    const bytes = bytesOf(answer);
    // A write is always answered: such answers are short.
    if (access !== 'write') unread.check(grant.name, bytes);
    unread.add(grant.name, bytes, response);
    end('ok');
    outage.worked(workspace, access);
    return answer;
  } catch (cause) {
    const error = inWorkspace(asPrecedentError(cause, log), workspace);
    end(error.code, error.reason);
    throw outage.failed(error, access);
  }
}

/**
 * The author of the records of a call (K-4), and its token (Z-14): a person's only where the token was made for one, who uses
 * the page or the API, since MCP is for agents. Calls of one token by one program are one conversation (M-12).
 */
function writerOf({ grant, face, client: named, isPage = false }: Caller) {
  const { name, author } = grant;
  const isPerson = grant.person && face === 'api';
  const client = isPerson && isPage ? PAGE : tokenNamed(name, isPage ? PAGE : named, isPerson);
  const session = `http:${name}:${isPage ? PAGE : named}`;
  // Which branch the folder of the server is on says nothing of its clients.
  return { author, host: '', client, session, conversation: session, branch: undefined };
}
