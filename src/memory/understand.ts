import type { Log } from '../domain/log.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { Understanding } from '../store/tx.ts';

/** How long a search waits for the meaning of its question, in milliseconds. */
const ASKING = 3_000;

/** Asks the model what a question means. Without an answer in time, says that words alone were searched, and why. */
export async function understand(embedder: Embedder, question: string, log: Log): Promise<Understanding> {
  const stop = new AbortController();
  const { signal } = stop;
  // AbortSignal.timeout would let the process end while the caller still waits for the answer.
  const timer = setTimeout(() => stop.abort(new Error(`no answer within ${ASKING / 1000} seconds`)), ASKING);
  try {
    // A user's own embedder may ignore the signal.
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
