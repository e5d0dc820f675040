import type { Input, Operations, Result } from './operations.ts';

/** The owner and rights of the token, from `GET /api/v1/me`. */
export interface Me {
  name: string;
  author: string;
  access: 'read' | 'write';
  workspaces: string[];
  /** The default workspace, if there is one. */
  main?: string;
  /** ISO date. */
  expires: string;
  /** Whether the page may write for it. */
  pageWrites: boolean;
}

/** Seconds until a failing server is asked again, unless it sends Retry-After. */
const RETRY_SECONDS = 3;

/** A failed call. `status` 0: the server did not answer; 401: it does not know the token. */
export class Refused extends Error {
  readonly status: number;
  /** Seconds until the call may be repeated. */
  readonly wait: number;
  constructor(status: number, message: string, wait = RETRY_SECONDS) {
    super(message);
    this.status = status;
    this.wait = wait;
  }

  /** Whether the whole server is affected, not only this call. */
  get isOfServer(): boolean {
    return [0, 429, 503].includes(this.status);
  }
}

/** Calls the server with a token. */
export interface Client {
  me(): Promise<Me>;
  call<Name extends keyof Operations>(
    workspace: string,
    name: Name,
    input: Input<Name>,
  ): Promise<Result<Name>>;
}

/** @throws Refused from every call */
export function clientWith(token: string | undefined): Client {
  const headers = {
    // What is saved here is shown as saved by the page (V-1).
    'precedent-page': '1',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return {
    me: async () => (await answerOf('/api/v1/me', { headers })) as Me,
    call: async (workspace, name, input) => {
      const body = JSON.stringify(input);
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
  const message = (answer as { error?: { message?: string } } | undefined)?.error?.message;
  // If the server behind a proxy is gone, the proxy answers.
  const isGone = message === undefined && response.status >= 500;
  const wait = Number(response.headers.get('retry-after')) || undefined;
  throw new Refused(isGone ? 0 : response.status, message ?? `${response.status}`, wait);
}
