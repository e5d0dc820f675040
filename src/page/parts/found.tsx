import type { Found } from '../data/operations.ts';
import { useHref } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { Badges, KindMark, Mark, type State } from './marks.tsx';
import { literal } from './reason-text.tsx';
import { Beware, Facts, Row } from './rows.tsx';

/** The view of each kind of record. */
export const VIEW_OF_KIND = { decision: 'd', observation: 'o', memo: 'm', checkpoint: 'c' } as const;

/** The `outcome` of a search result begins with one of these, if the decision did not fail. */
const NOT_FAILED = ['success', 'partial'] as const;

/** A pattern of what a search looked for: beginnings of words, and parts of words in Hangul. @param words as the answer has them */
export function patternOf(words: string[]): RegExp {
  const letter = '[[\\p{L}\\p{N}]--\\p{Script=Hangul}]';
  const each = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) =>
      /\p{Script=Hangul}/u.test(word)
        ? literal(word)
        : // The stem of a short word begins many others, and that of "day" is "dai".
          `(?<!${letter})${literal(word).replace(/i$/, '[iy]')}${letter}${word.length < 5 ? '{0,3}' : '*'}(?!${letter})`,
    );
  return new RegExp(each.length === 0 ? '($^)' : `(${each.join('|')})`, 'giv');
}

/** A text in which what was looked for is marked. */
function Marked({ text, marks }: { text: string; marks: RegExp }) {
  return (
    <>{text.split(marks).map((part, place) => (place % 2 === 0 ? part : <mark key={place}>{part}</mark>))}</>
  );
}

/** A search result of any kind. @param isRanked whether the results are ordered by similarity @param marks {@link patternOf} */
export function FoundRow({ row, isRanked, marks }: { row: Found; isRanked: boolean; marks: RegExp }) {
  const { t, day, number, by } = useSpeech();
  const href = useHref();
  const marked = (text: string | undefined) => text && <Marked text={text} marks={marks} />;
  const failed = row.status === 'failed';
  const outcome = failed ? 'failed' : (NOT_FAILED.find((each) => row.outcome?.startsWith(each)) ?? null);
  const warnings = [
    row.outcome_warning,
    row.earlier_failure && `${t.earlierFailed} ${row.earlier_failure}`,
  ].filter((each) => each !== undefined && each !== '');
  const isDecision = row.kind === 'decision';
  const state = {
    status: row.status === 'withdrawn' ? ('withdrawn' as const) : ('active' as const),
    outcome: outcome as State['outcome'],
    ...(row.strength && { strength: row.strength }),
  };
  // A record without a title shows its text as the title.
  const isUntitled = !isDecision && row.title === undefined;
  return (
    <Row
      href={href(VIEW_OF_KIND[row.kind], row.id)}
      title={marked(row.title ?? (isUntitled ? row.text : t.noTopic))}
      mark={isDecision ? <Mark {...state} /> : <KindMark kind={row.kind} />}
      badges={
        isDecision ? (
          <Badges {...state} isBrief />
        ) : (
          <span class="badge">{t.ofKind(1, t.kindsLogged[row.kind])}</span>
        )
      }
      text={!isUntitled && marked(row.text)}
      isFailed={failed}
    >
      {warnings.map((warning) => (
        <p class="beware" key={warning}>
          {marked(warning)}
        </p>
      ))}
      <Beware said={t.basisFailed} of={row.failed_basis} />
      {row.why && !failed && <p class="why">{marked(row.why)}</p>}
      {row.matched && <p class="why">{marked(row.matched)}</p>}
      <Facts
        of={[
          row.scope,
          day(row.when),
          by(row),
          isRanked && t.answers(number(Math.round(100 * (row.similarity ?? 0)))),
        ]}
      />
    </Row>
  );
}
