import { PrecedentError } from '../domain/error.ts';
import type { Operation } from '../operations/operation.ts';
import { asOf, IndexNeeded } from '../store/past/as-of.ts';
import { withIndexThen } from '../store/past/index-then.ts';
import type { Store } from '../store/store.ts';
import type { Tx, Writer } from '../store/tx.ts';

type Given = Record<string, unknown>;

/**
 * Runs a read on the memory as it was at a moment (U-5).
 * @param at milliseconds UTC
 * @param hasModel whether searches go by meaning too: about the past they go by words, and say so
 * @returns also the notes beside the answer
 * @throws PrecedentError as the read does, saying of when
 */
export function readAsOf(
  store: Store,
  operation: Operation,
  given: Given,
  writer: Writer,
  { at, hasModel }: { at: number; hasModel: boolean },
): Promise<{ result: Given; notes: string[] }> {
  return store.read(writer, async (today) => {
    const past = await asOf(today, at);
    const run = async (then: Tx) => ({ result: await operation.run(then, given), notes: then.notes });
    try {
      return await run({ ...past, notes: [] }).catch(async (error: unknown) => {
        // Most reads need no index.
        if (!(error instanceof IndexNeeded)) throw error;
        const degraded = hasModel && operation.embeddingQuery ? BY_WORDS : undefined;
        const { result, notes } = await run({ ...(await withIndexThen(past, today)), degraded, notes: [] });
        return { result: degraded === undefined ? result : { ...result, degraded }, notes };
      });
    } catch (error) {
      throw ofThen(error, at);
    }
  });
}

/** A record that was not there then may be there now. */
function ofThen(error: unknown, at: number): unknown {
  if (!(error instanceof PrecedentError) || error.code !== 'not_found') return error;
  const message = `${error.message} This is the memory as of ${new Date(at).toISOString()}.`;
  return new PrecedentError(error.code, error.reason, message, { cause: error });
}

const BY_WORDS = 'the past is searched by words alone';
