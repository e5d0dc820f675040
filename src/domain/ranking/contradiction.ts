import { CONTRADICTION } from './weights.ts';

/** What speaks for it that a rule says otherwise than an active one on another topic. */
interface Candidate {
  /** How close both are in all they say, 0..1. */
  closeness: number;
  /** Whether they show a sign of contrast: names of one kind, another amount, opposites, a word that says no. */
  isContrast: boolean;
  /** Whether the active one is an axis or a lock. */
  isBinding: boolean;
}

/**
 * The one that a save warns of, of what binds and of the others (T-6): who says nearly the same as an active rule under another
 * topic contradicts or repeats it more often than not. A warning that is mostly wrong is not read, so few are given; what is
 * less close is shown as similar, with its strength.
 */
export function suspects<T extends Candidate>(candidates: readonly T[]): T[] {
  const suspicion = ({ closeness, isContrast }: T) => closeness + (isContrast ? CONTRADICTION.contrast : 0);
  const sorted = candidates.toSorted((a, b) => suspicion(b) - suspicion(a));
  return [
    ...sorted.filter((each) => each.isBinding && suspicion(each) >= CONTRADICTION.binding).slice(0, 1),
    ...sorted.filter((each) => !each.isBinding && suspicion(each) >= CONTRADICTION.ordinary).slice(0, 1),
  ];
}
