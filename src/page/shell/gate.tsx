import { useCallback, useEffect, useState } from 'preact/hooks';
import { type Client, clientWith, type Me, Refused } from '../data/client.ts';
import { heldToken, holdToken, type Offered } from '../data/token.ts';
import { type Language, languageAtFirst, rememberLanguage, SpeechContext, speechOf } from '../words/words.ts';
import { AskToken, ChooseToken, Trouble } from './ask-token.tsx';
import { navigate, useRoute } from './navigate.ts';
import { Shell } from './shell.tsx';

type State =
  | { is: 'asking' }
  | { is: 'trouble'; trouble: Refused }
  | { is: 'without'; isWrong: boolean }
  | { is: 'in'; client: Client; me: Me };

/** Lets somebody in with a token: that of the tab, or one that a link brought. */
export function Gate({ offered: atFirst }: { offered: Offered | undefined }) {
  const [language, setLanguage] = useState<Language>(languageAtFirst);
  const [state, setState] = useState<State>({ is: 'asking' });
  const [offered, setOffered] = useState<string>();

  const enter = useCallback(async (token: string | undefined) => {
    const client = clientWith(token);
    if (token !== undefined) holdToken(token);
    try {
      const me = await client.me();
      setState({ is: 'in', client, me });
    } catch (error) {
      const trouble = error instanceof Refused ? error : new Refused(0, String(error));
      const isUnknown = trouble.status === 401;
      if (isUnknown) holdToken(undefined);
      setState(isUnknown ? { is: 'without', isWrong: token !== undefined } : { is: 'trouble', trouble });
    }
  }, []);
  /** A token beside another is not taken unasked: who sent the link would read what is written with it. */
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
    if (!atFirst || atFirst.held !== undefined) void enter(heldToken());
  }, [atFirst, consider, enter]);
  useEffect(() => {
    if (state.is !== 'trouble') return;
    const timer = setTimeout(() => void enter(heldToken()), state.trouble.wait * 1000);
    return () => clearTimeout(timer);
  }, [state, enter]);
  useEffect(() => {
    document.documentElement.lang = language;
    rememberLanguage(language);
  }, [language]);

  const leave = useCallback((isWrong: boolean) => {
    holdToken(undefined);
    setState({ is: 'without', isWrong });
  }, []);
  const choose = (token: string | undefined) => {
    setOffered(undefined);
    if (token === undefined) return;
    navigate('#/', true);
    void enter(token);
  };
  return (
    <SpeechContext.Provider value={speechOf(language)}>
      {state.is === 'without' && <AskToken isWrong={state.isWrong} enter={enter} />}
      {state.is === 'trouble' && <Trouble trouble={state.trouble} again={() => void enter(heldToken())} />}
      {state.is === 'in' && (
        <Shell
          client={state.client}
          me={state.me}
          route={route}
          leave={leave}
          language={language}
          setLanguage={setLanguage}
        />
      )}
      {offered !== undefined && <ChooseToken offered={offered} choose={choose} />}
    </SpeechContext.Provider>
  );
}
