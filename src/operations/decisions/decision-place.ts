import * as z from 'zod';
import { invalid, notFound } from '../../domain/error.ts';
import { patternsIn, problemOfPlaces } from '../../domain/place.ts';
import { reviseDecision } from '../../store/decisions/chain.ts';
import { requireDecision } from '../../store/decisions/reference.ts';
import { decisionId, places } from '../fields/decision.ts';
import { defineOperation } from '../operation.ts';
import { toWrittenDecision, viewWrittenDecision, writtenDecision } from '../results/written-decision.ts';

/** Adds files to those that a decision binds, or takes some away (F-1): its next version, which says the same. */
export const decisionPlace = defineOperation({
  name: 'decision_place',
  family: 'decisions',
  title: 'Add or remove the files that a decision binds',
  summary: 'Change which files a decision binds, in a next version that is otherwise the same.',
  access: 'write',
  tool: false,
  positional: ['id'],
  input: z.strictObject({
    id: decisionId(),
    add: places('Files or patterns to add, as in .gitignore').optional(),
    remove: places('Files or patterns to remove, as they were written', (written) => written).optional(),
  }),
  output: writtenDecision,
  async run(tx, { id, add = '', remove = '' }) {
    const { id: version, files, topic } = await requireDecision(tx, id);
    const had = patternsIn(files);
    const gone = patternsIn(remove);
    const unknown = gone.find((each) => !had.includes(each));
    if (unknown !== undefined)
      throw notFound.no_pattern(
        `Expected a pattern out of ${had.join(', ') || 'none'}, found "${unknown}", which ${topic ?? id} does not have.`,
      );
    const left = [...new Set([...had.filter((each) => !gone.includes(each)), ...patternsIn(add)])].join('\n');
    const problem = problemOfPlaces(left);
    if (problem !== undefined) throw invalid.wrong_path(`Expected the files ${problem}.`);
    const written = await reviseDecision(tx, id, { files: left }, [], { replaces: version });
    return toWrittenDecision(written, tx, undefined);
  },
  view: viewWrittenDecision,
});
