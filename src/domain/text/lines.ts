const LINE_FEED = 0x0a;
/** Bytes of the longest message: room for the longest observation in any script, each character written as an escape. */
export const LONGEST = 64 * 2 ** 20;
/** In the place of a line that is longer than allowed. */
export const TOO_LONG = Symbol('a line that is too long');
export type Line = Buffer | typeof TOO_LONG;
/** The encoding that the mark at the beginning of a text tells, as PowerShell writes it; undefined for UTF-8 (SR-4). */
export const utf16In = (bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
};

/** Bytes as they come. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * The lines of a stream of bytes, each without its line feed: those that one chunk ends, together. The pieces of a line are
 * joined once, when its end has come: reading takes time in proportion to its length, in however many pieces it comes. A
 * line that is too long is said to be as soon as it is: no more than `longest` bytes of it are ever held, and a chunk.
 * @param longest bytes that a line may have
 */
export async function* linesOf(input: Chunks, longest: number): AsyncGenerator<Line[]> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const lines: Line[] = [];
    for (let begin = 0, end = 0; end !== -1; begin = end + 1) {
      end = chunk.indexOf(LINE_FEED, begin);
      const piece = chunk.subarray(begin, end === -1 ? chunk.length : end);
      const isWhole = bytes <= longest;
      bytes += piece.length;
      if (bytes <= longest) pieces.push(piece);
      else pieces = [];
      if (isWhole && bytes > longest) lines.push(TOO_LONG);
      if (end === -1) break;
      if (bytes <= longest) lines.push(joined(pieces));
      pieces = [];
      bytes = 0;
    }
    yield lines;
  }
  if (bytes > 0 && bytes <= longest) yield [joined(pieces)];
}

/** Most lines are one piece, which is not copied. */
function joined(pieces: Uint8Array[]): Buffer {
  const [first] = pieces;
  if (first === undefined || pieces.length > 1) return Buffer.concat(pieces);
  return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
}
