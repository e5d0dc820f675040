import { isUtf8 } from 'node:buffer';
import { Transform } from 'node:stream';

/** One character in UTF-8, or else one byte that is a part of none, in bytes that are read as Latin-1. */
const CHARACTER =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are bytes, and every one counts
  /[\x00-\x7f]+|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|(.)/gs;
/**
 * Two halves of surrogate pairs, as JSON writes them; every operation refuses these, and names the field (K-7). Two, since
 * a backslash before them would undo the first.
 */
const MARK = '\\udfff\\udfff';

/**
 * Passes UTF-8 on as it comes, and marks other bytes: the transport would put U+FFFD in their place, and a text
 * would be kept that nobody wrote.
 */
export function markingWhatIsNotUtf8(): Transform {
  let begun: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const bytes = begun.length > 0 ? Buffer.concat([begun, chunk]) : chunk;
      const end = bytes.length - bytesBegun(bytes);
      begun = bytes.subarray(end);
      const whole = bytes.subarray(0, end);
      done(null, isUtf8(whole) ? whole : mark(whole));
    },
  });
}

function mark(bytes: Buffer): Buffer {
  const marked = bytes
    .toString('latin1')
    .replace(CHARACTER, (character, stray?: string) => (stray === undefined ? character : MARK));
  return Buffer.from(marked, 'latin1');
}

/** How many bytes at the end are the beginning of a character that the next chunk may end. */
function bytesBegun(bytes: Buffer): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count] as number;
    const isWithin = byte >= 0x80 && byte < 0xc0;
    if (isWithin) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > count ? count : 0;
  }
  return 0;
}
