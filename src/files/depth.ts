/** Levels of lists and groups that an untrusted text may have: recursive readers overflow at some thousands. */
const DEEPEST = 200;

type Format = 'json' | 'toml' | 'yaml';

/** The signs that open and close a level in each format, and those that begin a string or a comment, where nothing does. */
const MARKS: Record<Format, RegExp> = {
  json: /["[\]{}]|\/\/|\/\*/g,
  toml: /"""|'''|["'#[\]{}.\n]/g,
  // In plain scalars an apostrophe begins no string. In blocks, an indicator or a blank before a line counts as a level.
  yaml: /[[\]{}]|^(?:[-?:][ \t]|[ \t])+/gm,
};
/** The end of each string or comment: where it must end, or where a lenient reader ends it. */
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
 * Whether an untrusted text has so many levels that a recursive reader could overflow (Z-3); to be checked before reading.
 * Reads each character once. It counts rather too much than too little: brackets in plain scalars of YAML, and each part of
 * a dotted key of TOML, which is a group as well.
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

/** Where a string or comment that began before `from` ends; the end of the text if it never does. */
function endOf(text: string, from: number, end: RegExp): number {
  end.lastIndex = from;
  for (let found = end.exec(text); found; found = end.exec(text))
    if (!found[0].startsWith('\\')) return end.lastIndex;
  return text.length;
}

/** The message for a text that is too deep. */
export const TOO_DEEP = `it has more than ${DEEPEST} levels of lists and groups`;
