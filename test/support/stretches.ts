import { StatementSync } from 'node:sqlite';

/** The most that went through statements between two turns of the event loop. */
export interface Stretch {
  rows: number;
  characters: number;
}

type Run = (this: StatementSync, ...values: unknown[]) => unknown;

/**
 * Watches the driver while work is done in this process: what its statements read and write until the event loop gets its
 * next turn is what everybody else waits for.
 */
export async function longestStretch(work: () => Promise<unknown>): Promise<Stretch> {
  const longest: Stretch = { rows: 0, characters: 0 };
  let now: Stretch = { rows: 0, characters: 0 };
  let isDone = false;
  const turn = () => {
    longest.rows = Math.max(longest.rows, now.rows);
    longest.characters = Math.max(longest.characters, now.characters);
    now = { rows: 0, characters: 0 };
    if (!isDone) setImmediate(turn);
  };
  const methods = StatementSync.prototype as unknown as Record<'all' | 'run', Run>;
  const { all, run } = methods;
  const watched = (method: Run): Run =>
    function (...values) {
      const result = method.apply(this, values);
      const rows = Array.isArray(result) ? result : [];
      now.rows += rows.length;
      now.characters += charactersIn(values) + charactersIn(rows);
      return result;
    };
  Object.assign(methods, { all: watched(all), run: watched(run) });
  turn();
  try {
    await work();
  } finally {
    isDone = true;
    turn();
    Object.assign(methods, { all, run });
  }
  return longest;
}

function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + charactersIn(each), 0);
}
