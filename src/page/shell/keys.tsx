import { useEffect } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Pairs } from '../parts/rows.tsx';
import { useSpeech } from '../words/words.ts';
import { navigate } from './navigate.ts';

/** Fields in which a key is a letter. */
const FIELDS = 'input:not([type=checkbox], [type=range]), textarea, select';

/** The keys of the whole page. Fields have their own. */
export function useKeys({ help }: { help: () => unknown }): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target as Element;
      if (event.key === 'Escape' && target.matches(FIELDS) && !target.closest('dialog')) {
        document.getElementById('main')?.focus();
        return;
      }
      if (document.querySelector('dialog[open]')) return;
      if (target.matches('#search') && event.key === 'ArrowDown') return moved(event, step(1));
      if (target.matches(`${FIELDS}, [type=range]`)) return;
      if (event.key === '/') moved(event, focus(document.querySelector('#search')));
      else if (event.key === '?') moved(event, help());
      else if (event.key === 'ArrowDown' || event.key === 'j') moved(event, step(1));
      else if (event.key === 'ArrowUp' || event.key === 'k') moved(event, step(-1));
      else if (/^[1-9]$/.test(event.key)) moved(event, open(Number(event.key) - 1));
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [help]);
}

/** A key that did something here must not also scroll the page. */
function moved(event: KeyboardEvent, did: unknown): void {
  if (did !== false) event.preventDefault();
}

function focus(element: Element | null | undefined): boolean {
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  return true;
}

/** Focuses the next or the previous row of the lists in the view. */
function step(by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll('main [data-row]')].filter((row) => row.checkVisibility());
  const at = rows.indexOf(document.activeElement as Element);
  return focus(at === -1 ? rows[by === 1 ? 0 : rows.length - 1] : rows[at + by]);
}

function open(place: number): boolean {
  const link = document.querySelectorAll('nav.views a')[place];
  if (!link) return false;
  navigate(link.getAttribute('href') ?? '#/');
  return true;
}

/** A dialog that lists the keys. */
export function Help({ close }: { close: () => void }) {
  const { t } = useSpeech();
  const keys: [string[], string][] = [
    [['/'], t.keySearch],
    [['1', '…', '7'], t.keyGo],
    [['↑', '↓'], t.keyMove],
    [['Enter'], t.keyOpen],
    [['Esc'], t.keyBack],
    [['?'], t.keyHelp],
  ];
  return (
    <Dialog title={t.helpTitle} close={close}>
      <Pairs
        look="keys"
        of={keys.map(([names, what]) => [names.map((name) => <kbd key={name}>{name}</kbd>), what] as const)}
      />
      <form method="dialog">
        <button type="submit" class="main">
          {t.close}
        </button>
      </form>
    </Dialog>
  );
}
