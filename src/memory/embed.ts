import { invalid, PrecedentError, unavailable } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { type Tried, trialOf, triedOf } from '../domain/ranking/meaning.ts';
import { TRIED } from '../domain/ranking/weights.ts';
import { Backlog, embedPassages, type Passage } from '../embedding/backlog.ts';
import { checkedEmbedder } from '../embedding/checked.ts';
import type { Embedder, Purpose } from '../embedding/embedder.ts';
import type { OpenAiOptions } from '../embedding/openai.ts';
import type { StaticOptions } from '../embedding/static.ts';
import type { Document } from '../store/engine.ts';
import { type KeptTrial, keepTrial, recordsToTry, trialOfModel } from '../store/search/trial.ts';
import { countMissing, keepVectors, missingDocuments } from '../store/search/vectors.ts';
import { type Store, UNHURRIED } from '../store/store.ts';
import type { Writer } from '../store/tx.ts';

/** Documents whose vectors are missing, looked up at once. */
const MISSING = 64;

/** A model as a caller names it. */
export type GivenEmbedder = Embedder | OpenAiOptions | StaticOptions;

/** Embedders that were made here: a server gives one to all its memories. */
const made = new WeakSet<GivenEmbedder>();

/** The embedder itself, checked, or one for the endpoint or the folder that the options name. */
export async function embedderOf(given: GivenEmbedder, store?: Store): Promise<Embedder> {
  if (made.has(given)) return given as Embedder;
  const embedder = await makeEmbedder(given, store);
  made.add(embedder);
  return embedder;
}

async function makeEmbedder(given: GivenEmbedder, store: Store | undefined): Promise<Embedder> {
  if ('folder' in given) {
    const { staticEmbedder } = await import('../embedding/static.ts');
    return staticEmbedder(given);
  }
  if ('url' in given) {
    const { openAiEmbedder } = await import('../embedding/openai.ts');
    return openAiEmbedder(given);
  }
  return checkedEmbedder(given, (work) => store?.guard(work) ?? work());
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
 * Gives every record that lacks one a vector, in the order in which they were saved; then tries the model.
 * @returns how many still lack one, and how the model did, once there are records enough to try it on
 * @throws PrecedentError `invalid` without an embedder, `unavailable` when it does not answer
 */
export async function embedMissing(
  store: Store,
  embedder: Embedder | undefined,
  self: Writer,
  progress: (done: number, all: number) => void = () => {},
  signal?: AbortSignal,
): Promise<{ missing: number; tried?: Tried }> {
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
    if (documents.length === 0 || signal?.aborted) {
      const trying = signal?.aborted ? undefined : tryModel(store, embedder, self, size, signal);
      const trial = await trying?.catch((error: unknown) => {
        if (!signal?.aborted) throw unreachable(error);
        return undefined;
      });
      return {
        missing: (await count()).missing,
        ...(trial && { tried: triedOf(trial) }),
      };
    }
    after = documents.at(-1)?.seq ?? after;
    done += await embedPassages(embedder, documents, keep, signal).catch((error: unknown) => {
      if (!signal?.aborted) throw unreachable(error);
      return 0;
    });
    progress(Math.min(done, all), all);
  }
}

/**
 * Tries the model on some of the records, and keeps how it did; again once there are twice as many records to try it on.
 * @returns undefined while there are too few
 */
async function tryModel(
  store: Store,
  embedder: Embedder,
  self: Writer,
  dimensions: number,
  signal: AbortSignal | undefined,
): Promise<KeptTrial | undefined> {
  const { model } = embedder;
  const [kept, records] = await store.read(self, async (tx) => [
    await trialOfModel(tx, model, dimensions),
    await recordsToTry(tx),
  ]);
  if (records.length < Math.max(TRIED.least, 2 * (kept?.asked ?? 0))) return kept;
  const vectorsOf = async (part: 'title' | 'body', purpose: Purpose) => {
    const found = new Map<number, Float32Array>();
    const passages = records.map(({ seq, [part]: body }) => ({ seq, title: '', body }));
    const keep = async (embedded: Passage[], vectors: Float32Array[]) => {
      for (const [at, vector] of vectors.entries()) found.set(embedded[at]?.seq ?? 0, vector);
      return vectors.length;
    };
    await embedPassages(embedder, passages, keep, signal, purpose);
    return found;
  };
  const titles = await vectorsOf('title', 'query');
  const texts = await vectorsOf('body', 'passage');
  const pairs = [...titles].flatMap(([seq, title]) => {
    const text = texts.get(seq);
    return text ? [{ title, text }] : [];
  });
  // The model refused the others.
  if (pairs.length < TRIED.least) return kept;
  const trial = { model, dimensions, ...trialOf(pairs) };
  await store.write(self, (tx) => keepTrial(tx, trial));
  return trial;
}

/** How many numbers a vector of the model has today: the same name may mean another model than before. */
async function sizeOf(embedder: Embedder, signal: AbortSignal | undefined): Promise<number> {
  const [vector] = await embedder.embed(['size'], 'passage', signal).catch((error: unknown) => {
    throw unreachable(error);
  });
  return vector?.length ?? 0;
}

function unreachable(error: unknown): PrecedentError {
  if (error instanceof PrecedentError) return error;
  return unavailable.model_failed(
    `The model did not answer: ${String(error instanceof Error ? error.message : error).replace(/\.?\s*$/, '.')} Records that have a vector keep it. Run it again.`,
    { cause: error },
  );
}
