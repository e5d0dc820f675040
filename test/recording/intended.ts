/** A change of answers that is meant. */
export interface Intended {
  /** A few words, which the comparison shows with each call that it covers. */
  name: string;
  reason: string;
  /** The calls whose answers change, by the names of their operations. */
  calls: RegExp;
  /** The places of these answers that may differ, such as `decision.version`. */
  places: RegExp;
}

/**
 * The changes of answers that are meant, since the recording was written. A call may differ if some entry covers each place in
 * which it does.
 */
export const INTENDED: readonly Intended[] = [];
