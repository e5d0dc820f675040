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
    name: 'a renaming is said',
    reason:
      'TR-3: show and the log of a topic say that it was renamed, and the answer that no reason is kept',
    calls: /^(show|timeline|rename)$/,
    places: /^(decision\.renamed|entries|next_cursor|warnings)/,
  },
  {
    name: 'why, without a move',
    reason: 'TR-3: a reason in one sentence is that of the decision, not of its move or its return',
    calls: /./,
    places: /why/,
  },
  {
    name: 'a memo as it was worded',
    reason: 'TR-3: the log and the review name the author of each text of a memo',
    calls: /^(show|timeline|review)$/,
    places: /^(memo\.rewritten|entries|groups|total)/,
  },
  {
    name: 'how a note is corrected',
    reason: 'A correction is saved before it supersedes, and two notes of one title may both hold.',
    calls: /^(?:mem|mama|memo|decision)_/,
    places: /^warnings\.\d+$/,
  },
  {
    name: 'unreviewed at a start',
    reason: 'A start marks the rules that nobody has reviewed, as a prompt does.',
    calls: /^briefing_get$/,
    places: /^start\.rules\.\d+\.line$/,
  },
  {
    name: 'the newest values first',
    reason: 'Values that as many records have come in the order of the newest record.',
    calls: /./,
    places: /^looked\.there\.\d+$/,
  },
  {
    name: 'what a list leaves out',
    reason: 'RE-8: a list of mistakes or contradictions says which records it does not compare or hold',
    calls: /^decision_list$/,
    places: /^beside$/,
  },
  {
    name: 'undone since',
    reason: 'K-6: the log marks what was undone or deleted since',
    calls: /^timeline$/,
    places: /^entries\.\d+\.removed$/,
  },
  {
    name: 'an earlier text after a sync',
    reason: 'V-2: a refused undo says how to bring an earlier text back',
    calls: /^undo$/,
    places: /^message$/,
  },
];
