import { invalid, type PrecedentError } from '../../domain/error.ts';
import { linesOf as bytesOfLines, LONGEST, TOO_LONG, utf16In } from '../../domain/text/lines.ts';
import { decode } from './utf8.ts';

const BLANK = 0x20;

/**
 * The lines of a stream in UTF-8, or in UTF-16 with a mark, parted by line feeds alone. Node's readline also parts them at U+2028 and U+2029, which
 * stand as they are in the strings of JSON. A carriage return before the line feed belongs to neither line.
 * @param longest bytes that a line may have: no more than that are held, and a chunk (Z-6)
 * @throws PrecedentError `invalid` at the first line that is longer, or not UTF-8
 */
export async function* linesOf(input: AsyncIterable<Buffer>, longest = LONGEST): AsyncGenerator<string> {
  let number = 0;
  for await (const lines of bytesOfLines(asUtf8(input), longest))
    for (const bytes of lines) {
      number++;
      if (bytes === TOO_LONG) throw tooLong(number, longest);
      const line = decode(bytes, () => `line ${number}`);
      // A byte order mark says how the text is encoded, and is not part of it.
      const text = number === 1 && line.startsWith('\ufeff') ? line.slice(1) : line;
      yield text.endsWith('\r') ? text.slice(0, -1) : text;
    }
}

/** How many lines of a stream hold more than blanks, for who shows how much is done. */
export async function countFilled(input: AsyncIterable<Buffer>): Promise<number> {
  let count = 0;
  for await (const lines of bytesOfLines(asUtf8(input), LONGEST))
    count += lines.filter((line) => line === TOO_LONG || line.some((byte) => byte > BLANK)).length;
  return count;
}

/** A stream in UTF-16 with a mark, in UTF-8; any other as it is. */
async function* asUtf8(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of input) {
    const bytes: Buffer = head === undefined ? chunk : Buffer.concat([head, chunk]);
    if (head !== undefined && bytes.length < 2) {
      head = bytes;
      continue;
    }
    const encoding = head === undefined ? undefined : utf16In(bytes);
    if (encoding !== undefined) decoder = new TextDecoder(encoding);
    head = undefined;
    yield decoder === undefined ? bytes : Buffer.from(decoder.decode(bytes, { stream: true }));
  }
  yield head ?? Buffer.from(decoder?.decode() ?? '');
}

function tooLong(number: number, longest: number): PrecedentError {
  return invalid.too_long(
    `Expected lines of at most ${Math.floor(longest / 2 ** 20)} MB, found that line ${number} is longer. Nothing was saved.`,
  );
}
