const LETTERS = /^[a-z]+$/;
/** The least letters of an English word within another: shorter ones are within many by chance. */
const WITHIN = 5;
const TWO_SYLLABLES = /^[가-힣]{2}$/;
const FIRST_SYLLABLE = 0xac00;
const FINALS = 28;
/** The last consonants that an ending puts under a verb's stem: ㄴ, ㄹ, ㅁ, ㅂ and ㅆ, as in 닫힌, 닫힐, 닫힘, 닫힙니다, 막혔다. */
const OF_ENDINGS = new Set([4, 8, 16, 17, 20]);

/**
 * Terms of the index by which others of their kin are found: of two English words one begins or ends with the other
 * (`vacuum`, `autovacuum`); of two Korean ones only a verb's ending differs (닫히게, 닫힌다). It is a guess, so that kin should
 * count less than the word itself.
 */
export class Kinship {
  readonly #english: string[];
  readonly #korean: ReadonlySet<string>;

  constructor(terms: Iterable<string>) {
    const all = [...terms];
    this.#english = all.filter((term) => term.length >= WITHIN && LETTERS.test(term));
    this.#korean = new Set(all.filter((term) => TWO_SYLLABLES.test(term)).map(withoutEnding));
  }

  /** Whether a term, or one of its kin, is among them. */
  has(term: string): boolean {
    if (TWO_SYLLABLES.test(term)) return this.#korean.has(withoutEnding(term));
    if (term.length < WITHIN || !LETTERS.test(term)) return false;
    return this.#english.some((other) =>
      other.length < term.length ? isAtEnd(other, term) : isAtEnd(term, other),
    );
  }
}

function isAtEnd(short: string, long: string): boolean {
  return long.startsWith(short) || long.endsWith(short);
}

/** Two syllables, the second without a consonant that may be an ending's. */
function withoutEnding(syllables: string): string {
  const last = syllables.charCodeAt(1);
  const final = (last - FIRST_SYLLABLE) % FINALS;
  return OF_ENDINGS.has(final) ? (syllables[0] as string) + String.fromCharCode(last - final) : syllables;
}
