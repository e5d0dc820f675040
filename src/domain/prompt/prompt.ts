import { keywordsIn } from '../language/keywords.ts';
import { mask } from '../text/masking.ts';
import { redact } from '../text/redaction.ts';
import { inSmall } from '../text/text.ts';
import { GENERIC_WORDS } from './generic-words.ts';

/** What is read of a prompt, in characters: a pasted log says nothing of what it is about. */
const LOOKED_AT = 4_000;
/** What other hooks put into a prompt, code in fences, and addresses: none of it is what the person asks. */
const NOT_SAID = [
  /<hook_context>[\s\S]*?(?:<\/hook_context>|$)/g,
  /<(system-reminder|precedent)\b[^>]*>[\s\S]*?(?:<\/\1>|$)/g,
  /(```|~~~)[\s\S]*?(?:\1|$)/g,
  /\b[A-Za-z][A-Za-z0-9+.-]{0,20}:\/\/\S+/g,
];
/** Lines as programs write them, in small letters: a time, a level or a frame of a stack before the words, or JSON. */
const LOGGED =
  /^\s*(?:\[?\d{2,4}[-/:.]\d{2}[-/:.]\d{2}|\[?(?:trace|debug|info|warn(?:ing)?|error|fatal)\b\]?[: \]]|at \S+[ (]|file "|\$ |> |[+-]{3} |@@ |[[{]["{[])/;
/** A longer line was pasted, too. */
const LONGEST_LINE = 600;

/** What a person says in a prompt: without private parts, secrets, code blocks, pasted logs and addresses. */
export function saidIn(prompt: string): string {
  // A tag that is never closed hides all that follows; it is looked for before anything is cut off.
  const bare = NOT_SAID.reduce(
    (text, pattern) => text.replace(pattern, ' '),
    mask(redact(prompt.slice(0, 20 * LOOKED_AT))),
  );
  return bare
    .split('\n')
    .filter((line) => line.length <= LONGEST_LINE && !LOGGED.test(inSmall(line)))
    .join('\n')
    .slice(0, LOOKED_AT);
}

/** The words of a prompt, in the order of their first mention. @param said as {@link saidIn} */
export function wordsOf(said: string): string[] {
  return keywordsIn(said, MOST_WORDS);
}
const MOST_WORDS = 24;

/** Those of these words that say what a prompt is about: without what every prompt has. */
export function subjectOf(words: string[]): string[] {
  return words.filter((word) => !GENERIC_WORDS.has(word));
}
