import type { Memory } from '../memory/memory.ts';
import { dim, good, line, type View, warn } from '../operations/view.ts';
import { progressBar } from './progress.ts';

/**
 * Gives every record a vector, with a bar on standard error. Ctrl-C stops it; what has a vector keeps it, and the next
 * run goes on from there.
 */
export async function embedAll(memory: Memory) {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal);
  const bar = progressBar();
  let all = 0;
  try {
    const { missing } = await memory.embed((done, total) => {
      all = total;
      bar.update(done, total);
    }, stop.signal);
    return {
      view: viewOf(all, missing, stop.signal.aborted),
      report: { records: all, missing, stopped: stop.signal.aborted },
    };
  } finally {
    bar.stop();
    process.removeListener('SIGINT', onSignal);
  }
}

function viewOf(all: number, missing: number, stopped: boolean): View {
  if (stopped)
    return [
      line(warn('stopped'), dim(`  ${all - missing} of ${all} records have a vector; run it again to go on`)),
    ];
  return [
    line(good('✔ '), `${all - missing} of ${all} records have a vector`),
    ...(missing > 0
      ? [
          line(
            warn(
              `! ${missing} have none: refused by the model, or saved meanwhile; they are found by their words`,
            ),
          ),
        ]
      : []),
  ];
}
