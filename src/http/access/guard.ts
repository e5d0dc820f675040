import type { IncomingMessage } from 'node:http';

/** Which addresses a server answers under. */
export interface Addresses {
  /** The values of `Host` that mean this server, each with its port where that is not the scheme's own. */
  hosts: ReadonlySet<string>;
  /** The values of `Origin` of pages that this server gave out. */
  origins: ReadonlySet<string>;
}

/** A request that is turned away before its token is looked at, and with which status. */
export interface Turned {
  status: 400 | 403;
  message: string;
}

/**
 * Whether a request was meant for this server, by whoever sent it (H-3): a page of another site in the user's browser,
 * or a name that an attacker points at this machine, must not reach a memory. Nothing of the body is read.
 * @param raw the request as the socket gave it; undefined where there is no socket
 * @returns undefined when it may go on
 */
export function turnedAway(
  headers: Headers,
  raw: IncomingMessage | undefined,
  { hosts, origins }: Addresses,
): Turned | undefined {
  // "GET http://other/" would name a host beside the header.
  if (raw && !raw.url?.startsWith('/')) return bad('Expected a path that begins with "/".');
  if (raw && (raw.headersDistinct.host?.length ?? 0) !== 1) return bad('Expected one Host header.');
  if (raw && (raw.headersDistinct.authorization?.length ?? 0) > 1)
    return bad('Expected one Authorization header.');
  const host = headers.get('host');
  if (host === null || !hosts.has(host.toLowerCase())) return forbidden('This server has another name.');
  const origin = headers.get('origin');
  if (origin !== null && !(origins.has(origin) && origin.endsWith(`//${host.toLowerCase()}`)))
    return forbidden('Requests of other sites are not answered.');
  return isFromElsewhere(headers) ? forbidden('Requests of other sites are not answered.') : undefined;
}

/** Browsers say where a request comes from, where a page of another site may not. A navigation may come from anywhere. */
function isFromElsewhere(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  if (site === null || site === 'same-origin' || site === 'none') return false;
  return headers.get('sec-fetch-mode') !== 'navigate' || headers.get('sec-fetch-dest') !== 'document';
}

const bad = (message: string): Turned => ({ status: 400, message });
const forbidden = (message: string): Turned => ({ status: 403, message });
