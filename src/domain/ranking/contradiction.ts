import { CONTRADICTION } from './weights.ts';

/** An active decision on another topic that says nearly the same as one that is saved. */
interface Candidate {
  /** How close both are in all they say, 0..1. */
  closeness: number;
  /** Whether the active one is an axis or a lock. */
  isBinding: boolean;
}

/**
 * The closest that binds and the closest that does not, each if it is close enough for a warning (T-6): two rules that say
 * nearly the same under two topics contradict or repeat each other more often than not. Few warnings are given, since one
 * that is mostly wrong is not read.
 */
export function suspects<T extends Candidate>(candidates: readonly T[]): T[] {
  const sorted = candidates.toSorted((a, b) => b.closeness - a.closeness);
  return [
    ...sorted.filter((each) => each.isBinding && each.closeness >= CONTRADICTION.binding).slice(0, 1),
    ...sorted.filter((each) => !each.isBinding && each.closeness >= CONTRADICTION.ordinary).slice(0, 1),
  ];
}
