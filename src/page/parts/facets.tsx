import type { Input } from '../data/operations.ts';
import { useCall, useLoad, useSession } from '../data/session.ts';
import { shownAuthor, useSpeech } from '../words/words.ts';
import { chosenOf, type Field, Filters } from './filters.tsx';

/** Facets of decisions that are chosen from a few values, as the address names them. */
const CHOICES = ['scope', 'strength', 'outcome', 'author', 'state'] as const;
/** Those that are there or not, one at a time. */
export const LOOKS = ['failedBasis', 'debated', 'unsure', 'noEvidence', 'stale'] as const;
type Look = (typeof LOOKS)[number];

type Facet = Pick<Input<'decision_list'>, (typeof CHOICES)[number] | 'since' | 'until' | Look>;

/** The facets that an address chooses. */
export function facetsOf(query: URLSearchParams): Facet {
  const look = LOOKS.find((name) => name === query.get('look'));
  return { ...chosenOf(query, CHOICES), ...lookOf(look) } as Facet;
}

/** A look as `decision_list` takes it. */
export function lookOf(look: Look | undefined): Facet {
  if (look === undefined) return {};
  return look === 'stale' ? { stale: '90d' } : { [look]: true };
}

/** Scope and author, with those that there are: both are parts of the filter of several lists. */
export function useWhoAndWhere(): [scope: Field, author: Field] {
  const { t, number } = useSpeech();
  const at = useSession().route.query.get('at');
  const call = useCall();
  const { data: scopes } = useLoad(() => call('scope_list', { limit: 1000 }), ['scopes', at]);
  const { data: authors } = useLoad(() => call('author_list', { limit: 1000 }), ['authors', at]);
  return [
    {
      name: 'scope',
      label: t.scope,
      options: (scopes?.scopes ?? []).map(({ scope, total }) => [scope, `${scope} (${number(total)})`]),
    },
    {
      name: 'author',
      label: t.author,
      options: (authors?.authors ?? [])
        .filter(({ author }) => author !== '')
        .map(({ author }) => [author, shownAuthor(author)]),
    },
  ];
}

/** Scope, strength, outcome, author, state and time of decisions. */
export function Facets() {
  const { t } = useSpeech();
  const [scope, author] = useWhoAndWhere();
  const named = <Name extends 'axis' | 'lock' | 'normal' | 'success' | 'failed' | 'partial' | 'pending'>(
    names: readonly Name[],
  ) => names.map((name): [string, string] => [name, t[name]]);
  return (
    <Filters
      fields={[
        scope,
        { name: 'strength', label: t.attributes.strength, options: named(['axis', 'lock', 'normal']) },
        { name: 'outcome', label: t.outcome, options: named(['success', 'failed', 'partial', 'pending']) },
        author,
        {
          name: 'state',
          label: t.state,
          unchosen: t.stands,
          options: [
            ['withdrawn', t.withdrawn],
            ['superseded', t.superseded],
            ['any', t.everyState],
            ['mistaken', t.mistaken],
          ],
        },
        { name: 'look', label: t.look, options: LOOKS.map((look) => [look, t.looks[look]]) },
      ]}
    />
  );
}
