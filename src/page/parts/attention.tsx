import { useCall, useHref, useLoad } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { CHECKS, facetsIn } from './facets.tsx';
import { Await, Part } from './states.tsx';

/** How many decisions failed, depend on a failure, or were not touched for long, with their lists. */
export function Attention() {
  const { t, number } = useSpeech();
  const href = useHref();
  const call = useCall();
  const asked: [shown: string, address: Record<string, string>][] = [
    [t.failedActive, { outcome: 'failed' }],
    [t.failedVersions, { outcome: 'failed', state: 'any' }],
    [t.partlyWorked, { outcome: 'partial' }],
    [t.withoutOutcome, { outcome: 'pending' }],
    ...CHECKS.map((look): [string, Record<string, string>] => [t.looks[look], { look }]),
    [t.withdrawn, { state: 'withdrawn' }],
  ];
  const counts = useLoad(
    () =>
      Promise.all(
        [{}, ...asked.map(([, address]) => address)].map((address) =>
          call('decision_list', { ...facetsIn(new URLSearchParams(address)), limit: 1 }),
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
              of={asked.map(([shown, address], place) => [
                found[place]?.total ?? 0,
                shown,
                href('list', '', address),
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
          {href === undefined ? (
            what
          ) : (
            <a href={href} data-row>
              {what}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
