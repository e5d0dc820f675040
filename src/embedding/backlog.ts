import { setTimeout as sleep } from 'node:timers/promises';
import { append } from '../domain/append.ts';
import type { Log } from '../domain/log.ts';
import { mask } from '../domain/text/masking.ts';
import { type Embedder, isRefusal, type Purpose } from './embedder.ts';

/** A text to embed; its number identifies it. */
export interface Passage {
  seq: number;
  title: string;
  body: string;
}

/** Keeps vectors, except those whose text has changed meanwhile. @returns how many were kept */
export type Keep<P> = (passages: P[], vectors: Float32Array[]) => Promise<number>;

/** Texts in one request: small enough for a model on a laptop. */
const BATCH = 32;

/**
 * Embeds passages batch by batch. When a batch is refused, each of its texts is tried alone, and left out when it is
 * refused again. @returns how many were kept. @throws EmbedderFault when the model cannot be reached
 */
export async function embedPassages<P extends Passage>(
  embedder: Embedder,
  passages: P[],
  keep: Keep<P>,
  signal?: AbortSignal,
  purpose: Purpose = 'passage',
): Promise<number> {
  let kept = 0;
  for (let start = 0; start < passages.length; start += BATCH) {
    kept += await embedBatch(embedder, passages.slice(start, start + BATCH), keep, signal, purpose);
  }
  return kept;
}

async function embedBatch<P extends Passage>(
  embedder: Embedder,
  batch: P[],
  keep: Keep<P>,
  signal: AbortSignal | undefined,
  purpose: Purpose,
): Promise<number> {
  try {
    // A secret that was kept on purpose was kept for this memory, and for no model (Z-9).
    const texts = batch.map(({ title, body }) => mask(`${title}\n${body}`.trim()));
    return await keep(batch, await embedder.embed(texts, purpose, signal));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (batch.length === 1) return 0;
    let kept = 0;
    for (const passage of batch) kept += await embedBatch(embedder, [passage], keep, signal, purpose);
    return kept;
  }
}

/**
 * Embeds new texts in the background, one batch after the other. After a failure the texts stay without a vector until
 * `precedent doctor --repair` runs.
 */
export class Backlog<P extends Passage> {
  readonly #embedder: Embedder;
  readonly #keep: Keep<P>;
  readonly #log: Log;
  readonly #waiting: P[] = [];
  readonly #stopped = new AbortController();
  #running: Promise<void> | undefined;

  constructor(embedder: Embedder, keep: Keep<P>, log: Log) {
    this.#embedder = embedder;
    this.#keep = keep;
    this.#log = log;
  }

  /** Returns at once: no write waits for a model. */
  add(passages: readonly P[]): void {
    if (this.#stopped.signal.aborted || passages.length === 0) return;
    append(this.#waiting, passages);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Waits until the running batches are done. @param patience how long at most, in milliseconds */
  async finish(patience: number): Promise<void> {
    if (!this.#running) return;
    // It keeps the process alive: an embedder of one's own may wait for what does not.
    const late = sleep(patience, undefined, { signal: this.#stopped.signal }).catch(() => {});
    await Promise.race([this.#running, late]);
    this.#stopped.abort();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#stopped.signal.aborted) {
      const passages = this.#waiting.splice(0, BATCH);
      try {
        await embedPassages(this.#embedder, passages, this.#keep, this.#stopped.signal);
      } catch (error) {
        const left = passages.length + this.#waiting.splice(0).length;
        const why = error instanceof Error ? error.message : String(error);
        this.#log(
          `${left} records are found by their words only, until memory.embed() or "precedent doctor --repair" runs: ${why}`,
          'warning',
        );
      }
    }
  }
}
