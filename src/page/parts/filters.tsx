import { hrefOf, sharedParams } from '../data/route.ts';
import { useSession } from '../data/session.ts';
import { navigate } from '../shell/navigate.ts';
import { useSpeech } from '../words/words.ts';
import { Choice } from './choice.tsx';

/** One field of a filter, named as in the address: a choice if it has options, else a text. */
export interface Field {
  name: string;
  label: string;
  options?: [value: string, shown: string][];
  /** The label of no choice; default: all. */
  unchosen?: string;
}

/** Spans of time that take one click. */
const SPANS = ['7d', '30d', '90d'] as const;
/** The time fields of every filter. */
const TIME = ['since', 'until'];

/** The filter values of an address, time included, as the operations expect them. */
export function filtersIn(query: URLSearchParams, names: readonly string[]): Record<string, string> {
  const found = [...names, ...TIME].map((name) => [name, query.get(name) ?? ''] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== ''));
}

/** The filter form of a list. Each choice is a part of the address. Every list can be filtered by time. */
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
          <a class="button" href={hrefOf(view, '', { q: given('q'), ...sharedParams(query) })}>
            {t.clearFilters}
          </a>
        )}
      </div>
    </details>
  );
}

/** A date. */
function DateField(props: { label: string; value: string; choose: (value: string) => void }) {
  return (
    <label>
      {props.label}
      <input
        type="date"
        value={props.value}
        onChange={({ currentTarget }) => props.choose(currentTarget.value)}
      />
    </label>
  );
}

/** A text, applied when the field is left or Enter is pressed. */
function TextField(props: { label: string; value: string; choose: (value: string) => void }) {
  return (
    <label>
      {props.label}
      <input
        type="search"
        maxLength={200}
        autocomplete="off"
        value={props.value}
        onChange={({ currentTarget }) => props.choose(currentTarget.value.trim())}
      />
    </label>
  );
}

/** The typed text as plain words: the filter language would read `scope:` as one of its fields. */
export function wordsOnly(text: string): string {
  return text.replace(/[:"]/g, ' ').trim();
}
