import type { ComponentChildren } from 'preact';
import type { Decision, Link } from '../data/operations.ts';
import { useHref } from '../data/session.ts';
import { shownAuthor, useSpeech } from '../words/words.ts';
import { Badges, Mark, type State } from './marks.tsx';
import { FIRST_NAME, Linked } from './reasoned.tsx';

/** Facts on one line. Those that are not known are left out. */
export function Facts({ of }: { of: (string | undefined | false)[] }) {
  return <p class="facts">{of.filter(Boolean).join(' · ')}</p>;
}

interface RowProps {
  /** Undefined for what has no view. */
  href: string | undefined;
  title: string;
  /** What it is, as a shape. */
  mark: ComponentChildren;
  /** Beside the title. */
  badges?: ComponentChildren;
  text?: ComponentChildren;
  isFailed?: boolean;
  /** Below the text. */
  children?: ComponentChildren;
}

/** A record in a list: what it is as a shape, its name as the way to it, and what it says. */
export function Row({ href, title, mark, badges, text, isFailed, children }: RowProps) {
  return (
    <li class={isFailed ? 'failed' : ''}>
      {mark}
      <div>
        <p class="head">
          {href === undefined ? (
            <strong>{title}</strong>
          ) : (
            <a href={href} data-row>
              {title}
            </a>
          )}
          {badges}
        </p>
        {text && <p class="text">{text}</p>}
        {children}
      </div>
    </li>
  );
}

type DecisionRowProps = State &
  Omit<RowProps, 'mark' | 'href' | 'title'> & { id: string; topic: string | null };

/** A decision in a list: its state as a shape and in words, its topic as the way to it, its text. */
export function DecisionRow({ id, topic, badges, text, children, ...state }: DecisionRowProps) {
  const { t } = useSpeech();
  const href = useHref();
  const words = (
    <>
      {badges}
      <Badges {...state} isBrief />
    </>
  );
  return (
    <Row
      href={href('d', id)}
      title={topic ?? t.noTopic}
      mark={<Mark {...state} />}
      badges={words}
      text={text}
      isFailed={state.outcome === 'failed'}
    >
      {children}
    </Row>
  );
}

/** A decision of a list with why, where, when and who, and with whatever speaks against it. */
export function ListedDecision({ row }: { row: Decision }) {
  const { t, day } = useSpeech();
  const facts = [
    row.scope,
    row.version > 1 && t.version(row.version),
    day(row.createdAt),
    row.author && shownAuthor(row.author),
  ];
  return (
    <DecisionRow {...row}>
      <Warnings row={row} />
      {row.why && row.outcome !== 'failed' && <p class="why">{row.why}</p>}
      <Facts of={facts} />
    </DecisionRow>
  );
}

/** What speaks against a decision, in a list: failures are never hidden. */
function Warnings({
  row,
}: {
  row: Pick<Decision, 'outcome' | 'why' | 'failedAt' | 'earlierFailure' | 'failedBasis' | 'debatedBy'>;
}) {
  const { t, day } = useSpeech();
  return (
    <>
      {row.outcome === 'failed' && (
        <p class="beware">
          {t.thisFailed} {row.why ?? t.noReasonGiven}
          {row.failedAt && ` (${day(row.failedAt)})`}
        </p>
      )}
      {row.earlierFailure && (
        <p class="beware">
          {t.earlierFailed} {row.earlierFailure}
        </p>
      )}
      {row.failedBasis?.map((basis) => (
        <p class="beware" key={basis}>
          {t.basisFailed} <Linked text={basis} names={FIRST_NAME} />
        </p>
      ))}
      {row.debatedBy?.map((other) => (
        <p class="beware" key={other}>
          {t.isDebated} <Linked text={other} names={FIRST_NAME} />
        </p>
      ))}
    </>
  );
}

/** Decisions that one is linked with, those of today first. @param asked the version that is read */
export function LinkedDecisions({ links, asked }: { links: ReturnType<typeof eachOnce>; asked: number }) {
  const { t } = useSpeech();
  return (
    <ul class="rows">
      {links
        .toSorted((a, b) => Number(a.last < asked) - Number(b.last < asked))
        .map(({ relationship, version, last, decision }) => (
          <DecisionRow
            key={relationship + decision.id}
            {...decision}
            badges={
              <>
                <span class={`badge ${relationship}`}>{t.links[relationship]}</span>
                {last < asked ? (
                  <span class="note">{t.onlyVersions(version, last)}</span>
                ) : (
                  version > 1 && <span class="note">{t.sinceVersion(version)}</span>
                )}
              </>
            }
          />
        ))}
    </ul>
  );
}

/**
 * Links of several versions to the same decision are one, from the first of them to the `last`. An older version of the
 * other decision is left out where its newest is linked in the same way, unless it failed.
 */
export function eachOnce(links: Link[]): (Link & { last: number })[] {
  const same = Map.groupBy(links, ({ relationship, decision }) => `${relationship} ${decision.id}`);
  const standing = new Set(links.flatMap((link) => (link.decision.status === 'stands' ? [wayOf(link)] : [])));
  return [...same.values()]
    .map((each) => ({
      ...each.reduce((a, b) => (a.version <= b.version ? a : b)),
      last: Math.max(...each.map(({ version }) => version)),
    }))
    .filter(
      (link) =>
        link.decision.topic === null ||
        link.decision.status !== 'superseded' ||
        link.decision.outcome === 'failed' ||
        !standing.has(wayOf(link)),
    )
    .sort((a, b) => Number(b.decision.outcome === 'failed') - Number(a.decision.outcome === 'failed'));
}

const wayOf = ({ relationship, decision }: Link): string => `${relationship} ${decision.topic}`;
