/** What a message asks a memory for, in so many words (M-1). */
export type Trigger = 'memo' | 'expand';

/** The seed's words. Korean nouns fire with anything attached, except where that makes another word of them. */
const MEMO = [
  '메모(?!리)',
  '기억',
  '저장(?!소|장치|공간)',
  '기록',
  '(?<!릴리[즈스]\\s?|키)노트(?!북)',
  '잊지\\s*마',
  ...whole('memo', 'remember', 'save', 'note'),
];
const EXPAND = ['더\\s*찾아', '더\\s*탐색', '관련', ...whole('expand', 'more')];

const PATTERNS: [Trigger, RegExp][] = [
  ['memo', new RegExp(MEMO.join('|'), 'u')],
  ['expand', new RegExp(EXPAND.join('|'), 'u')],
];

/**
 * Looks for a request in a message: the memo words of the seed, then the words that ask for more, in Korean and
 * English. Latin ones count as whole words, so that "notebook" and "anymore" do not.
 * @returns what is asked for and the word that asks, or undefined
 */
export function findTrigger(message: string): { trigger: Trigger; word: string } | undefined {
  const plain = message.normalize('NFKC').toLowerCase();
  for (const [trigger, pattern] of PATTERNS) {
    const word = plain.match(pattern)?.[0];
    if (word !== undefined) return { trigger, word };
  }
  return undefined;
}

function whole(...words: string[]): string[] {
  return words.map(
    (word) => `(?<![\\p{Script=Latin}\\p{M}\\p{N}_])${word}(?![\\p{Script=Latin}\\p{M}\\p{N}_])`,
  );
}
