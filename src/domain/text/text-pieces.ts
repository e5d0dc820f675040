/** Characters of a piece: what takes longer than the length of its text, or makes more of it, is bounded by this (Z-5). */
const PIECE = 1_024;
/** A piece without a place to cut it is never longer than its size and this. */
const LONGEST_WORD = 1_024;
/** Behind one of these a word begins: no token, no letter that is written in several characters, and no rule of lower case reaches across it. */
const BETWEEN_WORDS = /[ \n\t,;!?、。](?=[\p{L}\p{N}])/u;
const PAIR = /^[\ud800-\udbff][\udc00-\udfff]/;

/**
 * A text in pieces of about so many characters, which have together the tokens of the whole (`analyse`). Only where no word
 * begins for 1,024 characters a piece ends anywhere: that is data.
 */
export function* textPieces(text: string, size = PIECE): Generator<string> {
  let start = 0;
  while (text.length - start > size) {
    const from = start + size;
    const place = text.slice(from, from + LONGEST_WORD).search(BETWEEN_WORDS);
    if (place < 0 && text.length - from <= LONGEST_WORD) break;
    const last = from + (place < 0 ? LONGEST_WORD - 1 : place);
    const end = PAIR.test(text.slice(last, last + 2)) ? last : last + 1;
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

/** How much longer a long text may become when its signs are spelled out: no language has many of them. */
const SPELLED = { times: 2, characters: 256 };

/** A text in a normal form of Unicode; a long one piece by piece, since marks in a row take as long as their number squared (Z-5). */
export function normalized(text: string, form: 'NFC' | 'NFKC'): string {
  if (text.length <= PIECE) return text.normalize(form);
  const ofPiece = form === 'NFC' ? (piece: string) => piece.normalize(form) : spelledOut;
  return Array.from(textPieces(text), ofPiece).join('');
}

/**
 * A piece of text in NFKC. Signs that would make much more of it stay as they are: one is spelled out in up to 18
 * characters, which whoever reads or keeps the text would have to bear (Z-5).
 */
export function spelledOut(piece: string): string {
  const spelled = piece.normalize('NFKC');
  return spelled.length > SPELLED.times * piece.length + SPELLED.characters
    ? piece.normalize('NFC')
    : spelled;
}
