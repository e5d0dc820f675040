import * as z from 'zod';
import { agentSessions } from '../../store/lists/sessions.ts';
import { wholeNumber } from '../fields/basic.ts';
import { defineOperation } from '../operation.ts';
import { emptyWorkspace, iso, resultDate, workspaceWhen } from '../results/fields.ts';
import { by, toBy } from '../results/writer.ts';

export const sessionList = defineOperation({
  name: 'session_list',
  family: 'decisions',
  title: 'List sessions of agents',
  summary:
    'Lists the sessions of agents, the newest first, with how much each saved and how much of it was undone.',
  access: 'read',
  tool: false,
  input: z.strictObject({ limit: wholeNumber(1, 1_000, 'Sessions at most').default(50) }),
  output: z.object({
    sessions: z.array(
      z.object({
        session: z.string(),
        ...by(),
        saves: z.int(),
        undone: z.int().describe('How many of the saves were undone'),
        first: resultDate().optional().describe('When it saved first'),
        last: resultDate().optional().describe('When it saved last'),
      }),
    ),
    workspace: emptyWorkspace(),
  }),
  async run(tx, { limit }) {
    const rows = await agentSessions(tx, limit);
    return {
      sessions: rows.map(({ session, saves, undone, first, last, ...writer }) => ({
        session,
        ...toBy(writer),
        saves,
        undone,
        ...(first !== null && { first: iso(first) }),
        ...(last !== null && { last: iso(last) }),
      })),
      ...workspaceWhen(rows.length === 0, tx.workspace),
    };
  },
});
