import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Works, and cleans up afterwards: also when the work fails, and when a signal ends the process. */
export async function cleaningUp<Result>(clean: () => void, work: () => Promise<Result>): Promise<Result> {
  const stop = (signal: NodeJS.Signals) => {
    clean();
    process.exit(128 + (constants.signals[signal] ?? 0));
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
    clean();
  }
}
