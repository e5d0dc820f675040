import { useState } from 'preact/hooks';
import type { Refused } from '../data/client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { troubleIn, useSpeech } from '../words/words.ts';

/** Asks for a token, when there is none or the one there was does not hold. */
export function AskToken(props: { isWrong: boolean; enter: (token: string) => Promise<void> }) {
  const { t } = useSpeech();
  const [token, setToken] = useState('');
  return (
    <main class="alone">
      <h1>{t.tokenTitle}</h1>
      {props.isWrong && (
        <p role="alert" class="warning">
          {t.tokenWrong}
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

/** Shown while the server does not say whose token it is: why, and that it is asked again. */
export function Trouble(props: { trouble: Refused; again: () => void }) {
  const { t } = useSpeech();
  return (
    <main class="alone">
      <h1>Precedent</h1>
      <p role="alert" class="warning">
        {troubleIn(t, props.trouble)}
      </p>
      <button type="button" onClick={props.again}>
        {t.tryAgain}
      </button>
    </main>
  );
}

/** Asks which of two tokens is to be used; the one that is held stays unless somebody says otherwise. */
export function ChooseToken(props: { offered: string; choose: (token: string | undefined) => void }) {
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
