import type { Shown } from '../data/operations.ts';
import { useHref } from '../data/session.ts';
import { shownAuthor, useSpeech } from '../words/words.ts';
import { Facts } from './rows.tsx';
import { Part } from './states.tsx';

/** The evidence of every version, word for word. */
export function Evidence({ decision: { evidence } }: { decision: Shown }) {
  const { t, day, number } = useSpeech();
  const href = useHref();
  if (evidence.length === 0) return null;
  return (
    <Part id="evidence" title={t.evidence} note={number(evidence.length)}>
      <ul class="rows">
        {evidence.map(({ id, content, version, timestamp, author, observationId, observation }) => (
          <li key={id} class="plain">
            <blockquote>{content}</blockquote>
            {observationId !== undefined && (
              <p class="why">
                {t.evidenceFrom}{' '}
                <a href={href('o', String(observationId))}>
                  #{observationId} {observation}
                </a>
              </p>
            )}
            <Facts of={[t.version(version), day(timestamp), author && shownAuthor(author)]} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Reminders that lead to a decision or to its evidence. */
export function Anchors({ decision: { anchors } }: { decision: Shown }) {
  const { t, day, number } = useSpeech();
  if (anchors.length === 0) return null;
  return (
    <Part id="anchors" title={t.anchors} note={number(anchors.length)}>
      <ul class="rows">
        {anchors.map(({ id, hint, version, createdAt }) => (
          <li key={id} class="plain">
            <p class="text">⚓ {hint}</p>
            <Facts of={[t.version(version), day(createdAt)]} />
          </li>
        ))}
      </ul>
    </Part>
  );
}
