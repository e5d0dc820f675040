const KEY = 'precedent-token';
const FRAGMENT = /^#token=([\w.~+/-]+=*)$/;

/** A token that came with the address, and the one that was held before, if that is another. */
export interface Offered {
  offered: string;
  held: string | undefined;
}

/**
 * The token of a link, taken out of the address before anything else is done: it stays in no history and in no link that
 * is shared. Only `#token=…` alone is one.
 */
export function takeOffered(): Offered | undefined {
  const { hash, pathname } = location;
  const offered = FRAGMENT.exec(hash)?.[1];
  if (offered === undefined) {
    // A token beside something else is not taken, and does not stay where it would be shared.
    if (/[#&?]token=/.test(hash)) history.replaceState(null, '', pathname);
    return undefined;
  }
  history.replaceState(null, '', pathname);
  const held = heldToken();
  return { offered, held: held === offered ? undefined : held };
}

/** The token of this tab. Another origin, port included, sees nothing of it, and it goes with the tab. */
export function heldToken(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}

/** @param token undefined to forget it */
export function holdToken(token: string | undefined): void {
  if (token === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token);
}
