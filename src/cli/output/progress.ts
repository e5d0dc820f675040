/** Receives how much of a long job is done, and how much there is; what must be counted first is, where it is shown. */
type Progress = (done: number, all: number | (() => Promise<number>)) => void;

/** A job that is done sooner, in seconds, shows nothing: it would only flicker. */
const SHORT = 0.5;
const CLEAR = '\r\u001b[K';

/** Shows how much of a long job is done on standard error, where that is a terminal. @param title what is done */
export async function withProgressBar<Result>(
  work: (progress: Progress) => Promise<Result>,
  title = '',
): Promise<Result> {
  // The clock of `performance` is a module that takes every command 2 ms to load.
  const begun = process.uptime();
  let counted: Promise<void> | undefined;
  let total = 0;
  let shown = '';
  try {
    return await work((done, all) => {
      if (!process.stderr.isTTY || process.uptime() - begun < SHORT) return;
      if (typeof all === 'number') total = all;
      else
        counted ??= all().then((count) => {
          total = count;
        });
      const share = Math.floor((100 * done) / total);
      const line = `${title}${share} %`;
      // Once for each percent: a line for each record would slow the job down.
      if (total === 0 || line === shown) return;
      shown = line;
      process.stderr.write(`${CLEAR}${line} · ${done} of ${total}`);
    });
  } finally {
    await counted;
    if (shown !== '') process.stderr.write(CLEAR);
  }
}
