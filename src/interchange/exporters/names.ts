import { hyphenated } from '../../domain/text/text.ts';

/** Names that Windows keeps for devices, whatever follows the first point. */
const KEPT = /^(con|prn|aux|nul|com\d|lpt\d)$/;
/** A name is at most this long, so that with its number and ending it fits where 255 bytes do. */
const LONGEST = { characters: 60, bytes: 180 };

/**
 * A text as a part of a file's name: letters of any script and digits in lower case, all else as one hyphen; safe on Windows and
 * where case does not matter.
 * @returns nothing where the text has no letter
 */
export function slugOf(text: string): string {
  const slug = cut(hyphenated(text).replace(/^-+/, '')).replace(/-+$/, '');
  return KEPT.test(slug) ? `${slug}-` : slug;
}

/** As much of a slug as a name may have, in whole words where there are some. */
function cut(slug: string): string {
  const characters = [...slug].slice(0, LONGEST.characters);
  while (Buffer.byteLength(characters.join('')) > LONGEST.bytes) characters.pop();
  const short = characters.join('');
  const end = short.lastIndexOf('-');
  return short.length < slug.length && end > short.length / 2 ? short.slice(0, end) : short;
}

/** The first sentence of a text on one line, as a title. @param longest in characters */
export function titleOf(text: string, longest = 100): string {
  const [sentence = ''] = text.trim().split(/\n|(?<=[.!?。！？])\s/u);
  const line = sentence.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim() || '–';
  const characters = [...line];
  return characters.length <= longest
    ? line
    : `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`;
}
