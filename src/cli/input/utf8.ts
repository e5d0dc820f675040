import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { invalid, type PrecedentError } from '../../domain/error.ts';

const LINE_FEED = 0x0a;
/** What Node puts instead of bytes that are not UTF-8; a text may also hold it by itself. */
const REPLACEMENT = '\ufffd';

/**
 * The text of bytes in UTF-8. Node's own conversion puts U+FFFD instead of what it cannot read, and the text is lost
 * (K-7).
 * @param where in which line the bytes are, for the message, when they begin in its first
 * @throws PrecedentError `invalid`, naming the first line that is not UTF-8
 */
export function decode(bytes: Buffer, where: (line: number) => string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw notUtf8(where(firstBadLine(bytes)));
}

/** A line feed is a part of no longer character, so that every line can be looked at by itself. */
function firstBadLine(bytes: Buffer): number {
  for (let line = 1, from = 0; ; line++) {
    const end = bytes.indexOf(LINE_FEED, from);
    if (end === -1 || !isUtf8(bytes.subarray(from, end))) return line;
    from = end + 1;
  }
}

/**
 * Refuses arguments that are not UTF-8. Node decodes them before anybody can look; Linux alone still shows the bytes, so
 * that elsewhere they count as the U+FFFD that Node made of them.
 * @throws PrecedentError `invalid`
 */
export function requireUtf8(argv: readonly string[]): void {
  const given = argv.slice(2);
  if (!given.some((argument) => argument.includes(REPLACEMENT))) return;
  const bad = bytesOf(given).findIndex((argument) => !isUtf8(argument));
  if (bad !== -1) throw notUtf8(`argument ${bad + 1}`);
}

function bytesOf(given: readonly string[]): Buffer[] {
  try {
    // Each argument ends with a NUL. In Latin-1 every byte is a character, so that they can be split as a text.
    const all = readFileSync('/proc/self/cmdline', 'latin1').split('\0').slice(0, -1);
    return all.slice(-given.length).map((argument) => Buffer.from(argument, 'latin1'));
  } catch {
    return [];
  }
}

function notUtf8(where: string): PrecedentError {
  return invalid.not_utf8(
    `Expected text in UTF-8, found bytes in ${where} that are not. Convert it first, for example with "iconv -f EUC-KR -t UTF-8".`,
  );
}
