import { type Input, MOMENT, type Operations, type Result } from './operations.ts';

/** Who the token speaks for, as `GET /api/v1/me` says. */
export interface Me {
  name: string;
  author: string;
  access: 'read' | 'write';
  workspaces: string[];
  /** The one that is meant without a name; left out where none is. */
  main?: string;
  /** ISO date. */
  expires: string;
  /** Whether the page may write for it. */
  pageWrites: boolean;
}

/** How long to wait before a server in trouble is asked again, in seconds, where it does not say so. */
const AGAIN = 3;

/** A call that did not succeed. `status` 0: the server did not answer; 401: it does not know the token. */
export class Refused extends Error {
  readonly status: number;
  /** Seconds until it is worth asking again. */
  readonly wait: number;
  constructor(status: number, message: string, wait = AGAIN) {
    super(message);
    this.status = status;
    this.wait = wait;
  }

  /** Whether it is the whole server that does not answer, and not one question that it cannot. */
  get isOfServer(): boolean {
    return [0, 429, 503].includes(this.status);
  }
}

/** What the server is asked, with a token. */
export interface Client {
  me(): Promise<Me>;
  /** @param at a time that {@link MOMENT} can name, for a memory as it stood then */
  call<Name extends keyof Operations>(
    workspace: string,
    name: Name,
    input: Input<Name>,
    at?: string | undefined,
  ): Promise<Result<Name>>;
}

/** @throws Refused from every call */
export function clientWith(token: string | undefined): Client {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    me: async () => (await answerOf('/api/v1/me', { headers })) as Me,
    call: async (workspace, name, input, at) => {
      const field = MOMENT[name];
      const body = JSON.stringify(at !== undefined && field ? { ...input, [field]: at } : input);
      const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
      return (await answerOf(`/api/v1/${encodeURIComponent(workspace)}/${name}`, init)) as never;
    },
  };
}

async function answerOf(path: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(path, init).catch(() => undefined);
  if (!response) throw new Refused(0, '');
  const answer = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer;
  const said = (answer as { error?: { message?: string } } | undefined)?.error?.message;
  // Behind a proxy, a server that is gone is an answer too.
  const isGone = said === undefined && response.status >= 500;
  const wait = Number(response.headers.get('retry-after')) || undefined;
  throw new Refused(isGone ? 0 : response.status, said ?? `${response.status}`, wait);
}
