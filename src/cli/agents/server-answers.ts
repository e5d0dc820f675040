import { bearer, endpointOf, type Remote, TOKEN } from '../../agents/remote.ts';

/** How long doctor waits for a server, in milliseconds. */
const PATIENCE = 2_000;

/** Whether a server answers an agent, and what is to be done where it does not. */
export interface ServerAnswer {
  answers: boolean;
  note?: string;
}

/**
 * Tries what an agent would meet at a server: whether it is there, whether it takes the token, and whether that token may see
 * the memory.
 * @param token undefined where there is none to be shown: then only whether it is there
 */
export async function tryServer(remote: Remote, token: string | undefined): Promise<ServerAnswer> {
  const { url, workspace } = remote;
  try {
    if (token === undefined) {
      const { ok, status } = await fetch(`${url}/readyz`, limits());
      return ok ? { answers: true } : { answers: false, note: `${url} answers ${status}` };
    }
    const place = workspace === undefined ? '' : `/${encodeURIComponent(workspace)}`;
    const response = await fetch(`${url}/api/v1${place}/changed_since`, {
      ...limits(),
      method: 'POST',
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: '{}',
    });
    await response.body?.cancel();
    if (response.ok) return { answers: true };
    return { answers: false, note: refused(remote, response.status) };
  } catch (error) {
    return { answers: false, note: `no server answers at ${url} (${reasonOf(error)})` };
  }
}

/** A token is shown to nobody but the server that it was meant for. */
const limits = () => ({ redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) }) as const;

function refused(remote: Remote, status: number): string {
  if (status === 401) return `${remote.url} does not take the token in ${TOKEN}`;
  if (status === 404) return `the token in ${TOKEN} does not lead to the memory at ${endpointOf(remote)}`;
  return `${remote.url} answers ${status}`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  if (error.name === 'TimeoutError') return `nothing within ${PATIENCE / 1000} s`;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
}
