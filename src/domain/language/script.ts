/** So many Latin letters tell no more of the language of a text than one syllable does: names and terms in it are Latin. */
const LATIN = 4;

/** Whether a text is written in Hangul, Han or Kana, so that it shares few words with one that is not. */
export function isInSyllables(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return (
    LATIN * count(/[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u4e00-\u9fff\uac00-\ud7a3]/g) > count(/[a-z]/gi)
  );
}
