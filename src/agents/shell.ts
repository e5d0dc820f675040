/** A command line for a POSIX shell. */
export const forSh = (words: readonly string[]): string =>
  words.map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');

/** A command line for cmd.exe, which starts a program whose name stands in quotes. */
export const forCmd = (words: readonly string[]): string =>
  words.map((word) => (PLAIN.test(word) ? word : `"${word}"`)).join(' ');

/** A command line for PowerShell: in front of a name in quotes it wants `&`. */
export const forPowerShell = (words: readonly string[]): string =>
  `& ${words.map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "''")}'`)).join(' ')}`;

const PLAIN = /^[\w@%+=:,./-]+$/;
