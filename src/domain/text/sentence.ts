/** The most that is read of a text to find its first sentence: reasons may be long. */
const LOOKED_AT = 2_000;
/** Letters and digits that a sentence needs to tell something: "Yes." does not. A Hangul syllable tells as much as two letters. */
const TELLING = 12;

/** Made on use: the first segmenter of a process takes milliseconds. */
let segmenter: Intl.Segmenter | undefined;
/** What stands before the words of a line in markdown: bullets, numbers, headings, quotations. */
const MARKDOWN = /^\s*(?:[-*+•>]\s+|\d+[.)]\s+|#{1,6}\s+)+/;
/** What a link that was taken out leaves behind. */
const LEADING = /^[\s.,;:·)\]}]+/;
/** Between paragraphs, headings and the items of a list. */
const PARAGRAPHS = /\n\s*\n|(?<=^#{1,6}\s[^\n]*)\n|\n(?=\s*(?:[-*+•>#]|\d+[.)])\s)/m;
const HANGUL = /\p{Script=Hangul}/gu;
const LETTER = /[\p{L}\p{N}]/gu;

/**
 * The first sentence that tells something (W-3), without markdown before it, on one line.
 * @param limit characters at most; a longer sentence ends with "…"
 * @returns undefined for a text without words
 */
export function firstTelling(text: string, limit: number): string | undefined {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  const sentences = text
    .slice(0, LOOKED_AT)
    .split(PARAGRAPHS)
    .flatMap((paragraph) => [
      ...(segmenter as Intl.Segmenter).segment(paragraph.replace(MARKDOWN, '').replace(/\s+/g, ' ')),
    ])
    .map(({ segment }) => segment.replace(LEADING, '').trim())
    .filter((sentence) => weight(sentence) > 0);
  const found = sentences.find((sentence) => weight(sentence) >= TELLING) ?? sentences[0];
  return found === undefined ? undefined : cut(found, limit);
}

/** A text on one line, shortened at a blank where one is near. @param limit characters at most, "…" included */
export function cut(text: string, limit: number): string {
  const characters = [...text];
  if (characters.length <= limit) return text;
  const beginning = characters.slice(0, limit - 1).join('');
  const blank = beginning.lastIndexOf(' ');
  return `${(blank > beginning.length / 2 ? beginning.slice(0, blank) : beginning).trimEnd()}…`;
}

function weight(sentence: string): number {
  const count = (pattern: RegExp) => sentence.match(pattern)?.length ?? 0;
  return count(LETTER) + count(HANGUL);
}
