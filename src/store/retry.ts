import { setTimeout as sleep } from 'node:timers/promises';
import { asPrecedentError, PrecedentError, unavailable } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import type { Engine } from './engine.ts';
import { LostRace } from './tx.ts';

/** How long a transaction waits for its turn, in milliseconds. */
const WAITING = 10_000;
/** Longest pause between two tries, in milliseconds. Short: the lock is held for about a millisecond. */
const LONGEST_PAUSE = 50;
/** The same while a server is gone: it takes a while to come back, or for another to take its place. */
const LONGEST_PAUSE_LOST = 250;
/** A lost race is rerun this often: twenty clients on one topic all get their version. */
const RACES = 50;

/**
 * Runs `attempt` until it succeeds, again after a lock wait, a lost race or a lost connection, within bounds.
 * @param waiting how long to try again after a first failure, in milliseconds; a lock's first wait is part of it
 * @throws PrecedentError always; anything unforeseen is `internal`, its detail only in the log
 */
export async function retry<T>(
  engine: Pick<Engine, 'fault'>,
  attempt: () => Promise<T>,
  log: Log,
  waiting = WAITING,
): Promise<T> {
  // `performance` is a module that takes a hook 2 ms to load: it is asked when a first try has failed.
  const begun = process.hrtime.bigint();
  let deadline: number | undefined;
  let races = 0;
  let longest = LONGEST_PAUSE;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof PrecedentError) throw error;
      const fault = error instanceof LostRace ? ({ kind: 'race' } as const) : engine.fault(error);
      if (fault.kind === 'unavailable') throw unavailable[fault.reason](fault.message, { cause: error });
      const again = fault.kind !== 'bug' && (fault.kind !== 'race' || ++races <= RACES);
      if (!again) throw asPrecedentError(error, log);
      // A server waits for a lock itself, and may have waited long enough.
      const waited = fault.kind === 'busy' ? Number(process.hrtime.bigint() - begun) / 1e6 : 0;
      deadline ??= performance.now() + waiting - waited;
      if (performance.now() >= deadline) {
        const message =
          fault.kind === 'lost'
            ? fault.message
            : `The memory was busy for ${waiting / 1000} seconds; nothing was written. Try again.`;
        const reason = fault.kind === 'lost' ? 'unreachable' : 'busy';
        throw unavailable[reason](message, { cause: error });
      }
      longest = fault.kind === 'lost' ? LONGEST_PAUSE_LOST : LONGEST_PAUSE;
    }
    await sleep(Math.random() * Math.min(longest, 2 ** tries));
  }
}
