import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Client, type Me, Refused } from '../data/client.ts';
import type { Route } from '../data/route.ts';
import { SessionContext } from '../data/session.ts';
import { useWatch } from '../data/watch.ts';
import { type Language, troubleIn, useSpeech } from '../words/words.ts';
import { Header } from './header.tsx';
import { Help } from './help.tsx';
import { useKeys } from './keys.ts';
import { Moment } from './moment.tsx';
import { View } from './views.tsx';

export interface ShellProps {
  client: Client;
  me: Me;
  route: Route;
  /** @param isWrong whether the token does not hold any more */
  leave: (isWrong: boolean) => void;
  language: Language;
  setLanguage: (language: Language) => void;
}

/** What is around every view: header, moment, help, and the news of the memory. */
export function Shell({ client, me, route, leave, language, setLanguage }: ShellProps) {
  const { t } = useSpeech();
  const [tick, setTick] = useState(0);
  const [trouble, setTrouble] = useState<Refused>();
  const [isLooking, setLooking] = useState(false);
  const [isHelping, setHelping] = useState(false);
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
  const heard = (now: Refused | undefined) => {
    if (now?.status === 401) return leave(true);
    setTrouble(now);
    if (trouble && !now) refresh();
  };
  useWatch(client, workspace, { changed: refresh, heard });
  useKeys({ help: () => setHelping(true) });
  const place = `${route.view}/${route.id}`;
  const before = useRef(place);
  useEffect(() => {
    if (before.current === place) return;
    before.current = place;
    scrollTo(0, 0);
    // Who reads by ear hears where the link led; who types in the search goes on typing.
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
      <Header
        help={() => setHelping(true)}
        lookBack={() => setLooking(true)}
        leave={leave}
        language={language}
        setLanguage={setLanguage}
      />
      <Moment isOpened={isLooking} close={() => setLooking(false)} />
      <div role="status" class="banners">
        {trouble && <p class="warning">{troubleIn(t, trouble)}</p>}
      </div>
      <main id="main" ref={main} tabIndex={-1} data-shown={route.hash}>
        <View key={workspace} />
      </main>
      {isHelping && <Help close={() => setHelping(false)} />}
    </SessionContext.Provider>
  );
}
