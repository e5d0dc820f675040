import { dim, good, line, type View, warn } from '../operations/view.ts';
import type { Whole } from '../whole.ts';

type Redaction = Awaited<ReturnType<Whole['redact']>>;

/** What was blanked, and what an operator has to think of besides. */
export function viewOfRedaction({ kind, id, texts, remaining, warnings }: Redaction): View {
  return [
    line(good('✔ '), `blanked in ${texts} ${texts === 1 ? 'text' : 'texts'} of ${kind} ${id}`),
    ...warnings.map((warning) => line(warn(`! ${warning}`))),
    ...remaining.map((place) => line(warn(`! the same text stands in ${place.what} ${place.id}`))),
    line(dim('  Backups, exports and logs that were made before still hold it.')),
  ];
}
