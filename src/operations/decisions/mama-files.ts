import * as z from 'zod';
import { type Decision, GLOBAL_SCOPE } from '../../domain/decision.ts';
import { patternsIn } from '../../domain/place.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { bindingIn } from '../../store/decisions/decision.ts';
import {
  activeCalled,
  decisionsNaming,
  decisionsTouched,
  decisionsWithFiles,
  MARK,
  type NamingDecision,
} from '../../store/decisions/naming.ts';
import { asOf, text } from '../fields/basic.ts';
import { askedFiles } from '../fields/decision.ts';
import { defineOperation } from '../operation.ts';
import { mamaRow, toDecisionRow, toMamaRow, viewDecisionRow } from '../results/decision-row.ts';
import { detailsOf } from '../results/details.ts';
import { dim, indented, line, strong, warn } from '../view.ts';

type Named = Pick<NamingDecision, 'decision' | 'file' | 'pattern'> & { formerly?: true; touches?: string[] };
/** Guesses at most, and names that they are made of (F-2). */
const MOST_GUESSES = 2;
const MOST_NAMES = 20;
const path = () => z.string().min(1);
const names = (about: string) =>
  z.array(text(LIMITS.openFile, 'A topic, an id or a path')).max(MOST_NAMES).describe(about);

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
    formerly: askedFiles('Their earlier names').meta({ option: undefined }).optional(),
    marked: names('Decisions that the files name in comments').optional(),
    together: names(
      'Decisions, or files of decision records, that were committed together with them: shown if nothing names them',
    ).optional(),
    changed: z
      .array(
        z.strictObject({
          file: path(),
          formerly: z.array(path()).optional(),
          marked: z.array(path()).optional(),
        }),
      )
      .meta({ option: undefined, description: 'The files of a change: only what names one of them' })
      .optional(),
    as_of: asOf(),
  }),
  output: z.object({
    files: z.array(z.string()),
    answered: z.boolean().describe('Whether a decision names one of them'),
    results: z.array(
      mamaRow.extend({
        file: z.string(),
        formerly: z.boolean().optional().describe('Whether it names the file by an earlier name'),
        touches: z.array(z.string()).optional().describe('The files of the change that it names'),
        by: z.string().describe('The pattern of the decision that names it'),
        binds: z.boolean().describe('An axis or a lock'),
      }),
    ),
    perhaps: z
      .array(mamaRow)
      .optional()
      .describe('Decisions of the same commits; nobody linked them to the files'),
    everywhere: z.int().describe('Axes and locks that hold everywhere, so also here'),
    workspace: z.string(),
  }),
  async run(tx, { files, formerly = '', marked = [], together = [], changed }) {
    const paths = patternsIn(files ?? '');
    const all = () => (changed ? decisionsTouched(tx, changed) : decisionsWithFiles(tx));
    const found: Named[] = [
      ...(await activeCalled(tx, marked)).map(({ decision }) => ({
        ...{ decision, file: paths[0] ?? '', pattern: MARK },
      })),
      ...(await (paths.length === 0 ? all() : decisionsNaming(tx, paths))),
      ...(await decisionsNaming(tx, patternsIn(formerly))).map((each) => ({
        ...each,
        formerly: true as const,
      })),
    ];
    const naming = eachOnce(found);
    const perhaps =
      naming.length > 0
        ? []
        : eachOnce(await activeCalled(tx, together))
            .slice(0, MOST_GUESSES)
            .map(({ decision }) => decision);
    const detailOf = await detailsOf(tx, [...naming.map(({ decision }) => decision), ...perhaps]);
    const toRow = (decision: Decision) => toMamaRow(toDecisionRow(decision, detailOf(decision)));
    return {
      files: paths,
      answered: naming.length > 0,
      results: naming.map(({ decision, pattern, file, formerly, touches }) => ({
        ...toRow(decision),
        file,
        ...(formerly && { formerly }),
        ...(touches && { touches }),
        by: pattern,
        binds: decision.strength !== 'normal',
      })),
      ...(perhaps.length > 0 && { perhaps: perhaps.map(toRow) }),
      everywhere: (await bindingIn(tx, GLOBAL_SCOPE)).length,
    };
  },
  view: ({ files, results, perhaps = [], everywhere }) => [
    ...(results.length > 0 ? [] : [line(warn(`No decision names ${files.join(', ') || 'a file'}.`))]),
    ...results.flatMap((row) => [
      ...viewDecisionRow(row),
      indented(
        dim(
          (row.formerly ? `named as ${row.file} before the rename` : `names ${row.file}`) +
            (row.by === row.file ? '' : `${row.formerly ? ',' : ''} with ${row.by}`),
        ),
      ),
      line(''),
    ]),
    ...(perhaps.length > 0
      ? [line(strong('perhaps'), dim(', since they were committed together; no decision names the file'))]
      : []),
    ...perhaps.flatMap((row) => [...viewDecisionRow(row), line('')]),
    ...(everywhere > 0
      ? [
          line(
            dim(
              `${everywhere} more ${everywhere === 1 ? 'rule holds' : 'rules hold'} everywhere: precedent rules`,
            ),
          ),
        ]
      : []),
  ],
});

/** The first of each decision. */
const eachOnce = <Row extends Pick<Named, 'decision'>>(rows: Row[]): Row[] =>
  [...Map.groupBy(rows, ({ decision }) => decision.id).values()].map(([first]) => first as Row);
