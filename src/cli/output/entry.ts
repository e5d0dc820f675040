import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import { visible } from '../../domain/text/visible.ts';
import { dim, type Entry, type Span, strong } from '../../operations/view.ts';
import { localTime } from './date.ts';
import { paint, plain, type Terminal } from './paint.ts';
import { cutToWidth, wrap } from './wrap.ts';

/** Between what stands first on a line and the text, and columns that a text needs to say anything. */
const GAP = '  ';
const SHORTEST_TEXT = 8;

/**
 * A record of a list (U-3): its mark and short id, when and who, what it is, and what it says, cut at the width; with
 * `full`, its text and its reason below.
 */
export function renderEntry(entry: Entry, terminal: Terminal): string {
  const { mark, ref, at, who, what, title, text, why } = entry;
  const { entries = 'line' } = terminal;
  const known = [localTime(at), who, what].filter((each) => each !== undefined && each !== '');
  const named: Span[] = title === '' ? [] : [GAP, strong(title)];
  const facts: Span[] = entries === 'oneline' ? [] : [GAP, dim(known.join(' · '))];
  const first: Span[] = [mark, ' ', dim(ref), ...facts, ...named];
  if (entries !== 'full') return onOneLine(first, text.replace(/\s+/g, ' '), terminal);
  const below = (part: Span) => wrap(paint([part], terminal), GAP, terminal.width);
  return [
    onOneLine(first, '', terminal),
    below(text),
    ...(why ? [below(dim(`because ${why}`))] : []),
    '',
  ].join('\n');
}

/** One line: the text gives way first, then the end of what stands before it. */
function onOneLine(spans: Span[], text: string, terminal: Terminal): string {
  const before = stringWidth(spans.map((span) => plain(span, terminal)).join(''));
  const room = Math.max(0, terminal.width - before - GAP.length);
  const cut = room < SHORTEST_TEXT ? '' : cutToWidth(visible(text), room);
  const line = cut === '' ? paint(spans, terminal) : `${paint(spans, terminal)}${GAP}${cut}`;
  return cut === '' && before > terminal.width
    ? (wrapAnsi(line, terminal.width, { hard: true }).split('\n')[0] as string)
    : line;
}
