import type { Memory } from '../memory/memory.ts';
import { dim, good, line, warn } from '../operations/view.ts';

/** Blanks a record's texts, or one text in it, and says what an operator has to think of besides. */
export async function redact(memory: Memory, reference: string, text: string | undefined) {
  const report = await memory.redact(reference, text);
  const { kind, id, texts, remaining, warnings } = report;
  return {
    report,
    view: [
      line(good('✔ '), `blanked in ${texts} ${texts === 1 ? 'text' : 'texts'} of ${kind} ${id}`),
      ...warnings.map((warning) => line(warn(`! ${warning}`))),
      ...remaining.map((place) => line(warn(`! the same text stands in ${place.what} ${place.id}`))),
      line(dim('  Backups, exports and logs that were made before still hold it.')),
    ],
  };
}
