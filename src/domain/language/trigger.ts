/** What a message asks a memory for (M-1). */
export type Trigger = 'memo' | 'expand';

/** The words that M-1 names. A Korean noun counts with any ending, except where the ending makes another word of it. */
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
 * Looks for a request in a message, in Korean and English: first for words that ask for a memo, then for words that ask
 * for more. Latin words must stand alone: "notebook" and "anymore" are no requests.
 * @returns the request and the word that makes it, or undefined
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
