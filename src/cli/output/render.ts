import Table from 'cli-table3';
import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import type { Block, Branch, Span, View } from '../../operations/view.ts';
import { renderEntry } from './entry.ts';
import { paint, plain, type Terminal } from './paint.ts';
import { wrap, wrapLine } from './wrap.ts';

/** Longest line that is pleasant to read. */
const READABLE_WIDTH = 120;
/** Narrower than this, a table is a list. */
const NARROW = 60;
/** A view as text for a terminal, with tables, trees and colour. */
export function render(view: View, terminal: Terminal): string {
  const width = Math.min(terminal.width, READABLE_WIDTH);
  return view.map((block) => renderBlock(block, { ...terminal, width })).join('\n');
}

function renderBlock(block: Block, terminal: Terminal): string {
  switch (block.kind) {
    case 'line':
      return wrap(paint(block.spans, terminal), '  '.repeat(block.indent), terminal.width);
    case 'entry':
      return renderEntry(block.entry, terminal);
    case 'table':
      return terminal.width < NARROW
        ? renderList(block.head, block.rows, terminal)
        : renderTable(block.head, block.rows, terminal);
    case 'tree':
      return renderTree(block.root, terminal);
  }
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

/** Columns get what they need while all fit; the widest shrinks first. */
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
