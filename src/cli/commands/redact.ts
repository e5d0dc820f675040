import { invalid } from '../../domain/error.ts';
import type { MemoryCore } from '../../memory/core.ts';
import { counted, did, dim, indented, line, warn } from '../../operations/view.ts';
import { STANDARD_INPUT, typedOrRead } from '../input/fields.ts';
import { open, using } from '../open.ts';
import { ASKING } from '../output/asking.ts';
import { askFirst } from '../output/destroy.ts';
import type { Answer } from '../output/print.ts';
import { defineCommand } from '../own-command.ts';
import { eraseAuthor } from '../workspaces/erase-author.ts';
import { copiesBeforeSync } from './backup.ts';

/** How much of each text is shown before it is blanked, in UTF-16 units. */
const LONGEST_TEXT = 60;

export const redact = defineCommand({
  name: 'redact',
  summary: 'Blank all texts of a record, or with --text only a secret in them, for good',
  examples: [
    'redact 1 --text "two minutes" --yes',
    'redact 1 --dry-run',
    'redact --author "Kim Minsu <minsu@example.com>" --dry-run',
  ],
  arguments: { id: { about: 'the id of a record, or the number of a note' } },
  options: {
    ...ASKING,
    author: {
      value: 'name',
      about:
        'remove this name, as "precedent list authors" shows it, from everything that the author wrote, in every workspace',
    },
    text: {
      value: 'secret',
      about: `blank only this text, wherever the record holds it, and keep the rest; ${STANDARD_INPUT}`,
    },
  },
  async run({ id, author, text, yes, dryRun }, place) {
    if (author !== undefined) {
      if (id !== undefined || text !== undefined)
        throw invalid.both_given('Expected --author alone, found a record or --text with it.');
      return eraseAuthor(author, { yes, dryRun }, place);
    }
    if (id === undefined) throw invalid.missing('Expected the id of a record, or --author, found neither.');
    // A line end is of the pipe that brought the secret, not of the secret.
    const secret = text === '-' ? (await typedOrRead(text)).replace(/\r?\n$/, '') : text;
    return using(await open(place, { create: 'never' }), async (memory) => {
      const { kind, id: record, texts, blanked } = await memory.wouldRedact(id, secret);
      const { workspace } = memory;
      const stays = await askFirst(
        { yes, dryRun },
        {
          doing:
            secret === undefined
              ? `blank the whole ${kind === 'decision' ? 'version of a decision' : kind} ${record} in workspace "${workspace}", ${texts === 1 ? 'its one text' : `all its ${texts} texts`}`
              : `blank this text in ${counted(texts, 'text')} of ${kind} ${record} in workspace "${workspace}", and keep the rest`,
          // A secret that was given is not shown again.
          shown:
            secret === undefined
              ? [
                  ...blanked.map((each) => indented(firstOf(each))),
                  line(dim('To blank only a secret in it, and keep the rest, give that with --text.')),
                  ...(kind === 'decision'
                    ? [
                        line(
                          dim('Other versions keep their texts: show REF --history lists them, redact each.'),
                        ),
                      ]
                    : []),
                ]
              : [],
          report: { kind, id: record, texts, workspace },
        },
      );
      return stays ?? blank(memory, id, secret);
    });
  },
});

/** How a text begins: enough to know it again. */
const firstOf = (text: string) => {
  const [first = ''] = text.trim().split('\n');
  return first.length > LONGEST_TEXT ? `${first.slice(0, LONGEST_TEXT)}…` : first;
};

/** Blanks the texts of a record, or one text in it, and names the places that an operator still has to think of. */
async function blank(memory: MemoryCore, reference: string, text: string | undefined): Promise<Answer> {
  const report = await memory.redact(reference, text);
  const { kind, id, texts, remaining, warnings } = report;
  const { workspace } = memory;
  const copies = await copiesBeforeSync(workspace);
  return {
    report: { ...report, workspace, ...(copies.length > 0 && { backups: copies }) },
    view: [
      did(`blanked in ${counted(texts, 'text')} of ${kind} ${id}`, workspace),
      ...warnings.map((warning) => line(warn(`! ${warning}`))),
      ...remaining.map((place) =>
        line(warn(`! the same text is also in ${place.what} ${place.id}: redact it, too`)),
      ),
      line(dim('  Backups, exports and logs that were made before still hold it.')),
      ...copies.map((file) =>
        line(warn(`! ${file}, from before the first sync, may hold it too: delete it if nobody needs it`)),
      ),
    ],
  };
}
