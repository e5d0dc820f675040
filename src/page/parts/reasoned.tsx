import type { Link } from '../data/operations.ts';
import { useHref } from '../data/session.ts';

/** A text as a pattern that finds it. */
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A reason in which the decisions that it refers to are links. @param links those of any version of its decision */
export function Reasoned({ text, links }: { text: string; links: Link[] }) {
  const href = useHref();
  const names = links.flatMap(({ decision: { topic, ref, id } }) =>
    topic === null ? [ref, id] : [topic, ref, id],
  );
  if (names.length === 0) return text;
  // The longest first: a topic may be the beginning of another.
  const any = [...new Set(names)].sort((a, b) => b.length - a.length).map(literal);
  const parts = text.split(
    new RegExp(`(?<![\\p{L}\\p{N}_:-])((?:${any.join('|')})(?:@\\d+)?)(?![\\p{L}\\p{N}_:-])`, 'u'),
  );
  return (
    <>
      {parts.map((part, place) =>
        place % 2 === 0 ? (
          part
        ) : (
          <a key={place} href={href('d', part)}>
            {part}
          </a>
        ),
      )}
    </>
  );
}
