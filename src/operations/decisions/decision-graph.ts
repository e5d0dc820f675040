import * as z from 'zod';
import { STRENGTHS } from '../../domain/decision.ts';
import { REFERENCES } from '../../domain/edge.ts';
import { invalid } from '../../domain/error.ts';
import { OUTCOMES } from '../../domain/outcome.ts';
import { cut } from '../../domain/text/sentence.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { requireDecision } from '../../store/decisions/reference.ts';
import { scopeMeant } from '../../store/decisions/topic.ts';
import { type ChainNode, chainsAround, chainsOfScope, linksAmong, SHOWN } from '../../store/lists/graph.ts';
import { asOf, name, reference, wholeNumber } from '../fields/basic.ts';
import { defineOperation } from '../operation.ts';
import { emptyWorkspace, iso, resultDate, workspaceWhen } from '../results/fields.ts';

export const decisionGraph = defineOperation({
  name: 'decision_graph',
  family: 'decisions',
  title: 'Decisions and their links, for a picture',
  summary:
    'The decisions of a scope, or those around one, and the links among them, in short: a node for each chain, with its newest version.',
  access: 'read',
  tool: false,
  positional: ['around'],
  input: z.strictObject({
    around: reference(
      'Only decisions that are linked with this one: an id, an id prefix, or a topic',
    ).optional(),
    depth: wholeNumber(1, 5, 'Maximum links from that decision').default(2),
    scope: name(LIMITS.scope, 'Only this scope').optional(),
    limit: wholeNumber(1, 20_000, 'Maximum decisions').default(1_000),
    asOf: asOf(),
  }),
  output: z.object({
    nodes: z.array(
      z.object({
        id: z.string().describe('The newest version'),
        topic: z.string().nullable(),
        text: z.string().describe('Its first words'),
        scope: z.string(),
        strength: z.enum(STRENGTHS),
        versions: z.int(),
        status: z.enum(['active', 'withdrawn']),
        outcome: z.enum(OUTCOMES).nullable(),
        since: resultDate().describe('When its first version was saved'),
        createdAt: resultDate().describe('When its newest version was saved'),
      }),
    ),
    links: z
      .array(z.tuple([z.int(), z.int(), z.enum(REFERENCES)]))
      .describe('Two nodes, by their positions in the list, and the relationship'),
    replaced: z
      .array(z.int())
      .optional()
      .describe('Links that only replaced versions have, by positions in the list'),
    total: z.int().describe('How many decisions there are, shown or not'),
    workspace: emptyWorkspace(),
  }),
  async run(tx, { around, depth, scope, limit }) {
    if (around !== undefined && scope !== undefined)
      throw invalid.both_given('decision_graph: Expected "around" or "scope", found both.');
    const { nodes, total } =
      around === undefined
        ? await chainsOfScope(tx, await scopeMeant(tx, scope), limit)
        : await chainsAround(tx, (await requireDecision(tx, around)).rootId, depth, limit);
    const places = new Map(nodes.map(({ rootId }, place) => [rootId, place]));
    const links = await linksAmong(tx, [...places.keys()]);
    const replaced = links.flatMap(({ from, version }, place) =>
      version < (nodes[places.get(from) as number]?.version ?? 0) ? [place] : [],
    );
    return {
      nodes: nodes.map(toNode),
      links: links.map(({ from, to, relationship }): [number, number, typeof relationship] => [
        places.get(from) as number,
        places.get(to) as number,
        relationship,
      ]),
      ...(replaced.length > 0 && { replaced }),
      total,
      ...workspaceWhen(nodes.length === 0, tx.workspace),
    };
  },
});

function toNode({ rootId: _, text, version, isActive, withdrawn, since, createdAt, ...node }: ChainNode) {
  return {
    ...node,
    text: cut(text, SHOWN),
    versions: version,
    status: isActive === 1 || withdrawn === 0 ? ('active' as const) : ('withdrawn' as const),
    since: iso(since),
    createdAt: iso(createdAt),
  };
}
