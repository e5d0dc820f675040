// Whoever loads this never loses patience: no deadline passes, no timer of a second or more fires, no request is
// overdue. On a busy machine everything takes longer, and how long the product waits is not what most tests are about.
// Those that are move the clock themselves (clock.ts). Plain JavaScript: programs load it before they start.
const { setTimeout } = globalThis;
globalThis.setTimeout = (work, delay, ...rest) =>
  setTimeout(work, delay >= 1_000 ? 2 ** 31 - 1 : delay, ...rest);
performance.now = () => 0;
AbortSignal.timeout = () => new AbortController().signal;
