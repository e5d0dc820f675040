import { PLAIN } from './plain.ts';

/** In plain text, these patterns find the very words and sentences that Unicode's rules do (UAX 29, as ICU has them). */
const WORD = /[가-힣]+|(?:\w|(?<=[A-Za-z])[.:'‘’·](?=[A-Za-z])|(?<=\d)[.,;'‘’](?=\d))+/g;
/** Dots that end no sentence: before a digit, between a letter and a capital, or before a small letter. */
const NO_DOT = /\.(?=\d)|(?<=[A-Za-z])\.(?=[A-Z])|\.(?=[^A-Za-z가-힣.!?]*[a-z])/;
const END = new RegExp(`(?!${NO_DOT.source})[.!?](?=(["'()[\\]{}‘’“”]*\\s*))\\1(?![,:;.!?–—-])`, 'g');
const PLAIN_LETTER = /[A-Za-z가-힣]/;
const LETTER = /\p{L}/u;

/** Made on use, since loading ICU takes as long for one of them as for both. */
const icu: { word?: Intl.Segmenter; sentence?: Intl.Segmenter } = {};

/** The words of a text that have a letter, in their order. Hangul is a word of its own: `JWT를` is two. */
export function wordsIn(text: string): string[] {
  if (PLAIN.test(text)) return (text.match(WORD) ?? []).filter((word) => PLAIN_LETTER.test(word));
  icu.word ??= new Intl.Segmenter('ko', { granularity: 'word' });
  const words: string[] = [];
  for (const { segment, isWordLike } of icu.word.segment(text))
    if (isWordLike && LETTER.test(segment)) words.push(segment);
  return words;
}

/** The sentences of a line, each with the blanks after it: together they are the line. */
export function sentencesIn(line: string): string[] {
  if (!PLAIN.test(line) || /[\n\r]/.test(line)) {
    icu.sentence ??= new Intl.Segmenter('en', { granularity: 'sentence' });
    return Array.from(icu.sentence.segment(line), ({ segment }) => segment);
  }
  const ends = Array.from(line.matchAll(END), ({ 0: end, index }) => index + end.length);
  return [...ends, line.length].map((end, at) => line.slice(ends[at - 1] ?? 0, end)).filter(Boolean);
}
