import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { type Client, type Me, Refused } from './client.ts';
import type { Input, Operations, Result } from './operations.ts';
import { hrefOf, keptOf, type Route } from './route.ts';

/** What every view stands on: where somebody is, in which memory, at which moment. */
export interface Session {
  client: Client;
  me: Me;
  route: Route;
  workspace: string;
  /** Raised when something was saved: views read again. */
  tick: number;
  /** Makes every view read again. */
  refresh(): void;
  /** Says that a call failed; a token that no longer holds, or a server that is gone, concerns the whole page. */
  fail(error: unknown): void;
}

export const SessionContext = createContext<Session>(undefined as unknown as Session);

export const useSession = (): Session => useContext(SessionContext);

/** Addresses of other views, in the same memory and at the same moment. */
export function useHref() {
  const { query } = useSession().route;
  return (view: string, id = '', params: Record<string, string | undefined> = {}) =>
    hrefOf(view, id, { ...params, ...keptOf(query) });
}

/** A call as a view makes it: in its memory, at the moment that is looked at. */
export function useCall() {
  const { client, workspace, route } = useSession();
  const at = route.query.get('at') ?? undefined;
  return useCallback(
    <Name extends keyof Operations>(name: Name, input: Input<Name>) =>
      client.call(workspace, name, input, at),
    [client, workspace, at],
  );
}

/** What was read, or is about to be. What was read before stays until there is something new. */
export interface Loaded<T> {
  data: T | undefined;
  error: Refused | undefined;
  isLoading: boolean;
}

/**
 * Reads something, again when what it depends on or the memory has changed. An answer that comes after a later question was
 * asked is dropped.
 */
export function useLoad<T>(load: () => Promise<T>, depends: unknown[]): Loaded<T> {
  const { tick, fail } = useSession();
  const [loaded, setLoaded] = useState<Loaded<T>>({ data: undefined, error: undefined, isLoading: true });
  const asked = useRef(0);
  const key = JSON.stringify(depends);
  const lastKey = useRef(key);
  useEffect(() => {
    const turn = ++asked.current;
    const isSame = lastKey.current === key;
    lastKey.current = key;
    setLoaded((before) => ({ ...before, error: isSame ? before.error : undefined, isLoading: true }));
    load().then(
      (data) => turn === asked.current && setLoaded({ data, error: undefined, isLoading: false }),
      (error: unknown) => {
        if (turn !== asked.current) return;
        fail(error);
        const refused = error instanceof Refused ? error : new Refused(500, String(error));
        setLoaded((before) => ({ data: isSame ? before.data : undefined, error: refused, isLoading: false }));
      },
    );
  }, [key, tick]);
  return { ...loaded, isLoading: loaded.isLoading || lastKey.current !== key };
}

type Paged = Operations[keyof Operations]['name'] &
  ('decision_list' | 'mem_list' | 'memo_list' | 'search' | 'timeline');

/** A list that grows page by page. */
export interface Pages<Row> extends Loaded<Row[]> {
  /** How many there are, shown or not; undefined where an operation does not count them. */
  total: number | undefined;
  hasMore: boolean;
  more(): void;
}

const FIRST = 50;
/** The longest page that operations give. */
const LONGEST = { decision_list: 1000, mem_list: 1000, memo_list: 1000, search: 50, timeline: 1000 } as const;

/** Reads a list, page by page (W-6). A list that is read again has as many rows as it had. */
export function usePages<Name extends Paged, Row>(
  name: Name,
  input: Input<Name>,
  rowsOf: (result: Result<Name>) => Row[],
): Pages<Row> {
  const call = useCall();
  const { route, workspace, fail } = useSession();
  const key = JSON.stringify([name, input, route.query.get('at'), workspace]);
  const [further, setFurther] = useState<{ key: string; rows: Row[]; cursor: string | undefined }>();
  const shown = useRef({ key, count: FIRST });
  if (shown.current.key !== key) shown.current = { key, count: FIRST };
  const first = useLoad(async () => {
    const limit = Math.min(LONGEST[name], shown.current.count);
    const result = await call(name, { ...input, limit } as Input<Name>);
    setFurther(undefined);
    return result;
  }, [key]);
  const mine = further?.key === key ? further : undefined;
  const cursor = mine ? mine.cursor : first.data && cursorOf(first.data);
  const more = () => {
    const limit = Math.min(LONGEST[name], FIRST * 2);
    call(name, { ...input, limit, cursor } as Input<Name>).then((result) => {
      const rows = [...(mine?.rows ?? []), ...rowsOf(result)];
      shown.current.count = (first.data ? rowsOf(first.data).length : 0) + rows.length;
      setFurther({ key, rows, cursor: cursorOf(result) });
    }, fail);
  };
  const data = first.data && [...rowsOf(first.data), ...(mine?.rows ?? [])];
  const total = first.data && 'total' in first.data ? (first.data.total as number) : undefined;
  return { ...first, data, total, hasMore: cursor !== undefined, more };
}

function cursorOf(result: object): string | undefined {
  const found = result as { nextCursor?: string; next_cursor?: string };
  return found.nextCursor ?? found.next_cursor;
}
