import { PrecedentError } from '../../domain/error.ts';

/** What a name has nowhere: a file of a record may be called as somebody else called it. */
const FORBIDDEN = /[\\:*?"<>|\p{Cc}]|[. ]$/u;
/** Names that Windows keeps for devices, whatever follows the first point. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const LONGEST = 255;

/**
 * The last look at the path of an exported file before it is written (Z-4): inside its folder, and a name on every system.
 * @throws PrecedentError `invalid`
 */
export function requireSafe(path: string): void {
  const isName = (part: string) =>
    part !== '' && Buffer.byteLength(part) <= LONGEST && !FORBIDDEN.test(part) && !DEVICE.test(part);
  if (path.split('/').every(isName)) return;
  throw new PrecedentError(
    'invalid',
    `Expected names of files that every system has inside a folder, found ${JSON.stringify(path)}. Nothing was written.`,
  );
}
