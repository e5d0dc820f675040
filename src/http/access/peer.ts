import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { invalid } from '../../domain/error.ts';

/** The name of the loopback addresses in a list of proxies. */
const LOOPBACK = 'loopback';
/** The peer of a request over a socket of this machine. */
const LOCAL = 'local';

/** Whether an address is a trusted proxy, whose X-Forwarded-For is used. */
export type IsProxy = (address: string) => boolean;

/**
 * The proxies that are trusted: addresses, networks such as `10.0.0.0/8`, and `loopback`, separated by commas.
 * @throws PrecedentError `invalid`
 */
export function proxiesIn(list: string): IsProxy {
  const known = new BlockList();
  let hasLoopback = false;
  for (const each of list.split(',').map((part) => part.trim())) {
    const [address = '', bits, ...more] = each.split('/');
    const length = bits === undefined ? undefined : Number(bits);
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    const most = family === 'ipv6' ? 128 : 32;
    const isLength = length === undefined || (/^\d+$/.test(bits ?? '') && length > 0 && length <= most);
    if (each === LOOPBACK) hasLoopback = true;
    else if (isIP(address) === 0 || !isLength || more.length > 0)
      throw invalid.wrong_address(
        `Expected --trust-proxy to name addresses, networks or "${LOOPBACK}", separated by commas; found "${each}".`,
      );
    else if (length === undefined) known.addAddress(address, family);
    else known.addSubnet(address, length, family);
  }
  if (hasLoopback) {
    known.addSubnet('127.0.0.0', 8);
    known.addAddress('::1', 'ipv6');
  }
  return (address) =>
    address === LOCAL ? hasLoopback : known.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/**
 * The address of the client of a request. The header is read from the end, as long as each address is a trusted proxy:
 * entries before that may have been written by the client itself.
 * @param address of the connection; undefined for a socket of this machine
 * @param forwarded the header `X-Forwarded-For`
 * @param isProxy without it the header is ignored
 */
export function peerOf(address: string | undefined, forwarded: string | null, isProxy?: IsProxy): string {
  let peer = plain(address ?? LOCAL);
  if (!isProxy || forwarded === null) return peer;
  for (const said of forwarded.split(',').reverse()) {
    const next = plain(said.trim());
    if (!isProxy(peer) || isIP(next) === 0) return peer;
    peer = next;
  }
  return peer;
}

/** Whether an address from {@link peerOf} is this machine. */
export function isOfThisMachine(address: string): boolean {
  return address === LOCAL || address === '::1' || address.startsWith('127.');
}

/** An address without port, brackets and zone; a mapped IPv4 address as IPv4. */
function plain(address: string): string {
  const [, bracketed] = address.match(/^\[([^\]]*)\](?::\d+)?$/) ?? [];
  const [, withPort] = address.match(/^(\d+\.\d+\.\d+\.\d+):\d+$/) ?? [];
  const bare = (bracketed ?? withPort ?? address).replace(/%.*$/, '');
  const [, mapped = ''] = bare.match(/^::ffff:(.+)$/i) ?? [];
  return isIPv4(mapped) ? mapped : bare;
}
