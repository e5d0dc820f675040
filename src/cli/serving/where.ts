import { isIPv4, isIPv6 } from 'node:net';
import { invalid } from '../../domain/error.ts';
import type { Addresses } from '../../http/access/guard.ts';
import type { Where } from '../../http/listen.ts';

/** The port of a server that names none. */
export const PORT = 7723;

export type WhereOptions = Partial<Record<'host' | 'port' | 'socket' | 'publicUrl', string | undefined>>;

/** Where a server listens, and under which addresses it is asked for. */
export interface ServingAt {
  where: Where;
  /** Whether this machine alone can reach it. */
  isLocal: boolean;
  /** Its address for others, without a slash at the end; undefined when it has none. */
  publicUrl: string | undefined;
}

/** @throws PrecedentError `invalid` for a port, a host or an address that cannot be one */
export function whereOf({ host = '127.0.0.1', port, socket, publicUrl }: WhereOptions): ServingAt {
  const url = publicUrl === undefined ? undefined : addressOf(publicUrl, '--public-url');
  if (socket !== undefined) return { where: { path: socket }, isLocal: true, publicUrl: url };
  const number = port === undefined ? PORT : Number(port);
  if (!Number.isInteger(number) || number < 0 || number > 65_535)
    throw invalid.out_of_range(`Expected --port to be a number from 0 to 65535, found "${port}".`);
  return { where: { host, port: number }, isLocal: isLoopback(host), publicUrl: url };
}

/**
 * The names under which a server is asked for: those of this machine, and its address for others.
 * @param where it listens; a name of this machine alone is one of its own
 */
export function addressesOf(
  port: number | undefined,
  publicUrl: string | undefined,
  where?: Where,
): Addresses {
  const suffix = port === undefined || port === 80 ? '' : `:${port}`;
  const own = where && 'host' in where && isIPv4(where.host) && isLoopback(where.host) ? [where.host] : [];
  const local = ['127.0.0.1', 'localhost', '[::1]', ...own].map((name) => name + suffix);
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  return {
    hosts: new Set([...local, ...(url ? [url.host] : [])]),
    origins: new Set([...local.map((host) => `http://${host}`), ...(url ? [url.origin] : [])]),
  };
}

/** Whether this machine alone can reach a host. */
export function isLoopback(host: string): boolean {
  if (isIPv4(host)) return host.startsWith('127.');
  return isIPv6(host) ? host === '::1' : host === 'localhost';
}

/** Whether others on the network can read what goes to a server. */
export function isReadOnTheWay(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/** The address of a server, without a slash at its end. @param option that names it @throws PrecedentError `invalid` */
export function addressOf(text: string, option: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash;
  if (url && isPlain && !url.username && !url.password) return url.origin;
  throw invalid.wrong_address(
    `Expected ${option} to be an address such as https://memory.example, found "${text}".`,
  );
}
