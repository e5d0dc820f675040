import type { Input } from '../data/operations.ts';
import { useCall, useHref, useLoad, useSession } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { CHECKS, checkInput } from './facets.tsx';
import { Await } from './states.tsx';

/** The numbers of decisions that failed, depend on a failure, or were not touched for long, with their lists. */
export function Attention() {
  const { t, number } = useSpeech();
  const { query } = useSession().route;
  const href = useHref();
  const call = useCall();
  const asked: { shown: string; address: Record<string, string>; input: Input<'decision_list'> }[] = [
    { shown: t.activeDecisions, address: {}, input: {} },
    { shown: t.failedActive, address: { outcome: 'failed' }, input: { outcome: 'failed' } },
    {
      shown: t.failedVersions,
      address: { outcome: 'failed', state: 'any' },
      input: { outcome: 'failed', state: 'any' },
    },
    { shown: t.partial, address: { outcome: 'partial' }, input: { outcome: 'partial' } },
    { shown: `${t.outcome}: ${t.pending}`, address: { outcome: 'pending' }, input: { outcome: 'pending' } },
    ...CHECKS.map((look) => ({ shown: t.looks[look], address: { look }, input: checkInput(look) })),
    { shown: t.withdrawn, address: { state: 'withdrawn' }, input: { state: 'withdrawn' } },
  ];
  const counts = useLoad(
    () => Promise.all(asked.map(({ input }) => call('decision_list', { ...input, limit: 1 }))),
    ['counts', query.get('at')],
  );
  return (
    <Await of={counts}>
      {(found) => (
        <ul class="counts">
          {asked.map(({ shown, address }, place) => (
            <li key={shown}>
              <strong>{number(found[place]?.total ?? 0)}</strong>
              <a href={href('list', '', address)} data-row>
                {shown}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Await>
  );
}
