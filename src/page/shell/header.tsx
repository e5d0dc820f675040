import { useEffect, useRef, useState } from 'preact/hooks';
import { hrefOf } from '../data/route.ts';
import { useHref, useSession } from '../data/session.ts';
import { Choice } from '../parts/choice.tsx';
import { useSpeech } from '../words/words.ts';
import { navigate } from './navigate.ts';
import { applyTheme, THEMES, type Theme, themeAtFirst } from './theme.ts';
import { PLACES } from './views.tsx';

interface HeaderProps {
  help: () => void;
  lookBack: () => void;
  leave: (isWrong: boolean) => void;
}

/** The header: name, memory, search, settings, and links to each view and to the past, which a phone has in a menu. */
export function Header({ help, lookBack, leave }: HeaderProps) {
  const { t, language, speak } = useSpeech();
  const { me, route } = useSession();
  const href = useHref();
  const other = language === 'en' ? 'ko' : 'en';
  useEffect(closeMenus, [route.hash]);
  return (
    <header class="top">
      <button type="button" class="narrow-only" popovertarget="places" aria-label={t.views} title={t.views}>
        ☰
      </button>
      <a class="name" href={href('')}>
        Precedent
      </a>
      <Workspaces />
      <Search />
      <button type="button" popovertarget="menu" aria-label={t.settings} title={t.settings}>
        ⋯
      </button>
      {/* The browser closes these at Escape and at a click elsewhere. */}
      <div id="places" popover="auto">
        <nav class="views" aria-label={t.views}>
          {PLACES.map(({ word, views }) => (
            <a
              key={word}
              href={href([...views.keys()][0] ?? '')}
              aria-current={views.has(route.view) ? 'page' : undefined}
            >
              {t[word]}
            </a>
          ))}
        </nav>
        {!me.pageWrites && <span class="badge">{t.readOnly}</span>}
        {!route.query.has('at') && (
          <button type="button" class="small" onClick={closing(lookBack)}>
            ◷ {t.lookBack}
          </button>
        )}
      </div>
      <div id="menu" popover="auto">
        <Themes />
        <button type="button" lang={other} onClick={closing(() => speak(other))}>
          {other === 'ko' ? '한국어' : 'English'}
        </button>
        <button type="button" onClick={closing(help)}>
          {t.helpTitle} <kbd>?</kbd>
        </button>
        {me.name !== 'local' && (
          <>
            <p class="note">{t.signedInAs(me.name)}</p>
            <button type="button" onClick={() => leave(false)}>
              {t.forget}
            </button>
          </>
        )}
      </div>
    </header>
  );
}

function closeMenus(): void {
  for (const menu of document.querySelectorAll<HTMLElement>('[popover]')) menu.hidePopover();
}

const closing = (act: () => void) => () => {
  closeMenus();
  act();
};

/** Milliseconds after the last key until the search begins. */
const SEARCH_DELAY = 150;

/** The search field. It searches while one types. */
function Search() {
  const { t } = useSpeech();
  const { route } = useSession();
  const href = useHref();
  const asked = route.view === 'list' ? (route.query.get('q') ?? '') : '';
  const [text, setText] = useState(asked);
  const timer = useRef(0);
  // Going back and forth in the history changes the query.
  useEffect(() => {
    if (!document.activeElement?.matches('#search')) setText(asked);
  }, [asked]);
  const go = (query: string) => {
    clearTimeout(timer.current);
    if (query !== asked) navigate(href('list', '', { q: query }), route.view === 'list');
  };
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          go(text.trim());
        }}
      >
        <input
          id="search"
          type="search"
          autocomplete="off"
          maxLength={1000}
          aria-label={t.search}
          placeholder={t.searchHint}
          value={text}
          onInput={({ currentTarget: { value } }) => {
            setText(value);
            clearTimeout(timer.current);
            timer.current = window.setTimeout(() => go(value.trim()), SEARCH_DELAY);
          }}
        />
      </form>
    </search>
  );
}

function Workspaces() {
  const { t } = useSpeech();
  const { me, workspace, route } = useSession();
  const names = me.workspaces.includes(workspace) ? me.workspaces : [workspace, ...me.workspaces];
  if (names.length < 2) return null;
  return (
    <select
      aria-label={t.workspace}
      value={workspace}
      onChange={({ currentTarget }) =>
        // A record of one memory does not exist in another, so only the view is kept.
        navigate(hrefOf(route.id === '' ? route.view : '', '', { in: currentTarget.value }))
      }
    >
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Themes() {
  const { t } = useSpeech();
  const [theme, setTheme] = useState(themeAtFirst);
  return (
    <Choice
      label={t.theme}
      value={theme}
      options={THEMES.map((each) => [each, t[each]])}
      choose={(chosen) => {
        applyTheme(chosen as Theme);
        setTheme(chosen as Theme);
        closeMenus();
      }}
    />
  );
}
