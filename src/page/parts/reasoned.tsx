import type { Link } from '../data/operations.ts';
import { useHref } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';

/** A text as a pattern that finds it. */
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A line of a reason that names decisions, such as `builds_on: infra:redis`: its word, and what it names. */
const NAMING = /^[\s>*_`-]*(builds[_ -]?on|debates|synthesizes)[*_`]*\s*[:：]\s*(.+)$/i;
const NAMED_BY = { b: 'builds_on', d: 'debates', s: 'synthesizes' } as const;
/** A topic with its colon, or an id. */
const NAME = '[^\\s,;:()[\\]"“]+:[^\\s,;()[\\]"“]*[\\p{L}\\p{N}]|[0-9a-f]{8}[0-9a-f-]*';
/** Where a warning names the decision that it is about. */
export const FIRST_NAME = `^(?:${NAME})`;

/** A text in which what it refers to are links. @param names a pattern of what is one; `#7` is an observation */
export function Linked({ text, names }: { text: string; names: string }) {
  const href = useHref();
  if (names === '') return text;
  const parts = text.split(
    new RegExp(`(?<![\\p{L}\\p{N}_:-])((?:${names})(?:@\\d+)?)(?!:?[\\p{L}\\p{N}_-])`, 'u'),
  );
  return (
    <>
      {parts.map((part, place) =>
        place % 2 === 0 ? (
          part
        ) : (
          <a key={place} href={part[0] === '#' ? href('o', part.slice(1)) : href('d', part)}>
            {part}
          </a>
        ),
      )}
    </>
  );
}

/**
 * A reason in which the decisions that it refers to are links, and a line that does nothing else is said in words (W-2).
 * @param links those of any version of its decision
 */
export function Reasoned({ text, links = [] }: { text: string; links?: Link[] }) {
  const { t } = useSpeech();
  const names = links.flatMap(({ decision: { topic, ref, id } }) =>
    topic === null ? [ref, id] : [topic, ref, id],
  );
  // The longest first: a topic may be the beginning of another.
  const known = [...new Set(names)].sort((a, b) => b.length - a.length).map(literal);
  return (
    <>
      {text
        .trim()
        .split('\n')
        .map((line, place) => {
          const [, word = '', named] = NAMING.exec(line) ?? [];
          const how = NAMED_BY[word[0]?.toLowerCase() as keyof typeof NAMED_BY];
          return (
            <>
              {place > 0 && '\n'}
              {named && (
                <>
                  <span class={`badge ${how}`}>{t.links[how]}</span>{' '}
                </>
              )}
              <Linked text={named ?? line} names={(named ? [...known, NAME] : known).join('|')} />
            </>
          );
        })}
    </>
  );
}
