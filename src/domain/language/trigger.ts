import { normalized } from '../text/text-pieces.ts';

/** The request of a message to a memory (M-1). */
export type Trigger = 'memo' | 'expand';

/** The words that M-1 names. A Korean noun counts with any ending, except where the ending makes another word of it. */
const MEMO = [
  '메모(?!리)',
  '기억',
  '저장(?!소|장치|공간)',
  '기록',
  '(?<!릴리[즈스]\\s?|키)노트(?!북)',
  '잊지\\s*마',
  ...whole('memos?', 'remember(?:s|ed|ing)?', 'sav(?:es?|ed|ing)', 'not(?:es?|ed|ing)'),
];
const EXPAND = ['더\\s*찾아', '더\\s*탐색', '관련', ...whole('expand(?:s|ed|ing)?', 'more')];

/** Part of every message that has one of them: without it, the patterns are not made, which takes a hook 3 ms. */
const LIKELY = /메모|기억|저장|기록|노트|잊지|더|관련|memo|remember|sav|not[ei]|expand|more/;
const patterns = (): [Trigger, RegExp][] => [
  ['memo', new RegExp(MEMO.join('|'), 'u')],
  ['expand', new RegExp(EXPAND.join('|'), 'u')],
];
let made: [Trigger, RegExp][] | undefined;

/**
 * Looks for a request in a message, in Korean and English: first for words that ask for a memo, then for words that ask
 * for more. A Latin word counts in its inflections (M-14), and must stand alone but for signs of markdown: "notebook" and
 * "anymore" are not requests.
 * @returns the request and the word that makes it, or undefined
 */
export function findTrigger(message: string): { trigger: Trigger; word: string } | undefined {
  const plain = normalized(message, 'NFKC').toLowerCase();
  if (!LIKELY.test(plain)) return undefined;
  made ??= patterns();
  for (const [trigger, pattern] of made) {
    const word = plain.match(pattern)?.[0];
    if (word !== undefined) return { trigger, word };
  }
  return undefined;
}

/** The request of a message to a memory, for programs (M-15); null for none. */
export function getTriggerType(message: string): Trigger | null {
  return findTrigger(message)?.trigger ?? null;
}

function whole(...words: string[]): string[] {
  return words.map(
    // An underscore is markdown's emphasis where no letter follows it on the other side: _note_, but not my_note.
    (word) => `(?<![\\p{Script=Latin}\\p{M}\\p{N}]_*)${word}(?!_*[\\p{Script=Latin}\\p{M}\\p{N}])`,
  );
}
