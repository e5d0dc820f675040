import * as z from 'zod';
import { agentSaves } from '../store/lists/agent-saves.ts';
import { readHappened } from '../store/lists/happened.ts';
import { addMarks, type Mark, readReviewed } from '../store/reviewed.ts';
import { verbatim } from './fields/basic.ts';
import { defineOperation } from './operation.ts';
import { written } from './results/fields.ts';
import { readMark, whyRefused } from './review/marks.ts';
import { counted, good, indented, line, warn } from './view.ts';

/** Characters of an answer, lines that are read of it, and characters that are named of one that was left out. */
const [LONGEST, LINES, NAMED] = [100_000, 1_000, 80];

export const marksSave = defineOperation({
  name: 'marks_save',
  family: 'decisions',
  title: 'Save what a model found in saves',
  summary:
    'Saves your answer to the prompt "review": people then see it in their review, as the answer of a model. It changes no record.',
  access: 'write',
  idempotent: true,
  tool: 'optIn',
  positional: ['answers'],
  input: z.strictObject({
    answers: verbatim(LONGEST, 'Lines such as "REF contradicts REF"'),
  }),
  output: written({
    marked: z.int(),
    refused: z.array(z.string()).describe('Lines that were left out, and why'),
  }),
  async run(tx, { answers }) {
    const { saves } = await agentSaves(tx, await readReviewed(tx), 0);
    const mains = saves.map(({ main }) => main);
    const reported = await readHappened(tx, mains);
    const waiting = new Map(
      reported.flatMap(({ id }, at) => (id ? [[id, saves[at]?.id ?? 0] as const] : [])),
    );
    const marks: Mark[] = [];
    const refused: string[] = [];
    const lines = answers.split('\n').filter((each) => !/^\s*(?:`{3,}\w*|none\.?)?\s*$/i.test(each));
    for (const each of lines.slice(0, LINES))
      try {
        marks.push(await readMark(tx, each, waiting));
      } catch (error) {
        refused.push(`${JSON.stringify(each.slice(0, NAMED))}: ${whyRefused(error)}`);
      }
    if (lines.length > LINES) refused.push(`${lines.length - LINES} more lines: expected at most ${LINES}.`);
    if (marks.length > 0) await addMarks(tx, marks);
    return { marked: marks.length, refused };
  },
  view: ({ marked, refused }) => [
    line(good(`✔ ${counted(marked, 'mark')}: "precedent review" shows them`)),
    ...(refused.length > 0 ? [line(warn(`left out: ${counted(refused.length, 'line')}`))] : []),
    ...refused.map((each) => indented(each)),
  ],
});
