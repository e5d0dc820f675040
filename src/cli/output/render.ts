import { styleText } from 'node:util';
import Table from 'cli-table3';
import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import { visible } from '../../domain/text/visible.ts';
import type { Block, Branch, Span, Tone, View } from '../../operations/view.ts';
import { shownDate } from './date.ts';

export interface Terminal {
  /** Characters a line can hold. */
  width: number;
  color: boolean;
  /** When it is read: dates are told from it. */
  now: Date;
  /** What was asked for, to mark where the answer holds it. */
  mark?: RegExp | undefined;
}

const STYLE: Record<Tone, Parameters<typeof styleText>[0] | undefined> = {
  plain: undefined,
  strong: 'bold',
  dim: 'gray',
  good: 'green',
  warn: 'yellow',
  bad: 'red',
};
/** Longest line that is pleasant to read. */
const READABLE_WIDTH = 120;
/** Narrower than this, a table is a list. */
const NARROW = 60;
/** The blanks with which a broken line begins, behind the signs of its colour. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const BROKEN = /^((?:\u001b\[[0-9;]*m)*) +/;
/** Longer texts are left to the terminal to break: measuring each of their characters takes seconds per megabyte. */
const LONGEST_WRAPPED = 20_000;

/** Between what stands first on a line and the text, and columns that a text needs to say anything. */
const GAP = '  ';
const SHORTEST_TEXT = 8;

/** A view as text for a terminal, with tables, trees and colour. */
export function render(view: View, terminal: Terminal): string {
  const width = Math.min(terminal.width, READABLE_WIDTH);
  return view.map((block) => renderBlock(block, { ...terminal, width })).join('\n');
}

function renderBlock(block: Block, terminal: Terminal): string {
  switch (block.kind) {
    case 'line':
      return wrap(paint(block.spans, terminal), '  '.repeat(block.indent), terminal.width);
    case 'row':
      return renderRow(block.spans, block.text, terminal);
    case 'table':
      return terminal.width < NARROW
        ? renderList(block.head, block.rows, terminal)
        : renderTable(block.head, block.rows, terminal);
    case 'tree':
      return renderTree(block.root, terminal);
  }
}

/** One line: the text gives way first, then the end of what stands before it. */
function renderRow(spans: Span[], text: string, terminal: Terminal): string {
  const before = stringWidth(spans.map((span) => plain(span, terminal)).join(''));
  const room = Math.max(0, terminal.width - before - GAP.length);
  const cut = room < SHORTEST_TEXT ? '' : cutToWidth(visible(text), room);
  const line = cut === '' ? paint(spans, terminal) : `${paint(spans, terminal)}${GAP}${cut}`;
  return cut === '' && before > terminal.width
    ? (wrapAnsi(line, terminal.width, { hard: true }).split('\n')[0] as string)
    : line;
}

/** A text of at most so many columns; one that is longer ends with "…". */
function cutToWidth(text: string, columns: number): string {
  if (text.length < columns / 2 || stringWidth(text) <= columns) return text;
  let width = 0;
  let cut = '';
  for (const character of text) {
    width += stringWidth(character);
    if (width > columns - 1) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}

/** A table where there is no room for one: a row is its cells, one below the other (U-9). */
function renderList(head: string[], rows: Span[][], terminal: Terminal): string {
  const cells = rows.map((row) =>
    row
      .map((span, column) => {
        const title = head[column] ? `${head[column]}: ` : '';
        const text = paint([{ text: title, tone: 'dim' }, span], terminal);
        return wrap(text, column === 0 ? '' : '  ', terminal.width);
      })
      .join('\n'),
  );
  return cells.join('\n\n');
}

function renderTable(head: string[], rows: Span[][], terminal: Terminal): string {
  const widths = columnWidths(
    [...rows.map((row) => row.map((span) => plain(span, terminal))), head],
    terminal.width,
  );
  const table = new Table({
    ...(head.length > 0 && { head: head.map((title) => paint([{ text: title, tone: 'dim' }], terminal)) }),
    style: { head: [], border: [], compact: true },
    colWidths: widths,
  });
  const cell = (span: Span, column: number) =>
    wrapAnsi(paint([span], terminal), (widths[column] as number) - 2, { hard: true });
  table.push(...rows.map((row) => row.map(cell)));
  return table.toString();
}

/** Columns get what they need while all fit; the widest gives way first. */
function columnWidths(rows: string[][], width: number): number[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(
      ...rows.map((row) => Math.max(...(row[column] ?? '').split('\n').map((text) => stringWidth(text))) + 2),
    ),
  );
  const borders = widths.length + 1;
  for (;;) {
    const total = widths.reduce((sum, each) => sum + each, borders);
    const widest = widths.indexOf(Math.max(...widths));
    if (total <= width || (widths[widest] as number) <= 12) return widths;
    widths[widest] = Math.max(12, (widths[widest] as number) - (total - width));
  }
}

function renderTree(root: Branch, terminal: Terminal): string {
  const lines: string[] = [];
  const walk = (branch: Branch, first: string, rest: string) => {
    const below = branch.children.length > 0 ? `${rest}│ ` : `${rest}  `;
    const room = terminal.width - Math.max(stringWidth(first), stringWidth(below));
    const label = wrapLine(paint(branch.label, terminal), Math.max(20, room)).split('\n');
    lines.push(...label.map((text, index) => ((index === 0 ? first : below) + text).trimEnd()));
    branch.children.forEach((child, index) => {
      const last = index === branch.children.length - 1;
      walk(child, `${rest}${last ? '└─ ' : '├─ '}`, `${rest}${last ? '   ' : '│  '}`);
    });
  };
  walk(root, '', '');
  return lines.join('\n');
}

function wrap(text: string, indent: string, width: number): string {
  const wrapped =
    text.length > LONGEST_WRAPPED
      ? text
      : text
          .split('\n')
          .map((each) => wrapLine(each, Math.max(20, width - indent.length)))
          .join('\n');
  return wrapped
    .split('\n')
    .map((line) => (indent + line).trimEnd())
    .join('\n');
}

/** A line as it was saved keeps the blanks at its beginning; a line that was broken begins with a word. */
function wrapLine(text: string, width: number): string {
  const [first = '', ...rest] = wrapAnsi(text, width, { hard: true, trim: false }).split('\n');
  return [first, ...rest.map((line) => line.replace(BROKEN, '$1'))].join('\n');
}

function paint(spans: Span[], terminal: Terminal): string {
  return spans
    .map((span) => {
      const tone = typeof span === 'string' ? 'plain' : span.tone;
      const text = visible(plain(span, terminal));
      if (!terminal.color) return text;
      const style = STYLE[tone];
      if (style) return styled(style, text);
      return terminal.mark ? text.replace(terminal.mark, (found) => styled('underline', found)) : text;
    })
    .join('');
}

function styled(style: NonNullable<(typeof STYLE)[Tone]>, text: string): string {
  return styleText(style, text, { validateStream: false });
}

function plain(span: Span, { now }: Terminal): string {
  if (typeof span === 'string') return span;
  return span.date ? shownDate(span.text, now) : span.text;
}
