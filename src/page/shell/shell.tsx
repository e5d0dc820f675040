import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Client, type Me, Refused } from '../data/client.ts';
import type { Route } from '../data/route.ts';
import { SessionContext } from '../data/session.ts';
import { troubleText, useSpeech } from '../words/words.ts';
import { PastBanner } from './as-of.tsx';
import { Header } from './header.tsx';
import { View } from './views.tsx';

export interface ShellProps {
  client: Client;
  me: Me;
  route: Route;
  /** @param isWrong whether the token is no longer valid */
  leave: (isWrong: boolean) => void;
}

/** The frame of every view: header, banners, and a poll for changes of the memory. */
export function Shell({ client, me, route, leave }: ShellProps) {
  const { t } = useSpeech();
  const [tick, setTick] = useState(0);
  const [trouble, setTrouble] = useState<Refused>();
  const main = useRef<HTMLElement>(null);
  const isThere = me.main !== undefined && me.workspaces.includes(me.main);
  const workspace = route.query.get('in') ?? (isThere ? me.main : (me.workspaces[0] ?? me.main)) ?? '';
  const refresh = useCallback(() => setTick((before) => before + 1), []);
  const fail = useCallback(
    (error: unknown) => {
      if (!(error instanceof Refused)) return;
      if (error.status === 401) leave(true);
      if (error.isOfServer) setTrouble(error);
    },
    [leave],
  );
  const answered = (now: Refused | undefined) => {
    if (now?.status === 401) return leave(true);
    setTrouble(now);
    if (trouble && !now) refresh();
  };
  useWatch(client, workspace, { changed: refresh, answered });
  const place = `${route.view}/${route.id}`;
  useEffect(() => {
    scrollTo(0, 0);
    // A screen reader announces the new view, and keys go on from there. The filter keeps the focus while one types.
    if (!document.activeElement?.matches('#search')) main.current?.focus();
  }, [place]);
  const session = useMemo(
    () => ({ client, me, route, workspace, tick, refresh, fail }),
    [client, me, route, workspace, tick, refresh, fail],
  );
  return (
    <SessionContext.Provider value={session}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {t.skip}
      </button>
      <Header leave={leave} />
      <div role="status">
        <PastBanner />
        {trouble && <p class="warning">{troubleText(t, trouble)}</p>}
      </div>
      <main id="main" ref={main} tabIndex={-1} data-shown={route.hash}>
        <View key={workspace} />
      </main>
    </SessionContext.Provider>
  );
}

/** Milliseconds between two polls for changes. A poll costs the server three look-ups. */
const POLL_INTERVAL = 5_000;

/** Receives the results of the polls. */
interface Watcher {
  changed(): void;
  /** @param trouble why the server does not answer; undefined if it does */
  answered(trouble: Refused | undefined): void;
}

/** Polls for changes of the memory while the page is visible. */
function useWatch(client: Client, workspace: string, watched: Watcher): void {
  const latest = useRef(watched);
  latest.current = watched;
  // Before the views ask for what they show: what is saved after their answers has then changed since.
  useLayoutEffect(() => {
    let state: string | undefined;
    let isOver = false;
    /** Milliseconds UTC. A server that sent Retry-After is not asked before. */
    let notBefore = 0;
    const ask = async () => {
      if (document.hidden || Date.now() < notBefore) return;
      try {
        const before = state;
        const answer = await client.call(workspace, 'changed_since', state === undefined ? {} : { state });
        if (isOver) return;
        state = answer.state;
        latest.current.answered(undefined);
        if (before !== undefined && answer.changed) latest.current.changed();
      } catch (error) {
        if (isOver || !(error instanceof Refused)) return;
        if (error.status === 429) notBefore = Date.now() + error.wait * 1000;
        latest.current.answered(error);
      }
    };
    void ask();
    const timer = setInterval(ask, POLL_INTERVAL);
    const seen = () => void ask();
    document.addEventListener('visibilitychange', seen);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [client, workspace]);
}
