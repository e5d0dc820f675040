import type { Log } from '../domain/log.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { Understanding } from '../store/tx.ts';

/** How long a search waits for the meaning of its question, in milliseconds. */
const ASKING = 3_000;

/** What a question means; without an answer in time, why it is looked for by its words alone. */
export async function understand(embedder: Embedder, question: string, log: Log): Promise<Understanding> {
  const stop = new AbortController();
  const { signal } = stop;
  // A timer that keeps the process alive, as that of AbortSignal.timeout does not: somebody waits for the answer.
  const timer = setTimeout(() => stop.abort(new Error(`no answer within ${ASKING / 1000} seconds`)), ASKING);
  try {
    // An embedder of somebody else's may not look at the signal.
    const [vector] = await Promise.race([embedder.embed([question], 'query', signal), aborted(signal)]);
    return vector ? { meaning: { model: embedder.model, vector } } : {};
  } catch (error) {
    log(`found by words alone: ${error instanceof Error ? error.message : error}`, 'warning');
    return { degraded: 'the model did not answer: found by words alone' };
  } finally {
    clearTimeout(timer);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
