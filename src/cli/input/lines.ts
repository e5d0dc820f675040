import { invalid, type PrecedentError } from '../../domain/error.ts';
import { LONGEST } from '../../mcp/lines.ts';
import { decode } from './utf8.ts';

const LINE_FEED = 0x0a;
const BLANK = 0x20;

/**
 * The lines of a UTF-8 stream, parted by line feeds alone. Node's readline also parts them at U+2028 and U+2029, which
 * stand as they are in the strings of JSON. A carriage return before the line feed belongs to neither line.
 * @param longest bytes that a line may have: no more than that are held, and a chunk (Z-6)
 * @throws PrecedentError `invalid` at the first line that is longer, or not UTF-8
 */
export async function* linesOf(input: AsyncIterable<Buffer>, longest = LONGEST): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  let bytes = 0;
  let number = 0;
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      number++;
      // A file may hold nothing but line feeds.
      if (end === from && bytes === 0) yield '';
      else yield ended([...begun, chunk.subarray(from, end)], number);
      begun = [];
      bytes = 0;
      from = end + 1;
    }
    begun.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > longest) throw tooLong(number + 1, longest);
  }
  const last = ended(begun, ++number);
  if (last !== '') yield last;
}

/** How many lines of a stream hold more than blanks, for who shows how much is done. */
export async function countFilled(input: AsyncIterable<Buffer>): Promise<number> {
  let count = 0;
  let isFilled = false;
  for await (const chunk of input)
    for (let at = 0; at < chunk.length; at++) {
      // The rest of a line that counts already is passed over at once.
      if (isFilled) at = chunk.indexOf(LINE_FEED, at);
      if (at === -1) break;
      const byte = chunk[at] as number;
      if (byte === LINE_FEED) isFilled = false;
      else if (byte > BLANK) {
        isFilled = true;
        count++;
      }
    }
  return count;
}

function ended(pieces: Buffer[], number: number): string {
  const line = decode(Buffer.concat(pieces), () => `line ${number}`);
  // A byte order mark says how the text is encoded, and is no part of it.
  const text = number === 1 && line.startsWith('\ufeff') ? line.slice(1) : line;
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

function tooLong(number: number, longest: number): PrecedentError {
  return invalid.too_long(
    `Expected lines of at most ${Math.floor(longest / 2 ** 20)} MB, found that line ${number} is longer. Nothing was saved.`,
  );
}
