import * as z from 'zod';
import { connectionsAmong, keywordsAround, mostVisited } from '../../store/lists/graph.ts';
import { findKeywords } from '../../store/memos/keyword.ts';
import { wholeNumber } from '../fields/basic.ts';
import { keyword } from '../fields/memo.ts';
import { defineOperation } from '../operation.ts';
import { emptyWorkspace, iso, resultDate, workspaceWhen } from '../results/fields.ts';

/** Connections at most: a picture of more shows nothing. */
const CONNECTIONS = 10_000;
/** A weight as people read it is ten times less than it is stored. */
const TENTHS = 10;

export const keywordGraph = defineOperation({
  name: 'keyword_graph',
  family: 'memos',
  title: 'Keywords and their connections, for a picture',
  summary:
    'The keywords around one along their strongest connections, or those of most messages, and how strongly they are connected.',
  access: 'read',
  tool: false,
  positional: ['around'],
  input: z.strictObject({
    around: keyword('Only what is connected with this keyword').optional(),
    depth: wholeNumber(1, 3, 'Maximum connections from that keyword').default(1),
    limit: wholeNumber(1, 1_000, 'Maximum keywords').default(200),
  }),
  output: z.object({
    nodes: z.array(
      z.object({
        keyword: z.string(),
        visits: z.int().describe('Messages that held it'),
        memos: z.int().describe('Memos about it'),
        lastVisited: resultDate(),
      }),
    ),
    links: z
      .array(z.tuple([z.int(), z.int(), z.number()]))
      .describe('Two nodes, by their positions in the list, and the strength of the connection'),
    total: z.int().describe('How many keywords there are, shown or not'),
    workspace: emptyWorkspace(),
  }),
  async run(tx, { around, depth, limit }) {
    const start = around === undefined ? undefined : (await findKeywords(tx, [around]))[0];
    // A keyword that no message and no memo ever held is not stored.
    if (around !== undefined && !start) return { nodes: [], links: [], total: 0, workspace: tx.workspace };
    const { nodes, total } = start
      ? await keywordsAround(tx, start.seq, depth, limit)
      : await mostVisited(tx, limit);
    const places = new Map(nodes.map(({ seq }, place) => [seq, place]));
    const connections = await connectionsAmong(tx, [...places.keys()], CONNECTIONS);
    return {
      nodes: nodes.map(({ name, visits, memos, lastVisited }) => ({
        keyword: name,
        visits,
        memos,
        lastVisited: iso(lastVisited),
      })),
      links: connections.map(({ one, other, strength }): [number, number, number] => [
        places.get(one) as number,
        places.get(other) as number,
        strength / TENTHS,
      ]),
      total,
      ...workspaceWhen(nodes.length === 0, tx.workspace),
    };
  },
});
