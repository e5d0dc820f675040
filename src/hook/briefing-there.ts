import type { IncomingMessage, RequestOptions } from 'node:http';
import { failureOf, noServerOfOurs, type Remote, refusal } from '../agents/remote.ts';
import { type ErrorCode, notFound, PrecedentError, unauthorized, unavailable } from '../domain/error.ts';
import { MOST_PLACES } from '../domain/place.ts';
import { asLiteral } from '../domain/place-written.ts';
import { jsonIn } from '../domain/text/json.ts';
import { label } from '../domain/text/label.ts';
import type { AboutPrompt, Briefing, Start } from '../memory/briefing.ts';
import type { Fact } from '../operations/briefing/line.ts';
import type { NamingText } from '../operations/briefing/opposing.ts';

/** A start and a prompt as they come over the wire, where nothing is undefined. */
type StartThere = Omit<Start, 'checkpoint'> & { checkpoint: Fact | null };
type PromptThere = Omit<AboutPrompt, 'trigger'> & { trigger: AboutPrompt['trigger'] | null };

/** Reasons for which words are not recorded and that are no failure. */
const SILENT: readonly ErrorCode[] = ['not_found', 'unauthorized'];

/**
 * A memory on a server, as far as an agent is shown it without asking (A-2, H-1). Of a prompt the server gets its words, the
 * paths and topics that it names, how it speaks, and the words that may be recorded; its text stays here. Of a tool that failed
 * it gets the lines that say what went wrong.
 * @param session of the agent: the conversation of the words that are recorded
 */
export function briefingThere(server: Server, session: string): Briefing {
  const ask = <Result>(operation: string, input: object) => callServer<Result>(server, operation, input);
  const get = <Result = { facts: Fact[] }>(at: string, input: object) =>
    ask<Result>('briefing_get', { at, ...input });
  /** Only the names of a text are sent; its hints are looked for here. */
  const namedIn = async ({ keys, text, known, paths }: NamingText, isSaid = false) => {
    const { newlyHinted, sharingHints } = await import('../domain/prompt/hints.ts');
    const { hints } = await ask<{ hints: { id: string; hints: string }[] }>('briefing_list', {
      kind: 'hints',
    });
    const ids = newlyHinted(text, known, hints);
    const sharing = isSaid ? sharingHints(text, hints) : [];
    if (keys.length + ids.length + sharing.length === 0) return [];
    return (await get('names', { keys, ids, sharing, ...(paths && { files: written(paths) }) })).facts;
  };
  return {
    async atStart({ paths, ids, wide }) {
      const lately = { files: written(paths), ids, wide };
      const { start } = await get<{ start: StartThere }>('start', lately);
      return { ...start, checkpoint: start.checkpoint ?? undefined };
    },
    async about({ said, words, names, manner, trigger: asksFor }, shown) {
      const asked = { words, names, manner, shown: [...shown], ...(asksFor && { trigger: asksFor }) };
      const { keysOf } = await import('../domain/names/keys.ts');
      const { namesAmong } = await import('../domain/names/name.ts');
      const [named, { facts, trigger }] = await Promise.all([
        namedIn({ keys: namesAmong(keysOf(said)), text: said, known: '' }, true),
        get<PromptThere>('prompt', asked),
      ]);
      const isNamed = new Set(named.map(({ id }) => id));
      return { named, facts: facts.filter(({ id }) => !isNamed.has(id)), trigger: trigger ?? undefined };
    },
    named: (writing) => namedIn(writing),
    async atFiles({ paths, isRead, marked }) {
      const asked = { files: written(paths), read: isRead, ...(marked.length > 0 && { marked }) };
      return (await get('files', asked)).facts;
    },
    async atError(lines) {
      return (await get('error', { lines })).facts;
    },
    async patterns() {
      return (await ask<{ patterns: string[] }>('briefing_list', { kind: 'patterns' })).patterns;
    },
    async record(words, isRepeated) {
      const repeated = words.filter(isRepeated);
      try {
        await ask('briefing_record', { words, repeated, session_id: label(session) });
      } catch (error) {
        // Nothing was saved there yet, and a hook begins no memory; or the token may only read.
        const isNothing = error instanceof PrecedentError && SILENT.includes(error.code);
        if (!isNothing) throw error;
      }
    },
    close: async () => {},
  };
}

const written = (paths: string[]) => paths.slice(0, MOST_PLACES).map(asLiteral).join('\n');

/** The server that a hook asks, as setup entered it (H-1). */
export interface Server extends Remote {
  /** Undefined for a server that asks for none. It is written nowhere. */
  token: string | undefined;
  /** The agent, by which the server names what it records. */
  client: string;
}

/** The most that is read of an answer, in bytes: what a context has room for is a hundredth of it. */
const MOST = 1_000_000;

/**
 * Runs an operation on a server. It waits for as long as the hook does; a redirection does not count as an answer, since only
 * this server is meant to see the token.
 * @throws PrecedentError `unavailable`, as `busy` where it asks to come again; `not_found` where it has no such memory;
 *   `unauthorized` where it does not take the token, or the token may not do that
 */
async function callServer<Result>(server: Server, operation: string, input: object): Promise<Result> {
  const { url, token, workspace, client } = server;
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
  // Loaded where a server is asked: most hooks ask none. `fetch` would take 90 ms of the processor more.
  const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${url}/api/v1${place}/${operation}`, options, resolve).on('error', reject).end(body);
  }).catch((error) => {
    throw unavailable.unreachable(failureOf(url, error));
  });
  const { statusCode: status = 0 } = response;
  if (status !== 200) {
    response.resume();
    const message = refusal(server, status, token !== undefined);
    if (status === 404) throw notFound.no_memory(message);
    if (status === 401 || status === 403) throw unauthorized.not_allowed(message);
    throw unavailable[status === 503 ? 'busy' : 'server_failed'](message);
  }
  return resultIn(await textOf(response), url);
}

/** The result in an answer: each names the memory that it is from. */
function resultIn<Result>(text: string, url: string): Result {
  const result = jsonIn(text) as (Result & { workspace?: unknown }) | null | undefined;
  if (typeof result?.workspace === 'string') return result;
  throw unavailable.other_server(noServerOfOurs(url));
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > MOST) throw unavailable.broken_answer('the answer of the server is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
