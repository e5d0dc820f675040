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
    name: 'when it was decided',
    reason: 'searches and recall said when a decision was last tidied, next to who decided it (TR-3)',
    calls: /^(?:search|recall)$/,
    places: /^(?:results|entries)\.\d+\.when$/,
  },
  {
    name: 'why of what is replaced',
    reason: 'a save that replaces a decision says why that one was made (RE-7)',
    calls: /^(mama_save|decision_save|decision_revise|decision_settle)$/,
    places: /^replaced\.why$/,
  },
  {
    name: 'earlier version',
    reason: 'Of a decision that answers itself the earlier version that answers is named, too (RE-7).',
    calls: /^(recall|search)$/,
    places: /(^|\.)earlier(\.|$)|^tokens$|^names|^left_out/,
  },
  {
    name: 'compared by script',
    reason: 'A question is compared with rules in the script of any of its lines (RE-8).',
    calls: /^(mama_search|search)$/,
    places: /^looked\.uncompared/,
  },
  {
    name: 'plain messages',
    reason: 'messages and warnings were worded anew, as "an id prefix" for "the beginning of an id" (B-12)',
    calls: /./,
    places: /(^|\.)(message|warnings\b.*)$/,
  },
];
