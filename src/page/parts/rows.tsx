import type { ComponentChildren } from 'preact';
import type { Decision, Link } from '../data/operations.ts';
import { useHref } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { Markdown } from './markdown.tsx';
import { Badges, Mark, type State } from './marks.tsx';
import { LEADING_REFERENCE, LinkedText } from './reason-text.tsx';
import { Part } from './states.tsx';

/** Facts on one line. Unknown ones are left out. */
export function Facts({ of }: { of: (string | null | undefined | false)[] }) {
  return <p class="facts">{of.filter(Boolean).join(' · ')}</p>;
}

/** Terms, each with what belongs to it. */
export function Pairs({ of }: { of: (readonly [ComponentChildren, ComponentChildren])[] }) {
  return (
    <dl>
      {of.map(([term, said], place) => (
        <div key={place}>
          <dt>{term}</dt>
          <dd>{said}</dd>
        </div>
      ))}
    </dl>
  );
}

interface RowProps {
  /** Undefined if the record has no view. */
  href: string | undefined;
  title: ComponentChildren;
  /** The symbol of its kind or state. */
  mark: ComponentChildren;
  /** Next to the title. */
  badges?: ComponentChildren;
  text?: ComponentChildren;
  isFailed?: boolean;
  /** Below the text. */
  children?: ComponentChildren;
}

/** A record in a list: its symbol, its title as a link, and its text. */
export function Row({ href, title, mark, badges, text, isFailed, children }: RowProps) {
  return (
    <li class={isFailed ? 'failed' : ''}>
      {mark}
      <div>
        <p class="head">
          {href === undefined ? <strong>{title}</strong> : <a href={href}>{title}</a>}
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

/** A decision in a list: its state as a symbol and in words, its topic as a link, its text. */
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

/** A decision in a list with its reason, scope, date, author and warnings. */
export function ListedDecision({ row }: { row: Decision }) {
  const { t, day, by, tidied } = useSpeech();
  const facts = [
    row.scope,
    row.version > 1 && t.version(row.version),
    day(row.createdAt),
    by(row),
    tidied(row.tidied),
  ];
  return (
    <DecisionRow {...row}>
      <Warnings row={row} />
      {row.why && <p class="why">{row.why}</p>}
      <Facts of={facts} />
    </DecisionRow>
  );
}

/** A decision in a short list, with its date and warnings. */
export function BriefDecision({ row }: { row: Decision }) {
  const { day } = useSpeech();
  return (
    <DecisionRow {...row} badges={<span class="note">{day(row.createdAt)}</span>}>
      <Warnings row={row} />
    </DecisionRow>
  );
}

/** The warnings about a decision in a list: failures are never hidden. */
function Warnings({
  row,
}: {
  row: Pick<Decision, 'outcome' | 'failure' | 'failedAt' | 'earlierFailure' | 'failedBasis' | 'debatedBy'>;
}) {
  const { t, day } = useSpeech();
  return (
    <>
      {row.outcome === 'failed' && (
        <p class="beware">
          {t.thisFailed} {row.failure ?? t.noReasonGiven}
          {row.failedAt && ` (${day(row.failedAt)})`}
        </p>
      )}
      {row.earlierFailure && (
        <p class="beware">
          {t.earlierFailed} {row.earlierFailure}
        </p>
      )}
      <Beware said={t.basisFailed} of={row.failedBasis} />
      <Beware said={t.isDebated} of={row.debatedBy} />
    </>
  );
}

/** A warning for each of these decisions, which lead to them. */
export const Beware = ({ said, of = [] }: { said: string; of: string[] | undefined }) =>
  of.map((each) => (
    <p class="beware" key={each}>
      {said} <LinkedText text={each} names={LEADING_REFERENCE} />
    </p>
  ));

interface Earlier {
  title?: string;
  text: string;
  until: string;
  author?: string | undefined;
  via?: string | undefined;
}

/** What a record said before, each with the day until which it did. @param total if there are more */
export function EarlierTexts({ of, total = of.length }: { of: Earlier[]; total?: number }) {
  const { t, day, number, by } = useSpeech();
  if (of.length === 0) return null;
  return (
    <Part id="earlier" title={t.earlierTexts} note={t.nOfM(number(of.length), number(total))}>
      <ol class="rows">
        {of.map(({ title, text, until, ...written }, place) => (
          <li key={place} class="plain">
            {title && <strong>{title}</strong>}
            <Markdown text={text} />
            <Facts of={[t.untilDay(day(until)), by(written)]} />
          </li>
        ))}
      </ol>
    </Part>
  );
}

/** Linked decisions, current links first. @param asked the version that is shown */
export function LinkedDecisions({ links, asked }: { links: ReturnType<typeof mergeLinks>; asked: number }) {
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
 * Merges the links of several versions to the same decision into one, from its first version to its `last`. An older version
 * of the other decision is left out if its active version is linked in the same way, unless the older one failed.
 */
export function mergeLinks(links: Link[]): (Link & { last: number })[] {
  const same = Map.groupBy(links, ({ relationship, decision }) => `${relationship} ${decision.id}`);
  const active = new Set(links.flatMap((link) => (link.decision.status === 'active' ? [linkKey(link)] : [])));
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
        !active.has(linkKey(link)),
    )
    .sort((a, b) => Number(b.decision.outcome === 'failed') - Number(a.decision.outcome === 'failed'));
}

const linkKey = ({ relationship, decision }: Link): string => `${relationship} ${decision.topic}`;
