import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { type Client, type Me, Refused } from './client.ts';
import { asOfField, type Dated, type Input, type Result } from './operations.ts';
import { hrefOf, type Route, sharedParams } from './route.ts';

/** The context of every view: route, memory, server connection. */
export interface Session {
  client: Client;
  me: Me;
  route: Route;
  workspace: string;
  /** Incremented when something was saved, so that views read again. */
  tick: number;
  /** Makes every view read again. */
  refresh(): void;
  /** Reports a failed call. An invalid token or a server that is gone concerns the whole page. */
  fail(error: unknown): void;
}

export const SessionContext = createContext<Session>(undefined as unknown as Session);

export const useSession = (): Session => useContext(SessionContext);

/** Makes addresses of other views, in the same memory and as of the same date. */
export function useHref() {
  const { query } = useSession().route;
  return (view: string, id = '', params: Record<string, string | undefined> = {}) =>
    hrefOf(view, id, { ...params, ...sharedParams(query) });
}

/** Calls operations in the current memory, as of the chosen date. */
export function useCall() {
  const { client, workspace, route } = useSession();
  const at = route.query.get('at') ?? undefined;
  return useCallback(
    <Name extends Dated>(name: Name, input: Input<Name>) =>
      client.call(workspace, name, at === undefined ? input : { ...input, [asOfField(name)]: at }),
    [client, workspace, at],
  );
}

/** The state of a read. Earlier data stays until the new data is there. */
export interface Loaded<T> {
  data: T | undefined;
  error: Refused | undefined;
  isLoading: boolean;
}

/**
 * Reads data, and again when `depends`, the chosen date or the memory has changed. An answer that arrives after a newer request was sent is
 * dropped.
 */
export function useLoad<T>(load: () => Promise<T>, depends: unknown[]): Loaded<T> {
  const { tick, fail, route, workspace } = useSession();
  const [loaded, setLoaded] = useState<Loaded<T>>({ data: undefined, error: undefined, isLoading: true });
  const asked = useRef(0);
  const key = JSON.stringify([depends, route.query.get('at'), workspace]);
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

/** {@link useLoad} of what one operation answers about the chosen date. */
export function useRead<Name extends Dated>(name: Name, input: Input<Name>): Loaded<Result<Name>> {
  const call = useCall();
  return useLoad(() => call(name, input), [name, input]);
}

type Paged = keyof typeof LONGEST;

/** A list that grows page by page. */
export interface Pages<Row> extends Loaded<Row[]> {
  /** The number of all rows, shown or not; undefined if the operation does not count them. */
  total: number | undefined;
  hasMore: boolean;
  more(): void;
}

const FIRST = 50;
/** The page limit of each operation. */
const LONGEST = { decision_list: 1000, mem_list: 1000, memo_list: 1000, search: 50, timeline: 1000 } as const;

/** Reads a list page by page (W-6). A list that is read again keeps its number of rows. */
export function usePages<Name extends Paged, Row>(
  name: Name,
  input: Input<Name>,
  rowsOf: (result: Result<Name>) => Row[],
): Pages<Row> & { first: Result<Name> | undefined } {
  const call = useCall();
  const { route, workspace, fail } = useSession();
  const key = JSON.stringify([name, input, route.query.get('at'), workspace]);
  const [further, setFurther] = useState<{ key: string; rows: Row[]; cursor: string | undefined }>();
  const shown = useRef({ key, count: FIRST });
  if (shown.current.key !== key) shown.current = { key, count: FIRST };
  const first = useLoad(async () => {
    const { count } = shown.current;
    // Without a limit a search begins with what is worth reading (T-9).
    const limit = name === 'search' && count === FIRST ? undefined : Math.min(LONGEST[name], count);
    const result = await call(name, { ...input, ...(limit && { limit }) } as Input<Name>);
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
  return { ...first, first: first.data, data, total, hasMore: cursor !== undefined, more };
}

function cursorOf(result: object): string | undefined {
  const found = result as { nextCursor?: string; next_cursor?: string };
  return found.nextCursor ?? found.next_cursor;
}
