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
export const INTENDED: readonly Intended[] = [
  {
    name: 'what an empty list looked at',
    reason: 'A list without entries says how many there are without the filter (RE-8).',
    calls:
      /^(decision_list|decision_retrieve|topic_list|scope_list|author_list|timeline|mem_list|memo_list|mama_load_checkpoint)$/,
    places: /^looked$/,
  },
];
