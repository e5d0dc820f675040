import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Client, clientWith, type Me, Refused } from '../data/client.ts';
import { keepPlace, type Offered, storedToken, storeToken } from '../data/token.ts';
import { Dialog } from '../parts/dialog.tsx';
import {
  type Language,
  languageAtFirst,
  rememberLanguage,
  SpeechContext,
  speechOf,
  troubleText,
  useSpeech,
} from '../words/words.ts';
import { navigate, useRoute } from './navigate.ts';
import { Shell } from './shell.tsx';

type State =
  | { is: 'asking' }
  | { is: 'trouble'; trouble: Refused }
  | { is: 'without'; isWrong: boolean }
  | { is: 'in'; client: Client; me: Me };

/** Authenticates with the token of the tab, or with one from a link. */
export function Gate({ offered: atFirst }: { offered: Offered | undefined }) {
  const [language, setLanguage] = useState<Language>(languageAtFirst);
  const [state, setState] = useState<State>({ is: 'asking' });
  const [offered, setOffered] = useState<string>();

  const enter = useCallback(async (token: string | undefined) => {
    const client = clientWith(token);
    if (token !== undefined) storeToken(token);
    try {
      const me = await client.me();
      setState({ is: 'in', client, me });
    } catch (error) {
      const trouble = error instanceof Refused ? error : new Refused(0, String(error));
      const isUnknown = trouble.status === 401;
      if (isUnknown) storeToken(undefined);
      setState(isUnknown ? { is: 'without', isWrong: token !== undefined } : { is: 'trouble', trouble });
    }
  }, []);
  /** A second token is not used without asking: whoever sent the link could read what is written with it. */
  const consider = useCallback(
    ({ offered, held }: Offered) => {
      if (held === undefined) void enter(offered);
      else setOffered(offered);
    },
    [enter],
  );
  const route = useRoute(consider);

  useEffect(() => {
    if (atFirst) consider(atFirst);
    if (!atFirst || atFirst.held !== undefined) void enter(storedToken());
  }, [atFirst, consider, enter]);
  useEffect(() => {
    if (state.is !== 'trouble') return;
    const timer = setTimeout(() => void enter(storedToken()), state.trouble.wait * 1000);
    return () => clearTimeout(timer);
  }, [state, enter]);
  useEffect(() => {
    document.documentElement.lang = language;
    rememberLanguage(language);
  }, [language]);

  const leave = useCallback((isWrong: boolean) => {
    storeToken(undefined);
    setState({ is: 'without', isWrong });
  }, []);
  const choose = (token: string | undefined) => {
    setOffered(undefined);
    if (token === undefined) return;
    navigate('#/', true);
    void enter(token);
  };
  return (
    <SpeechContext.Provider value={speechOf(language, setLanguage)}>
      {state.is === 'without' && <AskToken isWrong={state.isWrong} enter={enter} />}
      {state.is === 'trouble' && <Trouble trouble={state.trouble} again={() => void enter(storedToken())} />}
      {state.is === 'in' && <Shell client={state.client} me={state.me} route={route} leave={leave} />}
      {offered !== undefined && <ChooseToken offered={offered} choose={choose} />}
    </SpeechContext.Provider>
  );
}

/** Asks for a token if there is none, or if it is not valid. */
function AskToken(props: { isWrong: boolean; enter: (token: string) => Promise<void> }) {
  const { t } = useSpeech();
  const [token, setToken] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <main class="alone">
      <h1>{t.tokenTitle}</h1>
      {props.isWrong && (
        <p role="alert" class="warning">
          {t.tokenWrong}
        </p>
      )}
      {document.body.dataset.login !== undefined && (
        <p>
          <a class="main" href="/login" onClick={keepPlace}>
            {t.logIn}
          </a>
        </p>
      )}
      <p>{t.tokenWhy}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void props.enter(token.trim());
        }}
      >
        <label>
          {t.tokenLabel}
          <input
            ref={field}
            type="password"
            autocomplete="off"
            required
            pattern="\s*[\w.~+\/\-]+=*\s*"
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <button type="submit" class="main">
          {t.tokenGo}
        </button>
      </form>
    </main>
  );
}

/** Shown while the server cannot check the token. It is asked again by itself. */
function Trouble(props: { trouble: Refused; again: () => void }) {
  const { t } = useSpeech();
  return (
    <main class="alone">
      <h1>Precedent</h1>
      <p role="alert" class="warning">
        {troubleText(t, props.trouble)}
      </p>
      <button type="button" onClick={props.again}>
        {t.tryAgain}
      </button>
    </main>
  );
}

/** Asks which of two tokens to use. The stored one is the default. */
function ChooseToken(props: { offered: string; choose: (token: string | undefined) => void }) {
  const { t } = useSpeech();
  return (
    <Dialog title={t.tokenOther} close={() => props.choose(undefined)}>
      <p>{t.tokenOtherWhy}</p>
      <p class="buttons">
        <button type="button" class="main" onClick={() => props.choose(undefined)}>
          {t.tokenKeep}
        </button>
        <button type="button" onClick={() => props.choose(props.offered)}>
          {t.tokenTake}
        </button>
      </p>
    </Dialog>
  );
}
