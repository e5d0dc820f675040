import stringWidth from 'fast-string-width';
import { visible } from '../../domain/text/visible.ts';
import { dim, type Entry, type Span, strong } from '../../operations/view.ts';
import { localTime } from './date.ts';
import { paint, plain, type Terminal } from './paint.ts';
import { cutToWidth, wrap } from './wrap.ts';

const GAP = '  ';
/** Columns below which a record takes two lines (U-9). */
const NARROW = 72;
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
  if (terminal.width >= NARROW || facts.length === 0 || terminal.isPiped)
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
