import { type Block, dim, row, type Span, strong } from '../view.ts';

/** What one line of a list or of the log shows. */
interface EntryLine {
  /** What became of it, as one character. */
  mark: Span;
  ref: string;
  day: string;
  who?: string | undefined;
  /** What happened, such as `decided`; nothing where every line would say the same. */
  what?: string | undefined;
  title: string;
  text: string;
}

/** A record on one line (U-3): its mark and short id, when and who, then what it is and what it says, cut at the width. */
export function entryLine({ mark, ref, day, who, what, title, text }: EntryLine): Block {
  const facts = [day, who, what].filter((each) => each !== undefined).join(' · ');
  const named = title === '' ? [] : ['  ', strong(title)];
  return row([mark, ' ', dim(ref), '  ', dim(facts), ...named], text.replace(/\s+/g, ' '));
}
