import * as z from 'zod';
import { patternsIn } from '../../domain/place.ts';
import { bindingEverywhere } from '../../store/decisions/decision.ts';
import { decisionsNaming, decisionsWithFiles } from '../../store/decisions/naming.ts';
import { asOf } from '../fields/basic.ts';
import { askedFiles } from '../fields/decision.ts';
import { defineOperation } from '../operation.ts';
import { decisionRow, toDecisionRow, viewDecisionRow } from '../results/decision-row.ts';
import { detailsOf } from '../results/details.ts';
import { counted, dim, indented, line, warn } from '../view.ts';

/** What was said of a place in the repository (F-2): nothing is guessed, and nothing is searched by words. */
export const mamaFiles = defineOperation({
  name: 'mama_files',
  family: 'decisions',
  title: 'Why a file is as it is',
  summary:
    'Read the active decisions that name a file or a folder, the nearest first; without one, all that name any.',
  access: 'read',
  // Models ask by the files of recall and mama_search.
  tool: false,
  positional: ['files'],
  input: z.strictObject({
    files: askedFiles('Files or folders').optional(),
    formerly: askedFiles('What they were called earlier').meta({ option: undefined }).optional(),
    as_of: asOf(),
  }),
  output: z.object({
    files: z.array(z.string()),
    answered: z.boolean().meta({ description: 'Whether a decision names one of them' }),
    results: z.array(
      decisionRow.extend({
        file: z.string(),
        formerly: z
          .boolean()
          .optional()
          .meta({ description: 'Set where it names the file as it was called' }),
        by: z.string().meta({ description: 'The pattern of the decision that names it' }),
      }),
    ),
    everywhere: z.int().meta({ description: 'Axes and locks that hold everywhere, and so here, too' }),
    workspace: z.string(),
  }),
  async run(tx, { files, formerly = '' }) {
    const paths = patternsIn(files ?? '');
    const now = files === undefined ? await decisionsWithFiles(tx) : await decisionsNaming(tx, paths);
    const known = new Set(now.map(({ decision }) => decision.id));
    const earlier = (await decisionsNaming(tx, patternsIn(formerly))).filter(
      ({ decision }) => !known.has(decision.id),
    );
    const naming = [...now, ...earlier];
    const detailOf = await detailsOf(
      tx,
      naming.map(({ decision }) => decision),
    );
    return {
      files: paths,
      answered: naming.length > 0,
      results: naming.map(({ decision, pattern, file }, at) => ({
        ...toDecisionRow(decision, detailOf(decision)),
        file,
        ...(at >= now.length && { formerly: true }),
        by: pattern,
      })),
      everywhere: (await bindingEverywhere(tx)).length,
      workspace: tx.workspace,
    };
  },
  view: ({ files, results, everywhere }) => [
    ...(results.length > 0 ? [] : [line(warn(`No decision names ${files.join(', ') || 'a file'}.`))]),
    ...results.flatMap((row) => [
      ...viewDecisionRow(row),
      indented(
        dim(
          (row.formerly ? `named as ${row.file} before the rename` : `names ${row.file}`) +
            (row.by === row.file ? '' : `${row.formerly ? ',' : ''} by ${row.by}`),
        ),
      ),
      line(''),
    ]),
    ...(everywhere > 0
      ? [
          line(
            dim(
              `${counted(everywhere, 'rule')} more ${everywhere === 1 ? 'holds' : 'hold'} everywhere: precedent rules`,
            ),
          ),
        ]
      : []),
  ],
});
