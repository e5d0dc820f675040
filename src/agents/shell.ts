import { forShell } from '../domain/text/text.ts';

/** A command line for a POSIX shell. */
export const forSh = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : forShell(word))).join(' ');

/** A command line for cmd.exe, which starts a program whose name is in quotes. */
export const forCmd = (words: readonly string[]): string =>
  words.map((word) => (PLAIN.test(word) ? word : `"${word}"`)).join(' ');

/**
 * A command line for PowerShell, which takes a name in quotes for a text unless `&` precedes it. Without quotes it is
 * one for cmd.exe, too.
 */
export function forPowerShell(words: readonly string[]): string {
  const line = words.map((word) => (PLAIN.test(word) ? word : `'${word.replace(QUOTE, '$&$&')}'`)).join(' ');
  return line.startsWith("'") ? `& ${line}` : line;
}

/** Characters that PowerShell treats as a single quote: typographic ones, too. Twice, it is one within a text. */
const QUOTE = /['‘’‚‛]/g;
/** Texts that no shell of Windows interprets. */
const PLAIN = /^[\w:./\\-]+$/;
