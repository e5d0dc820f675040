import { useEffect, useState } from 'preact/hooks';
import { type Route, readRoute } from '../data/route.ts';
import { type Offered, takeOffered } from '../data/token.ts';

/**
 * Goes to another view of the page. @param href as {@link hrefOf} makes it
 * @param isReplacing whether what was shown before is no step of the history, as while one types
 */
export function navigate(href: string, isReplacing = false): void {
  if (!isReplacing) {
    location.hash = href;
    return;
  }
  history.replaceState(null, '', href);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Where in the page somebody is. @param onOffered receives a token that a link brought while the page was open */
export function useRoute(onOffered: (offered: Offered) => void): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const moved = () => {
      const offered = takeOffered();
      if (offered) onOffered(offered);
      setRoute(readRoute(location.hash));
    };
    addEventListener('hashchange', moved);
    return () => removeEventListener('hashchange', moved);
  }, [onOffered]);
  return route;
}
