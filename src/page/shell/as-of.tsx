import { hrefOf } from '../data/route.ts';
import { useSession } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { navigate } from './navigate.ts';

/** The day that every view is read as of; today if none is chosen (U-5, X-1). */
export function AsOf() {
  const { t } = useSpeech();
  const { at, hrefAt } = useAsOf();
  return (
    <label>
      {t.asOf}{' '}
      <input
        type="date"
        // A year that is typed begins with zeros.
        min="1970-01-01"
        max={new Date().toISOString().slice(0, 10)}
        // The address may hold anything.
        value={/^\d{4}-\d\d-\d\d/.exec(at)?.[0] ?? ''}
        onChange={({ currentTarget: { validity, value } }) => {
          if (validity.valid && value !== at) navigate(hrefAt(value));
        }}
      />
    </label>
  );
}

/** Says that the past is shown, with the way back. */
export function PastBanner() {
  const { t, date } = useSpeech();
  const { at, hrefAt } = useAsOf();
  if (at === '') return null;
  const day = Date.parse(at);
  return (
    <p class="warning">
      {t.asOf} <strong>{Number.isNaN(day) ? at : date(day)}</strong> <a href={hrefAt('')}>{t.today}</a>
    </p>
  );
}

function useAsOf() {
  const { view, id, query } = useSession().route;
  const hrefAt = (at: string) => hrefOf(view, id, { ...Object.fromEntries(query), at });
  return { at: query.get('at') ?? '', hrefAt };
}
