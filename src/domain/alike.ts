/** Texts that make a group at least: fewer are reviewed one by one. */
const FEWEST = 3;
/** The share of the words of two texts together that both have, so that they are alike. */
const SHARED = 0.5;
/** Words without which a text is like no other. */
const TELLING = 2;

/** The share from which on one text says another one again. */
const AGAIN = 0.8;

/** Whether a text says nearly word for word what another one says. */
export const saysAgain = (one: string, other: string): boolean =>
  one.trim() === other.trim() || share(wordsIn(one), wordsIn(other)) >= AGAIN;

/** Whether two texts have the same words and numbers. */
export const isSameText = (one: string, other: string): boolean => plain(one) === plain(other);
const plain = (text: string) =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu)
    ?.join(' ');

const wordsIn = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/(?<![\p{L}\p{N}_])[\p{L}\p{N}]{2,}(?![\p{L}\p{N}_])/gu) ?? []);

/**
 * Texts that say nearly the same, such as "All 42 tests pass" and "All 57 tests pass" (V-3): numbers and names with digits count
 * for nothing.
 * @returns the places of those of each group, in their order
 */
export function groupsAlike(texts: readonly string[]): number[][] {
  const groups: { words: ReadonlySet<string>; places: number[] }[] = [];
  for (const [place, text] of texts.entries()) {
    const words = new Set(text.toLowerCase().match(/(?<![\p{L}\p{N}_])\p{L}{2,}(?![\p{L}\p{N}_])/gu) ?? []);
    if (words.size < TELLING) continue;
    const own = groups.find((group) => share(group.words, words) >= SHARED);
    if (own) own.places.push(place);
    else groups.push({ words, places: [place] });
  }
  return groups.map(({ places }) => places).filter(({ length }) => length >= FEWEST);
}

function share(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((word) => other.has(word)).length;
  return both / Math.max(1, one.size + other.size - both);
}
