/** The marks that git leaves in a file where two sides changed one place. */
export const CONFLICT = /^(<{7}|\|{7}|={7}|>{7})( |$)/;

/** Why a text is not read whose merge was not resolved, by line; undefined where nothing is left of one (I-1). */
export function unresolved(text: string): string | undefined {
  if (!text.includes('<<<<<<< ') || !text.includes('>>>>>>> ')) return undefined;
  const at = linesOf(text).findIndex(({ text: line, isCode }) => !isCode && CONFLICT.test(line));
  return at < 0 ? undefined : `line ${at + 1} was left by a merge that was not resolved`;
}

/** The mark of an item of a list. */
export const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+/;
const FENCE = /^\s*(?<marks>`{3,}|~{3,})(?<info>.*)$/s;

/**
 * The text without comments, which no reader sees; one that never ends is a text.
 * @param left what stays in the place of a comment
 */
export function withoutComments(text: string, left: (comment: string) => string = () => ''): string {
  const parts: string[] = [];
  let from = 0;
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', start + 4);
    if (end < 0) break;
    parts.push(text.slice(from, start), left(text.slice(start, end + 3)));
    from = end + 3;
  }
  return from === 0 ? text : parts.join('') + text.slice(from);
}

/** A line of a text, and whether it belongs to a block of code, with its fences. */
export interface Line {
  text: string;
  isCode: boolean;
}

/** A part of a markdown text under a heading. */
export interface Section {
  heading: string;
  body: string;
}

/** A block of code ends with as many of the same marks, or with the text. */
export function linesOf(markdown: string): Line[] {
  let open: string | undefined;
  return markdown.split('\n').map((text) => {
    // Nearly no line is one, and a text has many.
    const mayBeFence = text.includes('```') || text.includes('~~~');
    const { marks = '', info = '' } = (mayBeFence && FENCE.exec(text)?.groups) || {};
    if (open !== undefined) {
      if (marks.startsWith(open) && info.trim() === '') open = undefined;
      return { text, isCode: true };
    }
    const isFence = marks !== '' && !(marks.startsWith('`') && info.includes('`'));
    if (isFence) open = marks;
    return { text, isCode: isFence };
  });
}

/** The text above the first heading of a level, and each part under one; a heading in code does not count. */
export function sectionsIn(markdown: string, level = 2): { top: string; sections: Section[] } {
  const headed = new RegExp(`^#{${level}}\\s+(.*)$`, 's');
  const parts: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  for (const { text, isCode } of linesOf(markdown)) {
    const [, heading] = (!isCode && headed.exec(text)) || [];
    if (heading === undefined) parts.at(-1)?.lines.push(text);
    else parts.push({ heading: heading.trim(), lines: [] });
  }
  const [top = '', ...bodies] = parts.map(({ lines }) => lines.join('\n'));
  return { top, sections: bodies.map((body, index) => ({ heading: parts[index + 1]?.heading ?? '', body })) };
}

/** The text without its blocks of code. */
export function withoutBlocks(markdown: string): string {
  const lines = linesOf(markdown).filter(({ isCode }) => !isCode);
  return lines.map(({ text }) => text).join('\n');
}

/** The text without any code. */
export const withoutCode = (markdown: string): string =>
  withoutBlocks(markdown).split('\n').map(withoutInline).join('\n');

/** A line without code: what is between as many of the same marks. */
function withoutInline(line: string): string {
  const parts = line.split(/(`+)/);
  const last = new Map(parts.map((part, at) => [part, at]));
  const kept: string[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? '';
    const isCode = part.startsWith('`') && (last.get(part) ?? 0) > at;
    if (isCode) at = parts.indexOf(part, at + 1);
    else kept.push(part);
  }
  return kept.join('');
}
