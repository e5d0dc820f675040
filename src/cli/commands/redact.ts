import type { MemoryCore } from '../../memory/core.ts';
import { dim, good, line, warn } from '../../operations/view.ts';
import { STANDARD_INPUT, typedOrRead } from '../input/input.ts';
import { withExistingMemory } from '../open.ts';
import type { Answer } from '../output/print.ts';
import { defineCommand } from '../own-command.ts';

export const redact = defineCommand({
  name: 'redact',
  summary: 'blank a secret in a record, its revisions and every index, for good',
  examples: ['redact 1 --text "two minutes"'],
  arguments: {
    id: {
      summary: 'of a decision, evidence, anchor, checkpoint or memo; or the number of an observation',
      required: true,
    },
  },
  options: {
    text: {
      value: 'secret',
      summary: `blank only this text, wherever the record holds it; ${STANDARD_INPUT}`,
    },
  },
  async run({ id, text }, place) {
    // A line end is of the pipe that brought the secret, not of the secret.
    const secret = text === '-' ? (await typedOrRead(text)).replace(/\r?\n$/, '') : text;
    return withExistingMemory(place, (memory) => blank(memory, id, secret));
  },
});

/** Blanks the texts of a record, or one text in it, and names the places that an operator still has to think of. */
async function blank(memory: MemoryCore, reference: string, text: string | undefined): Promise<Answer> {
  const report = await memory.redact(reference, text);
  const { kind, id, texts, remaining, warnings } = report;
  const { workspace } = memory;
  return {
    report: { ...report, workspace },
    view: [
      line(
        good('✔ '),
        `blanked in ${texts} ${texts === 1 ? 'text' : 'texts'} of ${kind} ${id}`,
        dim(`  workspace ${workspace}`),
      ),
      ...warnings.map((warning) => line(warn(`! ${warning}`))),
      ...remaining.map((place) => line(warn(`! the same text stands in ${place.what} ${place.id}`))),
      line(dim('  Backups, exports and logs that were made before still hold it.')),
    ],
  };
}
