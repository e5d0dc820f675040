import { CONTRADICTION, CONTRADICTION_SIGNS } from './weights.ts';

/** What speaks for it that a rule says otherwise than an active one on another topic. */
export interface Signs {
  /** How close both are in all they say, 0..1. */
  closeness: number;
  /** Names of one kind, another amount of one unit, opposites: one on each side. */
  isOther: boolean;
  /** One side alone says no. */
  isNegated: boolean;
  /** A rare word of the new rule is in the reasons of the other one and not in its rule: most often what was rejected. */
  isRejected: boolean;
}

/**
 * How much speaks for a contradiction (T-6): closeness, and what each sign adds. It is a guess: who says nearly the same as an
 * active rule under another topic contradicts it more often than not, and who shares only its subject does not.
 * @returns 0 and above, to be compared with `CONTRADICTION`
 */
export function suspicion({ closeness, isOther, isNegated, isRejected }: Signs): number {
  const { other, negated, rejected } = CONTRADICTION_SIGNS;
  return closeness + (isOther ? other : 0) + (isNegated ? negated : 0) + (isRejected ? rejected : 0);
}

/**
 * Those that a save warns of, the most suspicious first: of what binds the first two that come near, of the others the first
 * one that must be meant.
 */
export function suspects<T extends { suspicion: number; isBinding: boolean }>(candidates: readonly T[]): T[] {
  const sorted = candidates.toSorted((a, b) => b.suspicion - a.suspicion);
  const binding = sorted.filter((each) => each.isBinding && each.suspicion >= CONTRADICTION.binding);
  const least = (binding[0]?.suspicion ?? 0) * CONTRADICTION.second;
  return [
    ...binding.filter(({ suspicion }) => suspicion >= least).slice(0, CONTRADICTION.most),
    ...sorted.filter((each) => !each.isBinding && each.suspicion >= CONTRADICTION.ordinary).slice(0, 1),
  ];
}
