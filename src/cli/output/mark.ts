/** Words shorter than this would mark half of an answer. */
const SHORTEST = 2;

/**
 * A pattern of the words of a question, to mark where an answer holds them (U-9). A word of letters with blanks between is
 * marked at its beginning, whatever its ending; one of Hangul, Han or Kana wherever it is.
 * @returns undefined when there is nothing to mark
 */
export function markOf(question: string | undefined): RegExp | undefined {
  const words = [...new Set(question?.match(/[\p{L}\p{N}]+/gu) ?? [])].filter(
    (word) => word.length >= SHORTEST,
  );
  if (words.length === 0) return undefined;
  const longestFirst = words.sort((a, b) => b.length - a.length);
  const isSyllables = (word: string) => /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}]/u.test(word);
  return new RegExp(
    longestFirst.map((word) => (isSyllables(word) ? word : `(?<![\\p{L}\\p{N}])${word}`)).join('|'),
    'giu',
  );
}
