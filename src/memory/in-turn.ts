import { setImmediate } from 'node:timers/promises';

export { chargedTo, type Share } from '../store/turns.ts';

/**
 * One piece of work after the other, however many are asked for at once. Others get their turn between two pieces: an
 * embedded database answers without a pause (Z-5).
 * @returns a function that runs each piece of work when those before it have ended, however they ended
 */
export function oneAfterTheOther() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const running = last.then(work);
    last = running.then(
      () => setImmediate(),
      () => setImmediate(),
    );
    return running;
  };
}
