import { setTimeout as sleep } from 'node:timers/promises';
import { EmbedderFault } from './embedder.ts';

/** Milliseconds before the second try when the endpoint asks for no other pause. */
const PAUSE = 100;
/** Error codes of a broken connection: the endpoint closed a kept one meanwhile, or was restarted. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

interface Answer {
  status: number;
  body: string;
}

/**
 * Sends a request; tries a second time after a passing failure, within the same timeout.
 * @throws EmbedderFault
 */
export async function exchange(
  endpoint: URL,
  init: RequestInit,
  timeout: number,
  caller?: AbortSignal,
): Promise<Answer> {
  const until = performance.now() + timeout;
  const deadline = AbortSignal.timeout(timeout);
  const signal = caller ? AbortSignal.any([deadline, caller]) : deadline;
  try {
    return await tryTwice(endpoint, init, signal, until);
  } catch (error) {
    const name = endpointName(endpoint);
    // No cause is attached: an error of fetch may quote headers.
    if (caller?.aborted) throw new EmbedderFault(`${name} was not waited for: the caller stopped`);
    if (deadline.aborted) throw new EmbedderFault(`${name} did not answer within ${timeout} ms`);
    const code = codeOf(error);
    const what = BROKEN.has(code) ? 'broke the connection, twice' : 'cannot be reached';
    throw new EmbedderFault(`${name} ${what}${code && ` (${code})`}`);
  }
}

/** The endpoint as messages name it: without a path or a query, which may hold a key. */
export function endpointName(endpoint: URL): string {
  return `The embedding endpoint ${endpoint.host}`;
}

/** @param until the end of the timeout: a pause that would last longer is not begun */
async function tryTwice(
  endpoint: URL,
  init: RequestInit,
  signal: AbortSignal,
  until: number,
): Promise<Answer> {
  for (let last = false; ; last = true) {
    let pause = PAUSE;
    try {
      // A redirect would send the texts to an address that the user did not give.
      const response = await fetch(endpoint, { ...init, signal, redirect: 'manual' });
      const answer = { status: response.status, body: await response.text() };
      pause = pauseOf(response.headers.get('retry-after'));
      const passing = answer.status === 429 || answer.status >= 500;
      if (last || !passing || performance.now() + pause >= until) return answer;
    } catch (error) {
      if (last || signal.aborted || !BROKEN.has(codeOf(error))) throw error;
    }
    await sleep(pause, undefined, { signal });
  }
}

/** The pause that `Retry-After` asks for, in milliseconds; the header holds seconds or a date. */
function pauseOf(header: string | null): number {
  if (!header) return PAUSE;
  const seconds = Number(header);
  const pause = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isNaN(pause) ? PAUSE : Math.max(0, pause);
}

/** The system's error code that fetch gives as the cause, such as ECONNREFUSED; empty when there is none. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}
