import { useCall, useHref, useLoad } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { Await, Part } from './states.tsx';

/** The flags that are counted. */
const FLAGS = ['failed-basis', 'debated', 'unsure', 'no-evidence'] as const;

/** How many decisions failed, depend on a failure, or were not touched for long, with their lists. */
export function Attention() {
  const { t, number } = useSpeech();
  const href = useHref();
  const call = useCall();
  const asked = [
    [t.failedActive, 'outcome:failed state:active'],
    [t.failedVersions, 'outcome:failed'],
    [t.partlyWorked, 'outcome:partial state:active'],
    [t.withoutOutcome, 'outcome:pending'],
    ...FLAGS.map((look) => [t.looks[look], `is:${look}`] as const),
    [t.unchanged, 'stale:90d'],
    [t.withdrawn, 'state:withdrawn'],
  ] as const;
  const counts = useLoad(
    () =>
      Promise.all(
        ['', ...asked.map(([, filter]) => filter)].map((filter) =>
          call('decision_list', { ...(filter !== '' && { filter }), limit: 1 }),
        ),
      ),
    ['counts'],
  );
  return (
    <Await of={counts}>
      {([all, ...found]) =>
        [all, ...found].some((each) => each?.total) && (
          <Part id="attention" title={t.attention} note={t.amongActive(number(all?.total ?? 0))}>
            <Counts
              of={asked.map(([shown, q], place) => [
                found[place]?.total ?? 0,
                shown,
                href('list', '', { q }),
              ])}
            />
          </Part>
        )
      }
    </Await>
  );
}

/** Numbers with what they count, each with its list. What there is nothing of is left out. */
export function Counts({ of }: { of: [count: number, shown: string, href: string | undefined][] }) {
  const { t, number } = useSpeech();
  const shown = of.filter(([count]) => count > 0);
  if (shown.length === 0) return <p class="quiet">{t.nothing}</p>;
  return (
    <ul class="counts">
      {shown.map(([count, what, href]) => (
        <li key={href ?? what}>
          <strong>{number(count)}</strong>
          {href === undefined ? what : <a href={href}>{what}</a>}
        </li>
      ))}
    </ul>
  );
}
