import { constants } from 'node:os';

/**
 * Does something last when one of these signals ends the process.
 * @returns what takes that back
 */
export function whenEnded(
  signals: readonly NodeJS.Signals[],
  last: (signal: NodeJS.Signals) => void,
): () => void {
  const end = (signal: NodeJS.Signals) => {
    last(signal);
    process.exit(128 + (constants.signals[signal] ?? 0));
  };
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}
