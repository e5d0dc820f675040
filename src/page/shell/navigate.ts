import { useEffect, useState } from 'preact/hooks';
import { type Route, readRoute } from '../data/route.ts';
import { type Offered, takeOfferedToken } from '../data/token.ts';

/**
 * Goes to another view of the page. @param href as {@link hrefOf} makes it
 * @param isReplacing whether the view before is left out of the history, as while one types
 */
export function navigate(href: string, isReplacing = false): void {
  if (!isReplacing) {
    location.hash = href;
    return;
  }
  history.replaceState(null, '', href);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** The current route. @param onOffered receives a token that came with a link while the page was open */
export function useRoute(onOffered: (offered: Offered) => void): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const moved = () => {
      const offered = takeOfferedToken();
      if (offered) onOffered(offered);
      setRoute(readRoute(location.hash));
    };
    addEventListener('hashchange', moved);
    return () => removeEventListener('hashchange', moved);
  }, [onOffered]);
  return route;
}
