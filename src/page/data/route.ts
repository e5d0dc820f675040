/** A parsed address of the page, such as `#/d/<id>?at=2026-10-01` (X-1). */
export interface Route {
  /** `''` for the home. */
  view: string;
  /** Id of the record that is shown; empty in lists. */
  id: string;
  query: URLSearchParams;
  /** The whole hash, as in the address. */
  hash: string;
}

/** Parameters that every view keeps: the memory, and the date it is shown as of. */
const SHARED = ['in', 'at'];

/** @param hash with its `#` */
export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [view = '', ...rest] = path.split('/');
  return { view, id: decoded(rest.join('/')), query: new URLSearchParams(query), hash };
}

/** The address of a view. @param params undefined and empty ones are left out */
export function hrefOf(view: string, id = '', params: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value);
  const path = [view, ...(id === '' ? [] : [encodeURIComponent(id)])].join('/');
  return `#/${path}${query.size > 0 ? `?${query}` : ''}`;
}

/** The parameters of a query that links to other views keep. */
export function sharedParams(query: URLSearchParams): Record<string, string | undefined> {
  return Object.fromEntries(SHARED.map((name) => [name, query.get(name) ?? undefined]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
