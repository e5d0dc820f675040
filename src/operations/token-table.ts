/*
 * The tokens of an encoding as one piece of memory, so that nothing is built when it is read: a hash table of their numbers,
 * where the bytes of each begin, and the bytes.
 */

/** Slots of the hash table: a power of two, a third more than there are tokens. */
const SLOTS = 2 ** 18;

/** Numbers of tokens by their bytes. */
export class TokenTable {
  readonly #slots: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #bytes: Uint8Array;

  /** @param table as {@link tokenTable} makes it */
  constructor(table: Uint8Array) {
    // The parts begin at multiples of four bytes of a buffer that begins at none.
    const { buffer } = table.byteOffset % 4 === 0 ? table : table.slice();
    const start = table.byteOffset % 4 === 0 ? table.byteOffset : 0;
    const [count = 0] = new Uint32Array(buffer, start, 1);
    this.#slots = new Uint32Array(buffer, start + 4, SLOTS);
    this.#starts = new Uint32Array(buffer, start + 4 * (1 + SLOTS), count + 1);
    this.#bytes = new Uint8Array(buffer, start + 4 * (1 + SLOTS + count + 1));
  }

  /** The number of a token; undefined for bytes that are none. */
  numberOf(token: Uint8Array): number | undefined {
    for (let slot = hashOf(token); ; slot = (slot + 1) % SLOTS) {
      const entry = this.#slots[slot] as number;
      if (entry === 0) return undefined;
      if (this.#is(entry - 1, token)) return entry - 1;
    }
  }

  #is(number: number, token: Uint8Array): boolean {
    const start = this.#starts[number] as number;
    if ((this.#starts[number + 1] as number) - start !== token.length) return false;
    for (let at = 0; at < token.length; at++) if (this.#bytes[start + at] !== token[at]) return false;
    return true;
  }
}

/** Makes the table of these tokens, texts or bytes, by their numbers; a hole is no token. */
export function tokenTable(tokens: readonly (string | readonly number[] | undefined)[]): Uint8Array {
  const all = Array.from(tokens, (token) =>
    token === undefined ? new Uint8Array() : Buffer.from(token as string),
  );
  const numbers = new Uint32Array(1 + SLOTS + all.length + 1);
  numbers[0] = all.length;
  const starts = numbers.subarray(1 + SLOTS);
  for (const [number, bytes] of all.entries()) {
    starts[number + 1] = (starts[number] as number) + bytes.length;
    if (bytes.length === 0) continue;
    let slot = hashOf(bytes);
    while (numbers[1 + slot] !== 0) slot = (slot + 1) % SLOTS;
    numbers[1 + slot] = number + 1;
  }
  return Buffer.concat([new Uint8Array(numbers.buffer), ...all]);
}

/** The slot at which a token is looked for first: FNV-1a, its upper bits folded in. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}
