import { readBare } from './bare.ts';
import { readBracketed } from './bracketed.ts';
import { type ReadList, SIGNS } from './item.ts';
import { BLANKS, CONJUNCTION, SEPARATORS, skip, sticky } from './separators.ts';

/** The opening bracket of a list, with signs or a backslash before it: `[`, `**[`, `"[`, `\\[`, `[[`. */
const OPENING = sticky(`\\s*[${SIGNS}]*\\\\?[\\[［]{1,2}`);
/** From one bracketed list to the next: `[a], [b]`. */
const NEXT_LIST = sticky(`${BLANKS}(?:[${SEPARATORS}]|${CONJUNCTION})\\s*(?=[\\[［])`);

/** Reads the references that follow a relation word and its colon: bracketed lists, a bare list, or a bulleted one. */
export function readReferences(text: string, start: number): ReadList {
  const read: ReadList = { items: [], problems: [], end: start };
  for (let next: number | undefined = start; next !== undefined; next = skip(NEXT_LIST, text, read.end)) {
    const inside = skip(OPENING, text, next);
    const { items, problems, end } =
      inside === undefined ? readBare(text, next) : readBracketed(text, inside);
    read.items.push(...items);
    read.problems.push(...problems);
    read.end = end;
    if (inside === undefined || problems.length > 0) break;
  }
  return read;
}
