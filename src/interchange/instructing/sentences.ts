import { append } from '../../domain/append.ts';
import type { Sentence } from '../../domain/copies/copies.ts';
import { sentencesIn } from '../../domain/text/segments.ts';
import { frontMatter } from '../importers/front-matter.ts';
import { linesOf, withoutComments } from '../importers/markdown.ts';

/** A sentence of a file, and the line that it begins on. */
export interface Instruction extends Sentence {
  line: number;
}

const MONTH = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\\.?';
const DATE = `(?:\\d{4}[-/.]\\d{1,2}(?:[-/.]\\d{1,2})?(?!\\d)|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{4}|\\d{4}년|${MONTH} (?:\\d{1,2},? )?\\d{4}|\\d{1,2}\\.? ${MONTH},? \\d{4})`;
/** A heading of what was so at a time: a date, a version, or what is called a log. */
const PAST_HEADING = new RegExp(
  `\\b${DATE}|^\\[?v?\\d+\\.\\d+(?:\\.\\d+)?\\b|^\\[?unreleased\\b|^(?:change ?log|(?:decision|change)s? log|history|release notes|what['’]s new|archived?|deprecated|superseded|rejected)\\b|변경 ?(?:이력|내역|기록)|릴리스 ?노트|^이력`,
  'i',
);
/** An entry of a log begins with its date. */
const DATED = new RegExp(`^[*_[(\`~|\\s]*${DATE}`, 'i');
const QUOTATION = /^\s*>/;
/** A box that GitHub draws: it is written as a quotation and is none. */
const ALERT = /^\s*>\s*\[!\w+\]\s*$/;
const ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*)$/s;
const UNDERLINE = /^ {0,3}(?:(=+)|-{2,})\s*$/;
const ROW = /^\s*\|/;
/** A sentence that somebody else said, whole in quotation marks. */
const SAID = /^["“„«「『].*["”»」』]\W*$/s;
/** Characters of a line that are read. */
export const LONGEST = 5_000;

/** Lines that belong together, and where they begin. */
interface Block {
  /** Its indentation if it is an item of a list. */
  indent: number | undefined;
  lines: { text: string; line: number }[];
}

/**
 * The sentences by which a file instructs, each with the headings above it and the line that announces its list (CC-2). Left out
 * are front matter, comments, code, quotations, changelogs and dated entries.
 * @param isRead whether a section instructs, by its heading
 */
export function instructionsIn(
  text: string,
  isRead: (heading: string) => boolean = () => true,
): Instruction[] {
  const found: Instruction[] = [];
  const headings: { level: number; heading: string; isRead: boolean }[] = [];
  let block: Block | undefined;
  let lead = '';
  /** The indentation of a dated item, while what belongs to it is left out. */
  let dated: number | undefined;
  let isQuotation = false;
  let isAlert = false;
  let isList = false;
  const end = () => {
    if (block && dated === undefined && headings.every((each) => each.isRead)) {
      const said = sentencesOf(block);
      const about = [...headings.map(({ heading }) => heading), lead].filter(Boolean).join('\n');
      const sentences = said.map((each) => ({ ...each, about }));
      append(found, sentences);
      const last = block.lines.at(-1)?.text.trim() ?? '';
      if (block.indent === undefined) lead = /[:：]$/.test(last) ? last : '';
    }
    block = undefined;
  };
  const enter = (level: number, heading: string) => {
    end();
    while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
    headings.push({ level, heading, isRead: !PAST_HEADING.test(heading) && isRead(heading) });
    [lead, dated, isList] = ['', undefined, false];
  };
  const plain = withoutFrontMatter(withoutComments(text.replaceAll('\r\n', '\n'), blankLines));
  for (const [at, { text: whole, isCode }] of linesOf(plain).entries()) {
    const line = at + 1;
    const said = whole.slice(0, LONGEST);
    const [, marks, heading = ''] = HEADING.exec(said) ?? [];
    const underline = UNDERLINE.exec(said);
    if (isCode || said.trim() === '') {
      end();
      [isQuotation, isAlert] = [false, false];
    } else if (marks !== undefined) enter(marks.length, unclosed(heading));
    else if (underline && block?.indent === undefined && block?.lines.length === 1) {
      const title = block.lines[0]?.text ?? '';
      block = undefined;
      enter(underline[1] === undefined ? 2 : 1, title);
    } else if (ALERT.test(said)) {
      end();
      isAlert = true;
    } else if (QUOTATION.test(said) && !isAlert) {
      end();
      isQuotation = true;
    } else if (!isQuotation) {
      const shown = isAlert ? said.replace(/^\s*>\s?/, '') : said;
      const item = ITEM.exec(shown);
      const indent = item ? widthOf(item[1] ?? '') : widthOf(/^\s*/.exec(shown)?.[0] ?? '');
      const own = item ? shown.slice(item[0].length) : shown;
      const isRow = ROW.test(shown);
      if (item || isRow || block === undefined) {
        end();
        if (dated !== undefined && (item || !isList || indent === 0) && indent <= dated) dated = undefined;
        // A line that is indented as far as code, and belongs to no list, is code.
        if (!item && !isList && indent >= 4) continue;
        isList = item !== null || (isList && indent > 0);
        if (dated === undefined && DATED.test(own)) dated = indent;
        block = { indent: item ? indent : undefined, lines: [] };
      }
      block.lines.push({ text: own, line });
      if (isRow) end();
      // A paragraph or a row says nothing of what is below it.
      if (isRow && !item) dated = undefined;
    }
  }
  end();
  return found;
}

/** The sentences of a block, which may go on in the next line. */
function sentencesOf({ lines }: Block): { text: string; line: number }[] {
  const starts: { from: number; line: number }[] = [];
  let joined = '';
  for (const { text, line } of lines) {
    starts.push({ from: joined.length, line });
    joined += `${shownOf(text)} `;
  }
  let at = 0;
  let start = 0;
  return sentencesIn(joined).flatMap((part) => {
    const from = at + part.length - part.trimStart().length;
    at += part.length;
    const text = part.trim();
    while ((starts[start + 1]?.from ?? Number.POSITIVE_INFINITY) <= from) start++;
    const line = starts[start]?.line ?? 0;
    return text === '' || SAID.test(text) ? [] : [{ text, line }];
  });
}

/** A line as a reader sees it: links by their words, rows by their cells, nothing that is crossed out. */
const shownOf = (text: string): string =>
  text
    .trim()
    .replace(/^\|[\s:|-]*$/, '')
    .replace(/^\||\|$/g, '')
    .replace(/~~[^~]{0,500}~~/g, '')
    .replace(/\*\*|__(?=\w)|(?<=\w)__/g, '')
    .replace(/!?\[([^[\]]{1,300})\]\([^()\s]{0,500}\)/g, '$1');

/** A heading without the marks that close it. */
const unclosed = (heading: string) =>
  heading
    .trimEnd()
    .replace(/(?<!#)#+$/, '')
    .trimEnd();
const widthOf = (space: string) => space.replaceAll('\t', '    ').length;
const blankLines = (text: string) => text.replace(/[^\n]/g, '');

/** The text with empty lines in the place of its front matter. */
function withoutFrontMatter(text: string): string {
  const { body } = frontMatter(text);
  return blankLines(text.slice(0, text.length - body.length)) + body;
}
