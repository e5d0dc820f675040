import { useEffect } from 'preact/hooks';
import { hrefOf } from '../data/route.ts';
import { useHref, useSession } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { AsOf } from './as-of.tsx';
import { FilterBox } from './filter-box.tsx';
import { navigate } from './navigate.ts';
import { PLACES } from './views.tsx';

/** The header: name, memory, what a phone has in a menu (views, day, language, token), and just before the content the filter. */
export function Header({ leave }: { leave: (isWrong: boolean) => void }) {
  const { t, language, speak } = useSpeech();
  const { me, route } = useSession();
  const href = useHref();
  const other = language === 'en' ? 'ko' : 'en';
  useEffect(() => document.getElementById('places')?.hidePopover(), [route.hash, language]);
  return (
    <header>
      <button type="button" popovertarget="places" aria-label={t.views} title={t.views}>
        ☰
      </button>
      <a class="name" href={href('')}>
        Precedent
      </a>
      <Workspaces />
      {/* The browser closes it at Escape and at a click elsewhere. */}
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
        <AsOf />
        <button type="button" lang={other} onClick={() => speak(other)}>
          {other === 'ko' ? '한국어' : 'English'}
        </button>
        {me.name !== 'local' && (
          <button type="button" title={t.signedInAs(me.name)} onClick={() => leave(false)}>
            {t.forget}
          </button>
        )}
      </div>
      <FilterBox />
    </header>
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
