/** Levels of lists and groups that a text of a stranger may have: recursive readers overflow some thousands deep. */
const DEEPEST = 200;

type Format = 'json' | 'toml' | 'yaml';

/** What opens and closes a level in each format, and what begins a part in which nothing does. */
const MARKS: Record<Format, RegExp> = {
  json: /["[\]{}]|\/\/|\/\*/g,
  toml: /"""|'''|["'#[\]{}.\n]/g,
  // In words without quotes an apostrophe begins no string. In blocks, a mark or a blank before a line is a level.
  yaml: /[[\]{}]|^(?:[-?:][ \t]|[ \t])+/gm,
};
/** How a part ends in which brackets say nothing: where it must, or where a lenient reader gives it up. */
const ENDS: Record<string, RegExp> = {
  '"': /\\.|"|\n/g,
  "'": /'|\n/g,
  '"""': /\\.|"""/g,
  "'''": /'''/g,
  '//': /\n/g,
  '/*': /\*\//g,
  '#': /\n/g,
};

/**
 * Whether a text of a stranger has so many levels that a recursive reader could overflow (Z-3): asked before one gets it.
 * Each character is looked at once. Rather too much is counted than too little: brackets in plain words of YAML, and each
 * part of a dotted name of TOML, which is a group as well.
 */
export function isTooDeep(text: string, format: Format): boolean {
  if (text.length <= DEEPEST) return false;
  const marks = new RegExp(MARKS[format]);
  let depth = 0;
  let inLine = 0;
  for (let found = marks.exec(text); found; found = marks.exec(text)) {
    const [mark] = found;
    const end = ENDS[mark];
    if (end) {
      marks.lastIndex = endOf(text, marks.lastIndex, end);
      if (text[marks.lastIndex - 1] === '\n') inLine = 0;
    } else if (mark === '[' || mark === '{') depth++;
    else if (mark === ']' || mark === '}') depth = Math.max(0, depth - 1);
    else if (mark === '.') inLine++;
    else inLine = mark === '\n' ? 0 : mark.length;
    if (depth + inLine > DEEPEST) return true;
  }
  return false;
}

/** Where a part ends that began before this place; the end of the text for one that never does. */
function endOf(text: string, from: number, end: RegExp): number {
  end.lastIndex = from;
  for (let found = end.exec(text); found; found = end.exec(text))
    if (!found[0].startsWith('\\')) return end.lastIndex;
  return text.length;
}

/** What a message says of a text that is. */
export const TOO_DEEP = `it has more than ${DEEPEST} levels of lists and groups`;
