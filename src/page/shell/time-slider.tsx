import { useEffect, useRef, useState } from 'preact/hooks';
import { hrefOf, readRoute, sharedParams } from '../data/route.ts';
import { useLoad, useSession } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { navigate } from './navigate.ts';

const DAY = 86_400_000;
/** Milliseconds after the last move of the slider until the memory is asked. */
const SLIDER_DELAY = 200;

/** The server takes a date without a time as a day in its own time zone. */
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** The slider for looking back: every view is read as of the chosen day (U-5, X-1). */
export function TimeSlider({ isOpened, close }: { isOpened: boolean; close: () => void }) {
  const { t, date } = useSpeech();
  const { client, workspace, route } = useSession();
  const at = route.query.get('at') ?? undefined;
  // A link into the past always opens the slider, so that the date is visible.
  const isOpen = isOpened || at !== undefined;
  const { data } = useLoad(
    async () => (isOpen ? client.call(workspace, 'activity', { byPeriod: 'week' }) : undefined),
    [isOpen],
  );
  const today = Math.floor(Date.now() / DAY);
  const weeks = data?.periods ?? [];
  const first = weeks.at(-1);
  const begins = first ? Math.floor(Date.parse(first.from) / DAY) : today - 1;
  const named = at === undefined ? Number.NaN : Math.floor(Date.parse(at.slice(0, 10)) / DAY);
  // The address may contain anything. The operations reject what is not a date, with a message.
  const chosen = Number.isNaN(named) ? today : named;
  const [place, setPlace] = useState(chosen);
  const timer = useRef(0);
  useEffect(() => setPlace(chosen), [chosen]);
  const go = (to: number) => {
    setPlace(to);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      // Since the last move another view may have been opened: the date is that view's now.
      const { view, id, query } = readRoute(location.hash);
      const asked = to >= today ? '' : dateOf(to * DAY);
      navigate(hrefOf(view, id, { ...Object.fromEntries(query), ...sharedParams(query), at: asked }), true);
    }, SLIDER_DELAY);
  };
  const back = () => {
    go(today);
    close();
  };
  if (!isOpen) return null;
  const shownDay = place >= today ? t.today : date(place * DAY);
  const most = Math.max(1, ...weeks.map(({ total }) => total));
  return (
    <section class={`moment${at === undefined ? '' : ' past'}`} aria-label={t.asOf}>
      <label for="moment">
        {t.asOf} <strong>{shownDay}</strong>
      </label>
      <div class="span">
        <svg
          class="weeks"
          viewBox={`0 0 ${Math.max(1, today - begins)} 20`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {weeks.map(({ from, total }) => (
            <rect
              key={from}
              x={Math.max(0, Date.parse(from) / DAY - begins)}
              y={20 - 2 - (18 * total) / most}
              width={6}
              height={2 + (18 * total) / most}
            />
          ))}
        </svg>
        <input
          id="moment"
          type="range"
          min={begins}
          max={today}
          value={place}
          aria-valuetext={shownDay}
          onInput={({ currentTarget }) => go(Number(currentTarget.value))}
        />
        <div class="ends" aria-hidden="true">
          <span>{date(begins * DAY)}</span>
          <span>{date(today * DAY)}</span>
        </div>
      </div>
      <button type="button" onClick={back}>
        {t.today}
      </button>
    </section>
  );
}
