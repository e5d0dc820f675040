/** A blank behind which a word begins: no token, and no form of Unicode, reaches across it. */
const BETWEEN_WORDS = /[ \n](?=[\p{L}\p{N}])/gu;

/**
 * A text in pieces of about so many characters, which have together the tokens of the whole (`analyse`). A text without
 * blanks is one piece.
 */
export function* textPieces(text: string, size: number): Generator<string> {
  let start = 0;
  while (text.length - start > size) {
    BETWEEN_WORDS.lastIndex = start + size;
    const end = BETWEEN_WORDS.exec(text)?.index;
    if (end === undefined) break;
    yield text.slice(start, end + 1);
    start = end + 1;
  }
  yield text.slice(start);
}
