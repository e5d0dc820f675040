import { useEffect } from 'preact/hooks';
import { navigate } from './navigate.ts';

/** Where texts are entered, and a key is a letter. */
const FIELDS = 'input:not([type=checkbox], [type=range]), textarea, select';

/** The keys of the whole page; a picture and a field have their own. */
export function useKeys({ help }: { help: () => void }): void {
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
      else if (event.key === '?') moved(event, opened(help));
      else if (event.key === 'ArrowDown' || event.key === 'j') moved(event, step(1));
      else if (event.key === 'ArrowUp' || event.key === 'k') moved(event, step(-1));
      else if (/^[1-9]$/.test(event.key)) moved(event, open(Number(event.key) - 1));
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [help]);
}

function opened(help: () => void): boolean {
  help();
  return true;
}

/** A key that did something here does not scroll the page as well. */
function moved(event: KeyboardEvent, did: boolean): void {
  if (did) event.preventDefault();
}

function focus(element: Element | null | undefined): boolean {
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  return true;
}

/** Goes to the next row of the lists in the view, or the one before. */
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
