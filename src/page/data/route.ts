/** Where in the page somebody is: `#/d/<id>?at=2026-10-01` (X-1). */
export interface Route {
  /** `''` for the overview. */
  view: string;
  /** Of what is shown; empty in lists. */
  id: string;
  query: URLSearchParams;
  /** All of it, as it stands in the address. */
  hash: string;
}

/** What stays while one goes from view to view: the memory, and the moment at which it is looked at. */
const KEPT = ['in', 'at'];

/** @param hash with its `#` */
export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [view = '', ...rest] = path.split('/');
  return { view, id: decoded(rest.join('/')), query: new URLSearchParams(query), hash };
}

/** The address of a view. @param params those that are undefined or empty are left out */
export function hrefOf(view: string, id = '', params: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value);
  const path = [view, ...(id === '' ? [] : [encodeURIComponent(id)])].join('/');
  return `#/${path}${query.size > 0 ? `?${query}` : ''}`;
}

/** Of a query, what goes along to every other view. */
export function keptOf(query: URLSearchParams): Record<string, string | undefined> {
  return Object.fromEntries(KEPT.map((name) => [name, query.get(name) ?? undefined]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
