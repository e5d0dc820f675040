import ansiRegex from 'ansi-regex';
import { PLAIN } from './plain.ts';

/**
 * A sequence that a terminal obeys (CSI, OSC, DCS, APC, PM, SOS, character sets …, begun by ESC or by a C1 character), or
 * the beginning of one that is broken: without it, no sequence comes into being by cutting another out of its middle.
 */
const SEQUENCE = new RegExp(`${ansiRegex().source}|[\\u001b\\u0090\\u0098\\u009b-\\u009f]`, 'g');

/**
 * A text without terminal sequences (K-7): colours and titles of a pasted log are not part of what it says, and split its
 * words for every search. The rest holds no character that begins one; cutting again changes nothing.
 * @returns the text, and how many sequences were cut from it
 */
export function cutSequences(text: string): { text: string; cut: number } {
  if (PLAIN.test(text)) return { text, cut: 0 };
  let cut = 0;
  const rest = text.replace(SEQUENCE, () => {
    cut++;
    return '';
  });
  return { text: rest, cut };
}
