import type { SingleBar } from 'cli-progress';

/** Receives how much of a long job is done, and how much there is; what must be counted first is, where a bar is shown. */
type Progress = (done: number, all: number | (() => Promise<number>)) => void;

/** A job that is done sooner, in seconds, shows no bar: it would only flicker. */
const SHORT = 0.5;

/** Shows a bar on standard error during a long job, where standard error is a terminal. @param title what is done */
export async function withProgressBar<Result>(
  work: (progress: Progress) => Promise<Result>,
  title = '',
): Promise<Result> {
  // The clock of `performance` is a module that takes every command 2 ms to load.
  const begun = process.uptime();
  let opening: Promise<SingleBar | undefined> | undefined;
  let bar: SingleBar | undefined;
  try {
    return await work((done, all) => {
      if (process.uptime() - begun < SHORT) return;
      opening ??= newBar(title).then(async (made) => {
        made.start(typeof all === 'number' ? all : await all(), done);
        bar = made;
        return made;
      });
      bar?.update(done);
    });
  } finally {
    (await opening)?.stop();
  }
}

/** The library is loaded only where a bar is shown: most commands need none. */
async function newBar(title: string): Promise<SingleBar> {
  // The default export is CommonJS's exports, also in the bundle.
  const { default: library } = await import('cli-progress');
  return new library.SingleBar(
    {
      format: `${title}{bar} {percentage} % · {value} of {total} · {eta_formatted} left`,
      noTTYOutput: false,
    },
    library.Presets.shades_grey,
  );
}
