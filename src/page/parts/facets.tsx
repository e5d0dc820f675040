import type { Input } from '../data/operations.ts';
import { hrefOf, keptOf } from '../data/route.ts';
import { useCall, useLoad, useSession } from '../data/session.ts';
import { navigate } from '../shell/navigate.ts';
import { shownAuthor, useSpeech } from '../words/words.ts';
import { Choice, DateField } from './fields.tsx';

/** Facets of decisions that are chosen from a few values, as the address names them. */
const CHOICES = ['scope', 'strength', 'outcome', 'author', 'state', 'since', 'until'] as const;
/** Those that are there or not, one at a time. */
export const LOOKS = ['failedBasis', 'debated', 'unsure', 'noEvidence', 'stale'] as const;
type Look = (typeof LOOKS)[number];

type Facet = Pick<Input<'decision_list'>, (typeof CHOICES)[number] | Look>;

/** The facets that an address chooses. */
export function facetsOf(query: URLSearchParams): Facet {
  const chosen = CHOICES.flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value] as const] : [];
  });
  const look = LOOKS.find((name) => name === query.get('look'));
  return { ...Object.fromEntries(chosen), ...lookOf(look) } as Facet;
}

/** A look as `decision_list` takes it. */
export function lookOf(look: Look | undefined): Facet {
  if (look === undefined) return {};
  return look === 'stale' ? { stale: '90d' } : { [look]: true };
}

/** Scope, strength, outcome, author, state and time: each choice is a part of the address. */
export function Facets() {
  const { t, number } = useSpeech();
  const { route } = useSession();
  const call = useCall();
  const scopes = useLoad(() => call('scope_list', { limit: 1000 }), ['scopes', route.query.get('at')]).data
    ?.scopes;
  const authors = useLoad(() => call('author_list', { limit: 1000 }), ['authors', route.query.get('at')]).data
    ?.authors;
  const { query } = route;
  const choose = (name: string, value: string) =>
    navigate(hrefOf('list', '', { ...Object.fromEntries(query), [name]: value }));
  const choice = (
    name: (typeof CHOICES)[number] | 'look',
    options: [value: string, shown: string][],
    unchosen: string = t.all,
  ) => (
    <Choice
      label={t[name]}
      value={query.get(name) ?? ''}
      options={[['', unchosen], ...options]}
      choose={(value) => choose(name, value)}
    />
  );
  const isNarrow = Object.keys(facetsOf(query)).length > 0;
  return (
    <details class="facets" open={isNarrow || innerWidth >= 800}>
      <summary>{t.filters}</summary>
      <div class="fields">
        {choice(
          'scope',
          (scopes ?? []).map(({ scope, total }) => [scope, `${scope} (${number(total)})`]),
        )}
        {choice(
          'strength',
          (['axis', 'lock', 'normal'] as const).map((each) => [each, t[each]]),
        )}
        {choice(
          'outcome',
          (['success', 'failed', 'partial', 'pending'] as const).map((each) => [each, t[each]]),
        )}
        {choice(
          'author',
          (authors ?? [])
            .filter(({ author }) => author !== '')
            .map(({ author }) => [author, shownAuthor(author)]),
        )}
        {choice(
          'state',
          [
            ['withdrawn', t.withdrawn],
            ['superseded', t.superseded],
            ['any', t.everyState],
            ['mistaken', t.mistaken],
          ],
          t.stands,
        )}
        {choice(
          'look',
          LOOKS.map((look) => [look, t.looks[look]]),
        )}
        <DateField
          label={t.since}
          value={query.get('since') ?? ''}
          choose={(value) => choose('since', value)}
        />
        <DateField
          label={t.until}
          value={query.get('until') ?? ''}
          choose={(value) => choose('until', value)}
        />
        {isNarrow && (
          <a class="button" href={hrefOf('list', '', { q: query.get('q') ?? '', ...keptOf(query) })}>
            {t.clearFilters}
          </a>
        )}
      </div>
    </details>
  );
}
