/** A run of letters and digits in which another word begins: getUser, HTTPServer, 250ms, sha256. */
const JOINED = /[a-z][A-Z]|[A-Z]{2}[a-z]|[0-9][A-Za-z]|[A-Za-z][0-9]/;
/** A run of them by itself. Longer ones are data: keys, hashes, base64. */
const RUN = /(?<![A-Za-z0-9])[A-Za-z0-9]{2,64}(?![A-Za-z0-9])/g;
/** The same in text that also has other letters and marks, which may belong to the word: `naïveTest`. Made on use. */
const runAmongMarks = () =>
  /(?<![\p{Script=Latin}\p{N}]\p{M}{0,4})[A-Za-z0-9]{2,64}(?![\p{Script=Latin}\p{N}\p{M}])/gu;

/** A number with its unit, and a name with its number. */
const WITH_NUMBER = [/^([0-9]+)([A-Za-z]{2,})$/, /^([A-Za-z]{2,})([0-9]{2,})$/];
/** Words begin with a capital; several capitals are a word, too: `HTTPServer` is HTTP and Server. */
export const CAPITALISED = /[a-z][A-Z]|[A-Z]{2}[a-z]/;
const CAPITALISED_PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
/** Several of something short: URLs, IDs. */
const PLURAL = /^[A-Z]+s$/;
/** A name with more parts is data, too. */
const MOST_PARTS = 8;

/**
 * The text with the parts of each identifier after it: `getUserById` is also found by what it is made of, and by another way
 * to write it, `get_user_by_id`. @param isPlain whether its letters are those of English and Korean alone
 */
export function withParts(text: string, isPlain: boolean): string {
  if (!JOINED.test(text)) return text;
  return text.replace(isPlain ? RUN : runAmongMarks(), (run) => {
    const parts = partsOf(run);
    return parts.length > 0 ? `${run} ${parts.join(' ')} ` : run;
  });
}

/** The words that an identifier is made of; none of a word that is not an identifier. A single letter or digit is not a word. */
export function partsOf(run: string): string[] {
  if (!JOINED.test(run) || PLURAL.test(run)) return [];
  const parts = CAPITALISED.test(run) ? (run.match(CAPITALISED_PARTS) ?? []) : numbered(run);
  return parts.length > MOST_PARTS ? [] : parts.filter((part) => part.length > 1);
}

function numbered(run: string): string[] {
  for (const pattern of WITH_NUMBER) {
    const [, ...parts] = pattern.exec(run) ?? [];
    if (parts.length > 0) return parts;
  }
  return [];
}
