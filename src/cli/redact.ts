import { dim, good, line, type View, warn } from '../operations/view.ts';
import type { Whole } from '../whole.ts';

type Redaction = Awaited<ReturnType<Whole['redact']>>;

/** What was blanked, and what an operator has to think of besides. */
export function viewOfRedaction({ kind, id, texts, remaining }: Redaction): View {
  return [
    line(good('✔ '), `blanked in ${texts} ${texts === 1 ? 'text' : 'texts'} of ${kind} ${id}`),
    ...remaining.map((place) => line(warn(`! the same text stands in ${place}`))),
    line(dim('  Backups, exports and logs that were made before still hold it.')),
  ];
}
