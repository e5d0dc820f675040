import type { Logged } from '../data/operations.ts';
import { useHref } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { VIEW_OF_KIND } from './found.tsx';
import { KindMark, Mark } from './marks.tsx';
import { LinkedText } from './reason-text.tsx';
import { Facts, Row } from './rows.tsx';

/** An entry of the log: what happened, when and by whom; for a decision also why, and the earlier text. */
export function LogRow({ entry }: { entry: Logged }) {
  const { t, time, by } = useSpeech();
  const { kind, what, topic, title, text, scope, strength = 'normal', was, why } = entry;
  const outcome = becameThen(entry);
  const isDecision = kind === 'decision' || kind === 'outcome';
  const status = what === 'withdrawn' ? 'withdrawn' : 'active';
  const name = topic ?? title ?? text;
  const [happened, since] = [t.happened[what] ?? what, entry.removed ? ` · ${t.undoneVersion}` : ''];
  return (
    <Row
      href={useAddress(entry)}
      title={name === '' ? t.noTopic : name}
      mark={isDecision ? <Mark {...{ status, outcome, strength }} /> : <KindMark kind={kind} />}
      badges={<span class={`badge ${outcome ?? status}`}>{happened + since}</span>}
      text={name !== text && <LinkedText text={text} names={kind === 'change' ? '#\\d+' : ''} />}
      isFailed={outcome === 'failed'}
    >
      {what === 'revised' && was && (
        <p class="why">
          <b>{t.was}</b> {was}
        </p>
      )}
      {why && (
        <p class="why">
          <b>{what === 'revised' ? t.changedBecause : t.why}:</b> {why}
        </p>
      )}
      <Facts of={[scope, time(entry.at), by(entry)]} />
    </Row>
  );
}

/** What an entry says that became of a decision. An entry of a decision does not show what became of it later. */
const becameThen = ({ kind, outcome }: Logged) => (kind === 'outcome' && outcome) || null;

/** How other kinds are found in the view of their decision: by the id that they are shown with, or by its topic. */
const WITH_DECISION: Record<Exclude<NonNullable<Logged['of']>, keyof typeof VIEW_OF_KIND>, 'id' | 'topic'> = {
  outcome: 'id',
  evidence: 'topic',
  anchor: 'topic',
  redaction: 'id',
};

/** The view of what it happened to. */
export function useAddress({ of, kind, ...named }: Pick<Logged, 'kind' | 'of' | 'id' | 'topic'>) {
  const href = useHref();
  const changed = kind === 'change' ? of : kind;
  if (changed === undefined) return undefined;
  if (named.id?.startsWith('#')) return href(VIEW_OF_KIND.observation, named.id.slice(1));
  const isOwn = changed in VIEW_OF_KIND;
  const ref = named[isOwn ? 'id' : WITH_DECISION[changed as keyof typeof WITH_DECISION]];
  return ref && href(VIEW_OF_KIND[isOwn ? (changed as keyof typeof VIEW_OF_KIND) : 'decision'], ref);
}

/** An entry of the log in short. */
export function LogLine({ entry }: { entry: Logged }) {
  const { t, day } = useSpeech();
  const { what, at } = entry;
  const outcome = becameThen(entry);
  const href = useAddress(entry);
  const title = (entry.topic ?? entry.title ?? entry.text) || t.noTopic;
  return (
    <li>
      {href === undefined ? title : <a href={href}>{title}</a>}
      <span class={`note ${outcome ?? ''}`}>
        {t.happened[what] ?? what} · {day(at)}
      </span>
    </li>
  );
}
