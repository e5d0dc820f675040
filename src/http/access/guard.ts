import type { IncomingMessage } from 'node:http';

/** The addresses under which a server answers. */
export interface Addresses {
  /** The valid values of `Host`, each with its port unless it is the default of the scheme. */
  hosts: ReadonlySet<string>;
  /** The valid values of `Origin`: pages of this server. */
  origins: ReadonlySet<string>;
}

/** Why a request is rejected before its token is checked. */
export interface Turned {
  status: 400 | 403;
  message: string;
}

/**
 * Rejects requests that are not meant for this server (H-3): a page of another site in the user's browser, or a name that an
 * attacker points at this machine, must not reach a memory. The body is not read.
 * @param raw the request from the socket; undefined without a socket
 * @returns undefined if the request may continue
 */
export function rejectHost(
  headers: Headers,
  raw: IncomingMessage | undefined,
  { hosts, origins }: Addresses,
): Turned | undefined {
  // "GET http://other/" would name another host than the header.
  if (raw && !raw.url?.startsWith('/')) return bad('Expected a path that begins with "/".');
  if (raw && (raw.headersDistinct.host?.length ?? 0) !== 1) return bad('Expected one Host header.');
  if (raw && (raw.headersDistinct.authorization?.length ?? 0) > 1)
    return bad('Expected one Authorization header.');
  const host = headers.get('host');
  if (host === null || !hosts.has(host.toLowerCase()))
    return forbidden(
      'Expected the name of this server in the Host header, found another one. Its operator can add a name with --public-url.',
    );
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
