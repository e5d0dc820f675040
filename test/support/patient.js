// Whoever loads this never loses patience: no deadline passes, no timer of a tenth of a second or more fires, no request is
// overdue. A deadline is what is left of it after the start, which may be little. On a busy machine everything takes longer,
// and how long the product waits is not what most tests are about.
// Those that are move the clock themselves (clock.ts). Plain JavaScript: programs load it before they start.
const { setTimeout } = globalThis;
globalThis.setTimeout = (work, delay, ...rest) =>
  setTimeout(work, delay >= 100 ? 2 ** 31 - 1 : delay, ...rest);
performance.now = () => 0;
AbortSignal.timeout = () => new AbortController().signal;
