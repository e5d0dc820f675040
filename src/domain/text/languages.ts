const LETTER = /\p{L}/gu;
/** By the scripts that only one of them uses; the words of English are those that nearly every sentence has. */
const SIGNS = {
  Korean: /\p{Script=Hangul}/gu,
  Japanese: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  Chinese: /\p{Script=Han}/gu,
} as const;
const ENGLISH = /\b(?:the|an?|is|are|to|of|and|in|for|no|not|with|on|by|from|as|it|that)\b/i;
/** The share of the letters of a text that say its language: a Korean one has English names in it. */
const TELLING = 0.2;
/** The share of the texts that a language has at least to be named. */
const LEAST_SHARE = 0.05;

export type Language = keyof typeof SIGNS | 'English';

/** The language of a text; undefined where nothing tells it. */
function languageOf(text: string): Language | undefined {
  const letters = text.match(LETTER)?.length ?? 0;
  const found = (Object.keys(SIGNS) as (keyof typeof SIGNS)[]).find(
    (each) => (text.match(SIGNS[each])?.length ?? 0) > letters * TELLING,
  );
  return found ?? (ENGLISH.test(text) ? 'English' : undefined);
}

/** The languages of some texts, the commonest first, without those of single ones among many. */
export function languagesOf(texts: readonly string[]): Language[] {
  const found = Map.groupBy(
    texts.flatMap((each) => languageOf(each) ?? []),
    (each) => each,
  );
  return [...found]
    .filter(([, { length }]) => length >= texts.length * LEAST_SHARE)
    .sort(([one, a], [other, b]) => b.length - a.length || one.localeCompare(other))
    .map(([language]) => language);
}
