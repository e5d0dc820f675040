import { useEffect, useRef } from 'preact/hooks';
import { type Client, Refused } from './client.ts';

/** How often it is asked whether something changed, in milliseconds: three look-ups of the server. */
const EVERY = 5_000;

/** What becomes of a memory while one looks at it. */
interface Watched {
  changed(): void;
  /** @param trouble why the server does not answer; undefined: it does */
  heard(trouble: Refused | undefined): void;
}

/** Asks whether something changed in a memory, as long as the page can be seen. */
export function useWatch(client: Client, workspace: string, watched: Watched): void {
  const latest = useRef(watched);
  latest.current = watched;
  useEffect(() => {
    let state: string | undefined;
    let isOver = false;
    /** Milliseconds: a server that named a time is not asked before. */
    let notBefore = 0;
    const ask = async () => {
      if (document.hidden || Date.now() < notBefore) return;
      try {
        const before = state;
        const answer = await client.call(workspace, 'changed_since', state === undefined ? {} : { state });
        if (isOver) return;
        state = answer.state;
        latest.current.heard(undefined);
        if (before !== undefined && answer.changed) latest.current.changed();
      } catch (error) {
        if (isOver || !(error instanceof Refused)) return;
        if (error.status === 429) notBefore = Date.now() + error.wait * 1000;
        latest.current.heard(error);
      }
    };
    void ask();
    const timer = setInterval(ask, EVERY);
    const seen = () => void ask();
    document.addEventListener('visibilitychange', seen);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [client, workspace]);
}
