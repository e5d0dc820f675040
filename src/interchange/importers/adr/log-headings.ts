import type { Line } from '../markdown.ts';
import { isGround, nameOf } from './words.ts';

/** A field of an entry in a line of its own: `- **Reason:** it is small`. */
export const FIELD =
  /^\s*(?:[-*+]\s+)?(?:\*\*|__)?([^\s*_:：|][^*_:：|]{1,39}?)(?:[.:：](?:\*\*|__)|(?:\*\*|__)?\s*[:：](?:\*\*|__)?|(?:\*\*|__)[.:：])(?:\s+(.*))?$/s;

export const isOfDecision = (heading: string): boolean =>
  ['decision', 'what'].includes(nameOf(heading) ?? '');

/** The state of what is struck out: `~~Heat with gas~~`. */
export const STRUCK = ' (superseded)';

/** The level of a heading, and what it says; 0 for any other line. */
export function headingIn({ text, isCode }: Line): { level: number; heading: string } {
  const [, marks = '', heading = ''] = (!isCode && /^(#{1,6}) (.*)$/.exec(text)) || [];
  return { level: marks.length, heading: heading.replace(/^~~(.+)~~$/, `$1${STRUCK}`) };
}

/** Lines with a heading `Decision` that are next to one for the reasons: what is below them is an entry without a title. */
export function untitledIn(lines: Line[]): Set<Line> {
  const headings = lines.flatMap((line) => {
    const { level, heading } = headingIn(line);
    return level > 0 ? { line, level, heading } : [];
  });
  const found = headings.filter(({ level, heading }, index) => {
    const next = headings[index + 1];
    return nameOf(heading) === 'decision' && next?.level === level && isGround(next.heading);
  });
  return new Set(found.map(({ line }) => line));
}

/** Headings with a field for the decision right below them. */
export function decidedIn(lines: Line[]): Set<Line> {
  const found = new Set<Line>();
  let nearest: Line | undefined;
  for (const line of lines) {
    if (headingIn(line).level > 0) nearest = line;
    else if (nearest && !line.isCode && isOfDecision(FIELD.exec(line.text)?.[1] ?? '')) found.add(nearest);
  }
  return found;
}
