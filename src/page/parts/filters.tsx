import { hrefOf, keptOf } from '../data/route.ts';
import { useSession } from '../data/session.ts';
import { navigate } from '../shell/navigate.ts';
import { useSpeech } from '../words/words.ts';
import { Choice, DateField, TextField } from './fields.tsx';

/** One part of a filter, as the address names it: a choice where it has options, else words. */
export interface Field {
  name: string;
  label: string;
  options?: [value: string, shown: string][];
  /** What is shown where nothing is chosen; everything, if it does not say. */
  unchosen?: string;
}

/** Spans of time that take one click. */
const SPANS = ['7d', '30d', '90d'] as const;
/** The parts of a filter that are about time. */
const TIME = ['since', 'until'];

/** What an address chooses of these parts, time included; as the operations take it. */
export function chosenOf(query: URLSearchParams, names: readonly string[]): Record<string, string> {
  const found = [...names, ...TIME].map((name) => [name, query.get(name) ?? ''] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== ''));
}

/** The filters of a list: each choice is a part of the address. Every list has those of time. */
export function Filters({ fields }: { fields: Field[] }) {
  const { t } = useSpeech();
  const { view, query } = useSession().route;
  const given = (name: string) => query.get(name) ?? '';
  const choose = (changes: Record<string, string>) =>
    navigate(hrefOf(view, '', { ...Object.fromEntries(query), ...changes }));
  const isNarrow = [...fields.map(({ name }) => name), ...TIME].some((name) => query.has(name));
  const since = given('since');
  const isSpan = since !== '' && !/^\d{4}-/.test(since);
  const isDated = TIME.some((name) => query.has(name)) && !isSpan;
  return (
    <details class="facets" open={isNarrow || innerWidth >= 800}>
      <summary>{t.filters}</summary>
      <div class="fields">
        <Choice
          label={t.when}
          value={isSpan ? since : ''}
          options={[
            ['', isDated ? '—' : t.all],
            ...SPANS.map((span): [string, string] => [span, t.spans[span]]),
          ]}
          choose={(value) => choose({ since: value, until: '' })}
        />
        {fields.map(({ name, label, options, unchosen = t.all }) =>
          options ? (
            <Choice
              key={name}
              label={label}
              value={given(name)}
              options={[['', unchosen], ...options]}
              choose={(value) => choose({ [name]: value })}
            />
          ) : (
            <TextField
              key={name}
              label={label}
              value={given(name)}
              choose={(value) => choose({ [name]: value })}
            />
          ),
        )}
        <DateField label={t.since} value={isSpan ? '' : since} choose={(value) => choose({ since: value })} />
        <DateField label={t.until} value={given('until')} choose={(value) => choose({ until: value })} />
        {isNarrow && (
          <a class="button" href={hrefOf(view, '', { q: given('q'), ...keptOf(query) })}>
            {t.clearFilters}
          </a>
        )}
      </div>
    </details>
  );
}

/** What was typed, as words alone: a filter would take `scope:` for one of its own parts. */
export function wordsOnly(text: string): string {
  return text.replace(/[:"]/g, ' ').trim();
}
