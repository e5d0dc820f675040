import { invalid, type PrecedentError, unavailable } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { Backlog, embedPassages } from '../embedding/backlog.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { OpenAiOptions } from '../embedding/openai.ts';
import type { Document } from '../store/engine.ts';
import { countMissing, keepVectors, missingDocuments } from '../store/search/vectors.ts';
import { type Store, UNHURRIED } from '../store/store.ts';
import type { Writer } from '../store/tx.ts';

/** Documents whose vectors are missing, looked up at once. */
const MISSING = 64;

/** The embedder itself, or one for the endpoint that the options name. */
export async function embedderOf(given: Embedder | OpenAiOptions): Promise<Embedder> {
  if ('embed' in given) return given;
  const { openAiEmbedder } = await import('../embedding/openai.ts');
  return openAiEmbedder(given);
}

/** The documents that wait for their vectors, which are computed in the background. */
export function backlogOf(embedder: Embedder, store: Store, self: Writer, log: Log): Backlog<Document> {
  return new Backlog(embedder, vectorWriter(store, self, embedder.model), log);
}

/** A function that stores vectors of documents, each time in a transaction of its own. */
function vectorWriter(store: Store, self: Writer, model: string) {
  return (documents: Document[], vectors: Float32Array[]) =>
    store.write(self, (tx) => keepVectors(tx, model, documents, vectors));
}

/**
 * Gives every record that lacks one a vector, in the order in which they were saved.
 * @throws PrecedentError `invalid` without an embedder, `unavailable` when it does not answer
 */
export async function embedMissing(
  store: Store,
  embedder: Embedder | undefined,
  self: Writer,
  progress: (done: number, all: number) => void = () => {},
  signal?: AbortSignal,
): Promise<{ missing: number }> {
  if (!embedder)
    throw invalid.no_model('Expected a model to embed with, found none. Give openMemory an embedder.');
  const { model } = embedder;
  const size = await sizeOf(embedder, signal);
  const keep = vectorWriter(store, self, model);
  // Counting reads everything: once at the start, and once at the end.
  const count = async () => {
    const counted = await store.read(self, (tx) => countMissing(tx, model, size), UNHURRIED);
    progress(counted.all - counted.missing, counted.all);
    return counted;
  };
  const { missing, all } = await count();
  let done = all - missing;
  for (let after = 0; ; ) {
    const documents = await store.read(
      self,
      (tx) => missingDocuments(tx, model, size, after, MISSING),
      UNHURRIED,
    );
    if (documents.length === 0 || signal?.aborted) return { missing: (await count()).missing };
    after = documents.at(-1)?.seq ?? after;
    done += await embedPassages(embedder, documents, keep, signal).catch((error: unknown) => {
      if (!signal?.aborted) throw unreachable(error);
      return 0;
    });
    progress(Math.min(done, all), all);
  }
}

/** How many numbers a vector of the model has today: the same name may mean another model than before. */
async function sizeOf(embedder: Embedder, signal: AbortSignal | undefined): Promise<number> {
  const [vector] = await embedder.embed(['size'], 'passage', signal).catch((error: unknown) => {
    throw unreachable(error);
  });
  return vector?.length ?? 0;
}

function unreachable(error: unknown): PrecedentError {
  return unavailable.model_failed(
    `The model did not answer: ${String(error instanceof Error ? error.message : error).replace(/\.?\s*$/, '.')} Records that have a vector keep it. Run it again.`,
    { cause: error },
  );
}
