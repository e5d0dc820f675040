import { invalid } from '../domain/error.ts';
import { type Embedder, EmbedderFault, unitVector } from './embedder.ts';

/** The status of a text that is refused every time, and alone. */
const REFUSED = 422;

/**
 * A caller's own embedder, whose vectors are checked before they are used, and made of unit length (LB-1).
 * @param guard runs the caller's function, which may not call the memory that waits for it
 * @throws PrecedentError `invalid` for an object that is no embedder
 */
export function checkedEmbedder(given: Embedder, guard: <T>(work: () => Promise<T>) => Promise<T>): Embedder {
  if (typeof given.embed !== 'function')
    throw invalid.wrong_type('Expected "embed" of the embedder to be a function.');
  if (typeof given.model !== 'string' || given.model.trim() === '')
    throw invalid.missing(
      'Expected the embedder to have a name in "model", which is kept with each vector; found none.',
    );
  return {
    model: given.model,
    async embed(texts, purpose, signal) {
      const vectors: unknown = await guard(async () => given.embed(texts, purpose, signal));
      if (!Array.isArray(vectors) || vectors.length !== texts.length)
        throw invalid.out_of_range(
          `Expected the embedder to answer ${texts.length} texts with a list of as many vectors, found ${Array.isArray(vectors) ? vectors.length : typeof vectors}.`,
        );
      const units = vectors.map(unit);
      const [first] = units;
      if (units.some((each) => each.length !== first?.length))
        throw invalid.out_of_range('Expected vectors of one size from the embedder, found several sizes.');
      return units;
    },
  };
}

function unit(vector: unknown): Float32Array {
  const isList = Array.isArray(vector) || (ArrayBuffer.isView(vector) && !(vector instanceof DataView));
  const values = isList ? Array.from(vector as ArrayLike<unknown>) : [];
  if (values.length === 0 || !values.every((value) => Number.isFinite(value)))
    throw invalid.wrong_type(
      'Expected each vector of the embedder as a list of finite numbers, such as a Float32Array; found another value.',
    );
  const found = unitVector(values as number[]);
  if (!found) throw new EmbedderFault('a vector of zeros points nowhere', REFUSED);
  return found;
}
