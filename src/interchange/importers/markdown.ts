const FENCE = /^\s*(?<marks>`{3,}|~{3,})(?<info>.*)$/;
const INLINE = /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g;

/** What no reader sees. */
export const COMMENT = /<!--[\s\S]*?-->/g;

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
    const { marks = '', info = '' } = FENCE.exec(text)?.groups ?? {};
    if (open !== undefined) {
      if (marks.startsWith(open) && info.trim() === '') open = undefined;
      return { text, isCode: true };
    }
    const isFence = marks !== '' && !(marks.startsWith('`') && info.includes('`'));
    if (isFence) open = marks;
    return { text, isCode: isFence };
  });
}

/** What stands above the first heading of a level, and each part under one; a heading in code is none. */
export function sectionsIn(markdown: string, level = 2): { top: string; sections: Section[] } {
  const headed = new RegExp(`^#{${level}}\\s+(.*)$`);
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
export const withoutCode = (markdown: string): string => withoutBlocks(markdown).replace(INLINE, '');
