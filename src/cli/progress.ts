import { Presets, SingleBar } from 'cli-progress';

/** A bar on standard error, where that is a terminal. */
export function progressBar() {
  const bar = new SingleBar(
    { format: '{bar} {percentage} % · {value} of {total} · {eta_formatted} left', noTTYOutput: false },
    Presets.shades_grey,
  );
  let isStarted = false;
  return {
    update(done: number, all: number): void {
      if (!isStarted) bar.start(all, done);
      isStarted = true;
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}
