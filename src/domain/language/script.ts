/** So many Latin letters tell no more of the language of a text than one syllable does: names and terms in it are Latin. */
const LATIN = 4;

const SYLLABLES = /[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u4e00-\u9fff\uac00-\ud7a3]/g;

/** Whether a text is written in Hangul, Han or Kana, so that it shares few words with one that is not. */
export function isInSyllables(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return LATIN * count(SYLLABLES) > count(/[a-z]/gi);
}

/** Whether no line of a question is in the script of a text, so that hardly a word of the one can be in the other. */
export function isInOtherScript(text: string, question: string): boolean {
  return isInSyllables(text) ? question.search(SYLLABLES) < 0 : question.split('\n').every(isInSyllables);
}
