// Whoever loads this never loses patience: no deadline passes, no long timer fires, no request is overdue. On a busy
// machine everything takes longer, and how long the product waits is not what most tests are about.
// Those that are move the clock themselves (clock.ts). Plain JavaScript: programs load it before they start.
const { setTimeout } = globalThis;
// A deadline of a program is what is left of it after its start, which may be little. A test itself drives a browser, which
// is asked again after half a second.
const isProgram = process.env.NODE_OPTIONS?.includes(import.meta.url);
const LONG = isProgram ? 100 : 1_000;
globalThis.setTimeout = (work, delay, ...rest) =>
  setTimeout(work, delay >= LONG ? 2 ** 31 - 1 : delay, ...rest);
performance.now = () => 0;
AbortSignal.timeout = () => new AbortController().signal;
