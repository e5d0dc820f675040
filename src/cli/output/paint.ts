import { styleText } from 'node:util';
import { visible } from '../../domain/text/visible.ts';
import type { Span, Tone } from '../../operations/view.ts';
import { shownDate } from './date.ts';

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
export function paint(spans: Span[], terminal: Terminal): string {
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
export function plain(span: Span, { now }: Terminal): string {
  if (typeof span === 'string') return span;
  return span.date ? shownDate(span.text, now) : span.text;
}
