import { withoutComments } from '../markdown.ts';
import { plainLines, UNFILLED } from './fields.ts';
import { stateOf } from './words.ts';

/** Marks before a state: emoji, bold, code, brackets of a checked box. */
const BEFORE = /^(?:[\s*_`"'“>]|\p{Extended_Pictographic}|\ufe0f|:[a-z_]+:|\[x\])+/iu;
const PICTURE = /\[?!\[([^[\]]{0,300})\]\(([^()\s]{0,500})(?:\s[^()]{0,300})?\)(?:\]\([^()]{0,500}\))?/g;
/** Characters of a line in which a state may stand. */
const LONGEST = 1_000;

/**
 * Each line of what a record says of its state, the first being the state itself.
 * @param written a field or front matter; without it the section counts
 */
export function statusIn(written: string | unknown[] | undefined, section: string | undefined): string[] {
  const said = [written ?? []].flat().map((line) => withoutComments(String(line)).trim());
  const told = plainLines(section ?? '').filter((line) => line !== '' && !/^-{3,}$/.test(line));
  const lines = said.some((line) => line !== '') ? said : told;
  const isChosen = (line: string) => /^\[x\]/i.test(line);
  const chosen = lines.some(isChosen)
    ? lines.filter((line) => isChosen(line) || !/^\[ ?\]/.test(line))
    : lines;
  return chosen.map((line) => stateIn(line.slice(0, LONGEST))).filter((each) => each !== '');
}

/** A template whose state nobody chose is a draft, as log4brains says itself. */
function stateIn(line: string): string {
  if (UNFILLED.test(line) && !/\]\(|^\[\[/.test(line)) return 'draft';
  const plain = line.replace(PICTURE, (_, words: string, address: string) => badge(words, address));
  const options = plain.split(/\s+[|/]\s+/);
  const marked = options.filter((each) => /^(\*\*|__|\[x\]).+/i.test(each.trim()));
  const one = options.length > 2 ? (marked.length === 1 ? (marked[0] as string) : 'draft') : plain;
  return one
    .replace(BEFORE, '')
    .replace(/^([^*_`]*)(?:\*\*|__|`)/, '$1')
    .trim();
}

/** The state that a picture shows, out of its words or its address. */
function badge(words: string, address: string): string {
  const told = `${words} ${decoded(address)}`.split(/[\s:/_.-]+/);
  return told.find((each) => stateOf(each) !== undefined) ?? words;
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address.replace(/%(?![\da-f]{2})/gi, ''));
  } catch {
    // Percent signs that are no UTF-8.
    return address;
  }
}
