import { decode } from './utf8.ts';

const LINE_FEED = 0x0a;

/**
 * The lines of a UTF-8 stream, parted by line feeds alone. Node's readline also parts them at U+2028 and U+2029, which
 * stand as they are in the strings of JSON. A carriage return before the line feed belongs to neither line.
 * @throws PrecedentError `invalid` at the first line that is not UTF-8
 */
export async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  let number = 0;
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      yield ended([...begun, chunk.subarray(from, end)], ++number);
      begun = [];
      from = end + 1;
    }
    begun.push(chunk.subarray(from));
  }
  const last = ended(begun, ++number);
  if (last !== '') yield last;
}

function ended(pieces: Buffer[], number: number): string {
  const line = decode(Buffer.concat(pieces), () => `line ${number}`);
  // A byte order mark says how the text is encoded, and is no part of it.
  const text = number === 1 && line.startsWith('\ufeff') ? line.slice(1) : line;
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
