/** The value that a text says in JSON; undefined where it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON value whose texts and keys are others. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [change(key), mapTexts(each, change)]),
  );
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Buffer.from('"\\,[{');

/** How many values JSON has, at least, before anything is made of them. Strings are skipped, not read. */
export function countValues(json: Buffer): number {
  let values = 1;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) values++;
  }
  return values;
}

/** @returns where the quote is that ends the string which begins here */
function endOfString(json: Buffer, begin: number): number {
  for (let end = json.indexOf('"', begin + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
