import type { Input } from '../data/operations.ts';
import { useLoad, useRead, useSession } from '../data/session.ts';
import { shownAuthor, useSpeech } from '../words/words.ts';
import { type Field, filtersIn } from './filters.tsx';
import type { State } from './marks.tsx';

/** Facets of decisions with a few values each, named as in the address. */
const CHOICES = ['scope', 'strength', 'outcome', 'author', 'via', 'session', 'state'] as const;
type Named = State['status'] | NonNullable<State['outcome' | 'strength']> | 'pending';
/** Yes-or-no facets; one of them can be chosen. */
export const CHECKS = ['failedBasis', 'debated', 'unsure', 'noEvidence', 'stale'] as const;
type Look = (typeof CHECKS)[number];

type Facet = Pick<Input<'decision_list'>, (typeof CHOICES)[number] | 'since' | 'until' | Look>;

/** The facets of an address. */
export function facetsIn(query: URLSearchParams): Facet {
  const look = CHECKS.find((name) => name === query.get('look'));
  return { ...filtersIn(query, CHOICES), ...checkInput(look) } as Facet;
}

/** A yes-or-no facet as input of `decision_list`. */
function checkInput(look: Look | undefined): Facet {
  if (look === undefined) return {};
  return look === 'stale' ? { stale: '90d' } : { [look]: true };
}

/** The filter fields for scope, author, program and session, with the existing values. Several lists use them. */
export function useScopeAndWriter(): [scope: Field, ...writer: Field[]] {
  const { t, number, day, by } = useSpeech();
  const { data: scopes } = useRead('scope_list', { limit: 1000 });
  const { data: authors } = useRead('author_list', { limit: 1000 });
  const { client, workspace } = useSession();
  const { data: sessions } = useLoad(() => client.call(workspace, 'session_list', {}), ['sessions']);
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
    {
      name: 'via',
      label: t.program,
      options: [
        ['agent', t.anyAgent],
        ...(authors?.programs ?? []).map((name): [string, string] => [name, name]),
      ],
    },
    {
      name: 'session',
      label: t.waitingKinds.session,
      options: (sessions?.sessions ?? []).map(({ session, last, ...written }) => [
        session,
        [last && day(last), by(written), session.slice(0, 8)].filter(Boolean).join(' · '),
      ]),
    },
  ];
}

/** Scope, strength, outcome and state of decisions, who wrote them, and what to look for. */
export function useFacets(): Field[] {
  const { t } = useSpeech();
  const [scope, ...writer] = useScopeAndWriter();
  const named = (...names: Named[]) => names.map((name): [string, string] => [name, t[name]]);
  return [
    scope,
    { name: 'strength', label: t.attributes.strength, options: named('axis', 'lock', 'normal') },
    { name: 'outcome', label: t.outcome, options: named('success', 'failed', 'partial', 'pending') },
    ...writer,
    {
      name: 'state',
      label: t.state,
      unchosen: t.active,
      options: [...named('withdrawn', 'superseded'), ['any', t.everyState], ['mistaken', t.undoneVersion]],
    },
    { name: 'look', label: t.look, options: CHECKS.map((look) => [look, t.looks[look]]) },
  ];
}
