/** The namespace of all ids that are made of a name: ours, so that no other program makes the same. */
const NAMESPACE = 'e4d7a0c2-6f0b-5c1e-9a53-1d0c7be0f0a9';

const NAMESPACE_BYTES = Buffer.from(NAMESPACE.replaceAll('-', ''), 'hex');

/** The UUID version 5 of a name: the same on every machine (RFC 9562). Loaded on use, as in digest.ts. */
export function uuid5(name: string): string {
  const bytes = process
    .getBuiltinModule('node:crypto')
    .hash('sha1', Buffer.concat([NAMESPACE_BYTES, Buffer.from(name)]), 'buffer')
    .subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const digits = bytes.toString('hex');
  return [0, 8, 12, 16, 20].map((start, at) => digits.slice(start, [8, 12, 16, 20, 32][at])).join('-');
}
