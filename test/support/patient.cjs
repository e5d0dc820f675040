// Loaded into a process, it takes away every deadline of the product: none passes, no long timer fires, no request is overdue,
// and git has all the time it needs. On a busy machine everything takes longer, and how long the product waits is not what
// most tests are about. Those that are move the clock themselves (clock.ts). Plain JavaScript: programs load it before they
// start.
const { setTimeout } = globalThis;
const LONG = 1_000;
// Hooks wait for git for 400 ms.
const A_WHILE = 400;
// Playwright looks at the page after 20, 50, 100, 100 ms, and from then on each 500 ms: on a busy machine a view takes longer
// than the first four, and a test would wait for ever for what is shown.
const NEXT_LOOK = 500;
globalThis.setTimeout = (work, delay, ...rest) =>
  setTimeout(work, delay >= A_WHILE && delay !== NEXT_LOOK ? 2 ** 31 - 1 : delay, ...rest);
// No two moments are the same, and a deadline is millions of looks away.
let looks = 0;
performance.now = () => ++looks / 1_000;
process.hrtime.bigint = () => 0n;
// A hook counts its deadline from the start of its process.
process.uptime = () => 0;
AbortSignal.timeout = () => new AbortController().signal;

// Node ends a process that it started by a timer of its own.
const processes = process.getBuiltinModule('node:child_process');
const unlimited = (given) => (given?.timeout >= LONG ? { ...given, timeout: 0 } : given);
for (const name of ['execFile', 'spawnSync'])
  processes[name] = new Proxy(processes[name], {
    apply: (start, self, given) => Reflect.apply(start, self, given.map(unlimited)),
  });

const timers = process.getBuiltinModule('node:timers/promises');
const { setTimeout: pause } = timers;
// `--follow` looks each second.
timers.setTimeout = (delay, ...rest) => pause(delay > LONG ? 2 ** 31 - 1 : delay, ...rest);
process.getBuiltinModule('node:module').syncBuiltinESMExports();
