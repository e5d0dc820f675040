const KEY = 'precedent-token';
const PLACE = 'precedent-place';
const FRAGMENT = /^#token=([\w.~+/-]+=*)$/;

/** A token from the address, and the stored token if it is a different one. */
export interface Offered {
  offered: string;
  held: string | undefined;
}

/**
 * Takes the token of a link out of the address, so that it does not stay in the history or in shared links. Only `#token=…`
 * alone counts.
 */
export function takeOfferedToken(): Offered | undefined {
  const { hash, pathname } = location;
  const offered = FRAGMENT.exec(hash)?.[1];
  if (offered === undefined) {
    // A token with anything else in the address is not used, but removed as well.
    if (/[#&?]token=/.test(hash)) history.replaceState(null, '', pathname);
    return undefined;
  }
  history.replaceState(null, '', pathname + (sessionStorage.getItem(PLACE) ?? ''));
  sessionStorage.removeItem(PLACE);
  const held = storedToken();
  return { offered, held: held === offered ? undefined : held };
}

/** Keeps the view to which a login leads back. */
export const keepPlace = () => sessionStorage.setItem(PLACE, location.hash);

/** The token of this tab. Other origins (and ports) cannot read it, and it is gone when the tab is closed. */
export function storedToken(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}

/** Stores the token for this tab. @param token undefined to forget it */
export function storeToken(token: string | undefined): void {
  if (token === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token);
}
