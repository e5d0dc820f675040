import { invalid } from '../../domain/error.ts';
import { here } from '../../files/surroundings.ts';
import type { MemoryCore } from '../../memory/core.ts';
import { dim, good, line, type View, warn } from '../../operations/view.ts';
import { open, using } from '../open.ts';
import type { Answer } from '../output/print.ts';
import { withProgressBar } from '../output/progress.ts';
import { triedText } from '../output/tried.ts';
import { defineCommand } from '../own-command.ts';
import { findEmbedder } from '../settings.ts';

export const embed = defineCommand({
  name: 'embed',
  summary: 'Compute the vectors that records lack, and try the model',
  examples: ['embed'],
  run: async (_, place) => using(await open(place, { create: 'never' }), embedAll),
});

/** Ctrl-C stops it: the records that have a vector keep it, and the next run continues with the others. */
async function embedAll(memory: MemoryCore): Promise<Answer> {
  // The library speaks of its own options.
  const model = findEmbedder(here().env);
  if (!model)
    throw invalid.no_model(
      'Expected a model to embed with, found none. Set PRECEDENT_EMBED_URL and PRECEDENT_EMBED_MODEL to an endpoint with OpenAI’s protocol: PRECEDENT_EMBED_URL=http://localhost:11434/v1 PRECEDENT_EMBED_MODEL=nomic-embed-text precedent embed',
    );
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal);
  let records = 0;
  try {
    const { missing, tried } = await withProgressBar((progress) =>
      memory.embed(
        (done, all) => {
          records = all;
          progress(done, all);
        },
        stop.signal,
        model,
      ),
    );
    const stopped = stop.signal.aborted;
    const { workspace } = memory;
    return {
      report: { records, missing, stopped, workspace, ...(tried && { tried }) },
      view: [...viewOf(records, missing, stopped, workspace), ...(tried ? [line(triedText(tried))] : [])],
    };
  } finally {
    process.removeListener('SIGINT', onSignal);
  }
}

function viewOf(records: number, missing: number, stopped: boolean, workspace: string): View {
  const count = `${records - missing} of ${records} records have a vector`;
  const where = dim(`  workspace ${workspace}`);
  if (stopped) return [line(warn('stopped'), dim(`  ${count}; run it again to continue`), where)];
  const why = `! ${missing} have no vector and are found by words only: the model refused them, or they are new`;
  return [line(good('✔ '), count, where), ...(missing > 0 ? [line(warn(why))] : [])];
}
