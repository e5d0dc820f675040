import type { Reference } from '../../domain/edge.ts';
import type { Link } from '../data/operations.ts';
import { useHref } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';

/** Escapes a text for use in a regular expression. */
export const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The words that make links, as in src/domain/reasoning/words.ts. */
const LINKS: Record<Reference, string> = {
  builds_on: 'builds[_ -]?on|alongside',
  debates: 'debates',
  synthesizes: 'synthesizes',
};
const KINDS = Object.keys(LINKS) as Reference[];
/** A line of a reason that links to decisions, such as `builds_on: infra:redis`. */
const LINK_LINE = new RegExp(
  `^[\\s>*_\`-]*(?:${KINDS.map((kind) => `(?<${kind}>${LINKS[kind]})`).join('|')})[*_\`]*\\s*[:：]\\s*(?<named>.{1,2000})$`,
  'i',
);
/** A topic with a colon, or an id. */
const NAME = '[^\\s,;:()[\\]"“]+:[^\\s,;()[\\]"“]*[\\p{L}\\p{N}]|[0-9a-f]{8}[0-9a-f-]*';
/** The reference at the beginning of a warning. */
export const LEADING_REFERENCE = `^(?:${NAME})`;

/** A text whose references are links. @param names a pattern of references; `#7` is an observation */
export function LinkedText({ text, names }: { text: string; names: string }) {
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

/** A pattern of the names of linked decisions, for {@link LinkedText}. @param links those of any version of the decision */
export function namesOf(links: Link[]): string {
  const names = links.flatMap(({ decision: { topic, ref, id } }) =>
    topic === null ? [ref, id] : [topic, ref, id],
  );
  // The longest first: a topic may be a prefix of another.
  return [...new Set(names)]
    .sort((a, b) => b.length - a.length)
    .map(literal)
    .join('|');
}

/** A reason whose references are links. A line that only links is shown with a badge (W-2). @param names as of {@link LinkedText} */
export function ReasonText({ text, names = '' }: { text: string; names?: string }) {
  const { t } = useSpeech();
  return (
    <>
      {text.split('\n').map((line, place) => {
        const { named, ...words } = LINK_LINE.exec(line)?.groups ?? {};
        const how = KINDS.find((kind) => words[kind]);
        return (
          <>
            {place > 0 && '\n'}
            {how && (
              <>
                <span class={`badge ${how}`}>{t.links[how]}</span>{' '}
              </>
            )}
            <LinkedText text={named ?? line} names={named ? `${names}${names && '|'}${NAME}` : names} />
          </>
        );
      })}
    </>
  );
}
