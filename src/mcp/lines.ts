const LINE_FEED = 0x0a;
/** Bytes of the longest message: room for the longest observation in any script, each character written as an escape. */
export const LONGEST = 64 * 2 ** 20;

/** A line that was longer than allowed: nothing of it was kept. */
export class TooLong {
  readonly bytes: number;

  constructor(bytes: number) {
    this.bytes = bytes;
  }
}

/**
 * The lines of a stream of bytes, each without its line feed. The pieces of a line are joined once, when its end has come:
 * reading takes time in proportion to its length, in however many pieces it comes. Of a line that is too long no more than
 * `longest` bytes are ever held.
 * @param longest bytes that a line may have
 */
export async function* linesOf(
  input: AsyncIterable<Buffer>,
  longest: number,
): AsyncGenerator<Buffer | TooLong> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const add = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > longest) pieces = [];
    else pieces.push(piece);
  };
  const taken = () => {
    const line = bytes > longest ? new TooLong(bytes) : Buffer.concat(pieces, bytes);
    pieces = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of input) {
    let begin = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, begin)) {
      add(chunk.subarray(begin, end));
      begin = end + 1;
      yield taken();
    }
    add(chunk.subarray(begin));
  }
  if (bytes > 0) yield taken();
}
