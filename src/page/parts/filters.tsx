import type { ComponentChildren } from 'preact';
import { hrefOf, sharedParams } from '../data/route.ts';
import { useSession } from '../data/session.ts';
import { navigate } from '../shell/navigate.ts';
import { useSpeech } from '../words/words.ts';
import { Choice } from './choice.tsx';
import { Heading } from './states.tsx';

/** One field of a filter, named as in the address: a choice if it has options, else a text or a date. */
export interface Field {
  name: string;
  label: string;
  options?: [value: string, shown: string][];
  /** The label of no choice; default: all. */
  unchosen?: string;
  type?: 'search' | 'date';
}

/** Spans of time that take one click. */
const SPANS = ['7d', '30d', '90d'] as const;
/** The choice of two dates among the spans. */
const DATES = 'dates';
/** The time fields of every filter. */
const TIME = ['since', 'until'];

/** The filter values of an address, time included, as the operations expect them. */
export function filtersIn(query: URLSearchParams, names: readonly string[]): Record<string, string> {
  const found = [...names, ...TIME].map((name) => [name, query.get(name) ?? ''] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== ''));
}

/**
 * A list with its filter form and, above the list, what it is narrowed to. Each choice is a part of the address. Every list can be
 * filtered by time.
 */
export function Filtered(props: { title: string; fields: Field[]; children: ComponentChildren }) {
  const { t } = useSpeech();
  const { view, query } = useSession().route;
  const given = (name: string) => query.get(name) ?? '';
  const hrefWith = (changes: Record<string, string>) =>
    hrefOf(view, '', { ...Object.fromEntries(query), ...changes });
  const [since, until] = TIME.map(given) as [string, string];
  const isDated = until !== '' || /^\d{4}-/.test(since);
  const dates: Field[] = [
    { name: 'since', label: t.since, type: 'date' },
    { name: 'until', label: t.until, type: 'date' },
  ];
  const spans = SPANS.map((span): [string, string] => [span, t.spans[span]]);
  const chosen = [...(isDated ? dates : [{ name: 'since', label: t.when, options: spans }]), ...props.fields]
    .filter(({ name }) => given(name) !== '')
    .map(({ name, label, options }) => {
      const value = given(name);
      const shown = options?.find(([each]) => each === value)?.[1] ?? value;
      return { name, text: `${label}: ${shown}` };
    });
  return (
    <div class="split">
      <details class="facets" open={innerWidth >= 800}>
        <summary>{t.filters}</summary>
        <div class="fields">
          <Choice
            label={t.when}
            value={isDated ? DATES : since}
            options={[['', t.all], ...spans, [DATES, t.dates]]}
            choose={(value) => navigate(hrefWith({ since: value === DATES ? monthAgo() : value, until: '' }))}
          />
          {[...(isDated ? dates : []), ...props.fields].map(
            ({ name, label, options, unchosen = t.all, type = 'search' }) => {
              const choose = (value: string) => navigate(hrefWith({ [name]: value }));
              return options ? (
                <Choice
                  key={name}
                  label={label}
                  value={given(name)}
                  options={[['', unchosen], ...options]}
                  choose={choose}
                />
              ) : (
                // Applied when the field is left, or at Enter.
                <label key={name}>
                  {label}
                  <input
                    type={type as 'search'}
                    maxLength={200}
                    autocomplete="off"
                    value={given(name)}
                    onChange={({ currentTarget }) => choose(currentTarget.value.trim())}
                  />
                </label>
              );
            },
          )}
        </div>
      </details>
      <div>
        <Heading>{props.title}</Heading>
        {chosen.length > 0 && (
          <p class="badges chips">
            {chosen.map(({ name, text }) => (
              <a key={name} class="keyword" href={hrefWith({ [name]: '' })} title={t.remove}>
                {text} <span aria-hidden="true">×</span>
              </a>
            ))}
            <a href={hrefOf(view, '', { q: given('q'), ...sharedParams(query) })}>{t.clearFilters}</a>
          </p>
        )}
        {props.children}
      </div>
    </div>
  );
}

const monthAgo = (): string => new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);

/** The typed text as plain words: the filter language would read `scope:` as one of its fields. */
export function wordsOnly(text: string): string {
  return text.replace(/[:"]/g, ' ').trim();
}
