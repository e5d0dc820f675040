import { styleText } from 'node:util';
import Table from 'cli-table3';
import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import { visible } from '../../domain/text/visible.ts';
import {
  type Block,
  type Branch,
  dim,
  type Entry,
  type Span,
  strong,
  type Tone,
  type View,
} from '../../operations/view.ts';
import { localTime, shownDate } from './date.ts';
import { cutToWidth, wrap, wrapLine } from './wrap.ts';

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
      return wrap(
        paint(block.spans, terminal),
        '  '.repeat(block.indent),
        block.isCopied ? Number.POSITIVE_INFINITY : terminal.width,
      );
    case 'entry':
      return renderEntry(block.entry, terminal);
    case 'table':
      // Programs and screen readers read no boxes.
      if (terminal.isPiped)
        return [...(block.head.length > 0 ? [block.head] : []), ...block.rows]
          .map((row) => row.map((cell) => paint([cell], terminal).replace(/\s+/g, ' ')).join('\t'))
          .join('\n');
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

const GAP = '  ';
/** Columns below which a record takes two lines (U-9). */
const ONE_LINE = 72;
/** The share of a line that a name may take before it is cut, and columns that it may take anyway. */
const SHARE = 0.4;
const NAME = 24;

/**
 * A record of a list (U-3): its mark and short id, when and who, what it is, and what it says, cut at the width; with
 * `full`, its text and its reason below. What is cut ends with "…". A line that no terminal shows is whole.
 */
export function renderEntry(entry: Entry, terminal: Terminal): string {
  const { mark, ref, at, who, what, title, text, why } = entry;
  const { entries = 'line' } = terminal;
  const known = [localTime(at), who, what].filter((each) => each !== undefined && each !== '');
  const first: Span[] = [mark, ' ', dim(ref)];
  const facts = entries === 'oneline' ? [] : [dim(known.join(' · '))];
  const said = visible(text.replace(/\s+/g, ' '));
  if (entries === 'full') {
    const below = (part: Span) => wrap(paint([part], terminal), GAP, terminal.width);
    const head = wrap(paint(parted([...first, GAP, ...facts], named(title)), terminal), '', terminal.width);
    return [head, below(text), ...(why ? [below(dim(`because ${why}`))] : []), ''].join('\n');
  }
  if (terminal.width >= ONE_LINE || facts.length === 0 || terminal.isPiped)
    return fitted(parted(first, facts), title, said, terminal);
  // Who comes last: it is what may be cut.
  const short = [localTime(at), what, who].filter((each) => each !== undefined && each !== '').join(' · ');
  const below = { ...terminal, width: terminal.width - GAP.length };
  return `${fitted(first, '', short, terminal)}\n${GAP}${fitted([], title, said, below)}`;
}

/** What comes first, then a name and a text as far as there is room. */
function fitted(first: Span[], title: string, text: string, terminal: Terminal): string {
  const before = stringWidth(first.map((span) => plain(span, terminal)).join(''));
  const room = terminal.isPiped ? Number.MAX_SAFE_INTEGER : Math.max(0, terminal.width - before);
  const parts = [title, text].filter((each) => each !== '');
  const left = room - GAP.length * parts.length;
  const most = text === '' ? left : Math.max(NAME, Math.floor(left * SHARE));
  const name = cutToWidth(visible(title), Math.max(1, Math.min(left, most)));
  const rest = left - stringWidth(name);
  const said = rest < 1 ? '' : cutToWidth(text, rest);
  return paint(parted(first, named(name), said === '' ? [] : [said]), terminal);
}

const named = (title: string): Span[] => (title === '' ? [] : [strong(title)]);

/** The parts with a gap between those that say something. */
function parted(...parts: Span[][]): Span[] {
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, index) => (index === 0 ? part : [GAP, ...part]));
}

/** How much of a record a list shows: a line with all that fits, its name and text alone, or all of it below. */
type EntryLook = 'line' | 'oneline' | 'full';

export interface Terminal {
  /** Characters a line can hold. */
  width: number;
  color: boolean;
  /** When it is read: dates count from it. */
  now: Date;
  /** How much of each record a list shows. Default: a line. */
  entries?: EntryLook | undefined;
  /** Whether a program reads it, and no terminal cuts its lines. */
  isPiped?: boolean | undefined;
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

/** Pieces of a line as text, in colour where the terminal has them. */
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

/** The text of a piece. */
function plain(span: Span, { now }: Terminal): string {
  if (typeof span === 'string') return span;
  return span.date ? shownDate(span.text, now) : span.text;
}
