import { useEffect, useRef, useState } from 'preact/hooks';
import type { FilterWord } from '../../domain/filter/parse.ts';
import type { OutcomeFilter } from '../../domain/outcome.ts';
import { FIELDS, hasField, written } from '../data/filter.ts';
import { useCall, useHref, useLoad, useSession } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { navigate } from './navigate.ts';

/** The views with a list that the box filters, each with the fields that mean nothing there. */
const LISTS: Record<string, FilterWord[]> = {
  list: ['kind', 'project', 'type'],
  changes: ['state'],
  observations: ['scope', 'branch', 'kind', 'outcome', 'strength', 'state', 'stale', 'is'],
};

/** Milliseconds after the last key until the search begins. */
const SEARCH_DELAY = 150;

/**
 * The filter of the list that is shown, in the grammar of the command line. Elsewhere it leads to the list of decisions. Words alone are
 * looked for while one types; a text with fields is applied at Enter.
 */
export function FilterBox() {
  const { t } = useSpeech();
  const { route } = useSession();
  const href = useHref();
  const isList = Object.hasOwn(LISTS, route.view);
  const view = isList ? route.view : 'list';
  const asked = isList ? (route.query.get('q') ?? '') : '';
  const [text, setText] = useState(asked);
  const [isUsed, setUsed] = useState(false);
  const timer = useRef(0);
  // Going back and forth in the history changes the filter.
  useEffect(() => {
    if (!document.activeElement?.matches('#search')) setText(asked);
  }, [asked]);
  const go = (q: string) => {
    clearTimeout(timer.current);
    if (q !== asked) navigate(href(view, '', { q }), isList);
  };
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          go(text.trim());
          document.getElementById('main')?.focus();
        }}
      >
        <input
          id="search"
          type="search"
          list="completions"
          autocomplete="off"
          enterkeyhint="search"
          maxLength={1000}
          aria-label={t.search}
          placeholder={t.search}
          value={text}
          onFocus={() => setUsed(true)}
          onBlur={() => setUsed(false)}
          onInput={({ currentTarget: { value } }) => {
            setText(value);
            clearTimeout(timer.current);
            if (!hasField(value)) timer.current = window.setTimeout(() => go(value.trim()), SEARCH_DELAY);
          }}
        />
        {isUsed && <Completions text={text} fields={FIELDS.filter((each) => !LISTS[view]?.includes(each))} />}
      </form>
    </search>
  );
}

/** What the last word of a text may become: a field, or one of the values that its field has here. */
function Completions({ text, fields }: { text: string; fields: FilterWord[] }) {
  const { t } = useSpeech();
  const values = useValues();
  const [, before = '', word = ''] = /^(.*\s)?(.*)$/s.exec(text) ?? [];
  const field = fields.find((each) => word.toLowerCase().startsWith(`${each}:`));
  const options: [completed: string, label: string][] = field
    ? Object.entries(values[field] ?? {}).map(([value, label]) => [written(field, value), label])
    : fields.map((each) => [`${each}:`, t.fields[each]]);
  return (
    <datalist id="completions">
      {(word !== '' || text === '') &&
        options.map(([completed, label]) => (
          <option key={completed} value={before + completed} label={label} />
        ))}
    </datalist>
  );
}

/** The values that fields have in this memory, each with its label. */
function useValues(): { [Field in FilterWord]?: Record<string, string> } {
  const { t } = useSpeech();
  const call = useCall();
  const { data } = useLoad(
    () =>
      Promise.all([
        call('list_names', { kind: 'scopes', limit: 1000 }),
        call('list_names', { kind: 'authors', limit: 1000 }),
        call('mem_stats', {}),
      ]),
    ['values'],
  );
  const [scopes, writers, held] = data ?? [];
  const named = (names: string[] = []) => Object.fromEntries(names.map((name) => [name, '']));
  const outcome: Record<OutcomeFilter, string> = {
    success: t.success,
    failed: t.failed,
    partial: t.partial,
    pending: t.pending,
  };
  return {
    scope: named(scopes?.names.map(({ name }) => name)),
    // A part of a name is enough: what an address is, is a part without blanks.
    by: Object.fromEntries(
      (writers?.names ?? []).map(({ name }) => [/<([^<>\s]+)>$/.exec(name)?.[1] ?? name, name]),
    ),
    via: { agent: t.anyAgent, ...named(writers?.programs) },
    project: named(held?.projects.map(({ project }) => project)),
    type: named(held?.kinds.map(({ type }) => type)),
    kind: t.kindsLogged,
    strength: t.strengths,
    state: {
      active: t.active,
      withdrawn: t.withdrawn,
      superseded: t.superseded,
      any: t.everyState,
      mistaken: t.undoneVersion,
    },
    outcome,
    is: t.looks,
  };
}
