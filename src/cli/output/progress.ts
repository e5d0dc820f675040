/** Receives how much of a long job is done, and how much there is. */
type Progress = (done: number, all: number) => void;

/** Shows a bar on standard error during a long job, where standard error is a terminal. */
export async function withProgressBar<Result>(
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  // The default export is CommonJS's exports, also in the bundle.
  const { default: library } = await import('cli-progress');
  const bar = new library.SingleBar(
    { format: '{bar} {percentage} % · {value} of {total} · {eta_formatted} left', noTTYOutput: false },
    library.Presets.shades_grey,
  );
  let isStarted = false;
  try {
    return await work((done, all) => {
      if (!isStarted) bar.start(all, done);
      isStarted = true;
      bar.update(done);
    });
  } finally {
    bar.stop();
  }
}
