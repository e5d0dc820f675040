import * as z from 'zod';
import { cut } from '../domain/text/sentence.ts';
import { undo as takeBack } from '../store/undo/undo.ts';
import { reasoning, replaces } from './fields/decision.ts';
import { defineOperation } from './operation.ts';
import { iso, resultDate, warnings } from './results/fields.ts';
import { date, dim, good, indented, line, shortId, strong } from './view.ts';

/** Characters of a text that is undone. */
const SHOWN = 200;

export const undo = defineOperation({
  name: 'undo',
  family: 'decisions',
  title: 'Undo the last save',
  summary:
    'Undoes your newest save, and one more each time, as long as nothing that others made depends on it: a first version is withdrawn, a later one followed by what was said before it, evidence and anchors are hidden, an outcome is retracted, observations and memos are deleted softly, what was moved or renamed goes back. Nothing is erased. With redo it brings back what was undone last.',
  access: 'write',
  tool: false,
  input: z.strictObject({
    redo: z.boolean().optional().meta({ description: 'Bring back what was undone last' }),
    dryRun: z.boolean().optional().meta({ description: 'Only say what would be done' }),
    reasoning: reasoning()
      .meta({ description: 'Why; needed for an axis or a lock that was saved more than an hour ago' })
      .optional(),
    replaces: replaces(),
  }),
  output: z.object({
    done: z.boolean().meta({ description: 'False for a dry run' }),
    redo: z.boolean(),
    savedAt: resultDate(),
    effects: z
      .array(
        z.object({
          kind: z.string().meta({ description: 'Such as decision, evidence, observation, relation, topic' }),
          id: z.string().meta({ description: 'By which show reads it; #38 for an observation' }),
          name: z.string().optional().meta({ description: 'Its topic or title' }),
          text: z.string(),
          becomes: z.string().meta({ description: 'What becomes of it, such as withdrawn, hidden, deleted' }),
        }),
      )
      .meta({ description: 'What becomes of each part of the save' }),
    workspace: z.string(),
    warnings: warnings(),
  }),
  async run(tx, { redo = false, dryRun = false, ...naming }) {
    const { savedAt, effects, skippedSaves } = await takeBack(tx, { redo, dryRun, naming });
    return {
      done: !dryRun,
      redo,
      savedAt: iso(savedAt),
      effects: effects.map(({ kind, id, name, text, becomes }) => ({
        kind,
        id,
        ...(name !== '' && { name }),
        text: cut(text, SHOWN),
        becomes: cut(becomes, SHOWN),
      })),
      workspace: tx.workspace,
      ...(skippedSaves !== undefined && { warnings: [skippedSaves] }),
    };
  },
  view({ done, redo, savedAt, effects, workspace }) {
    const what = redo ? 'redone' : 'undone';
    const when = [dim(`  ${redo ? 'undone' : 'saved'} `), date(savedAt), dim(` · workspace ${workspace}`)];
    return [
      line(done ? good(`✔ ${what}`) : `would be ${what}`, ...when),
      ...effects.map(({ kind, id, name, text, becomes }) =>
        indented(
          dim(`${kind} `),
          ...(name === undefined ? [] : [strong(name), '  ']),
          ...(text === name ? [] : [text, dim(`  ${shortId(id)}`), '  ']),
          dim('→ '),
          becomes,
        ),
      ),
    ];
  },
});
