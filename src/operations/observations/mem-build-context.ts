import * as z from 'zod';
import { buildContext, type ContextNode } from '../../store/observations/relation.ts';
import { pick } from '../brief.ts';
import { asOf, wholeNumber } from '../fields/basic.ts';
import { observationId, relationLimit } from '../fields/observation.ts';
import { budgetGiven, fitted, nodesOf, tokenBudget } from '../fitted.ts';
import { defineOperation } from '../operation.ts';
import { briefSpans, observationBrief, requireObservation } from '../results/observation.ts';
import { relationSpans } from '../results/relations.ts';
import { type Branch, dim, line, tree } from '../view.ts';

const GREATEST_DEPTH = 5;

/** A node of the tree below the root: a relation led to it. */
export interface ObservationBranch extends ContextNode {
  relation: NonNullable<ContextNode['relation']>;
  children: ObservationBranch[];
}

const branch: z.ZodType<ObservationBranch> = z
  .object({
    relation: z.object({
      id: z.int(),
      type: z.string(),
      direction: z.enum(['outgoing', 'incoming']).describe('Seen from the parent'),
      note: z.string().nullable(),
    }),
    depth: z.int(),
    observation: observationBrief,
    get children() {
      return z.array(branch);
    },
  })
  .meta({ id: 'ContextBranch' });

export const memBuildContext = defineOperation({
  name: 'mem_build_context',
  family: 'observations',
  title: 'Explore around an observation',
  summary:
    'The observations around one, as a tree over its relations in both directions, nearest first. Read whole texts with mem_get_observation.',
  access: 'read',
  searchHint: 'related knowledge around an observation',
  positional: ['observation_id'],
  input: z.strictObject({
    observation_id: observationId(),
    depth: wholeNumber(1, GREATEST_DEPTH, 'How many relations away').default(1),
    limit: relationLimit('Maximum observations, the first one included').default(200).meta({ model: false }),
    token_budget: tokenBudget(),
    as_of: asOf(),
  }),
  output: z.object({
    root: z.object({ observation: observationBrief, children: z.array(branch) }),
    other_relations: z
      .array(
        z.object({
          id: z.int(),
          from_id: z.int(),
          to_id: z.int(),
          type: z.string(),
          note: z.string().nullable(),
        }),
      )
      .describe('Relations among the shown observations that the tree does not use'),
    other_relations_total: z.int().describe('How many of those there are, shown or not'),
    total: z.int().describe('Observations within the depth, the first one included, shown or not'),
    truncated: z.boolean().describe('Some were left out: raise limit, or start nearer'),
    token_budget: budgetGiven(),
  }),
  async run(tx, { observation_id, depth, limit, token_budget }) {
    const { id } = await requireObservation(tx, observation_id);
    const { root, otherRelations, otherTotal, total, shown } = await buildContext(tx, id, depth, limit);
    return {
      root: { observation: root.observation, children: root.children as ObservationBranch[] },
      other_relations: otherRelations.map((each) => ({
        ...pick(each, 'id', 'type', 'note'),
        from_id: each.fromId,
        to_id: each.toId,
      })),
      other_relations_total: otherTotal,
      total,
      truncated: shown < total,
      ...(token_budget !== undefined && { token_budget }),
    };
  },
  toModel({ token_budget: budget, ...whole }) {
    const others = whole.other_relations_total;
    const name = `observations around it${others > 0 ? `, 0 of ${others} other relations` : ''}`;
    const frame = ([children = []]: unknown[][]) => ({
      ...whole,
      root: { ...whole.root, children },
      other_relations: [],
    });
    const parts = [{ name, items: nodesOf(whole.root.children) }];
    return fitted(whole, parts, frame, { budget, field: 'token_budget' });
  },
  view: ({ root, other_relations, total, truncated }) => [
    tree({ label: briefSpans(root.observation), children: root.children.map(drawn) }),
    ...(other_relations.length > 0 ? [line(dim('also related among these'))] : []),
    ...other_relations.map((other) =>
      line(dim(`  #${other.from_id} ${other.type} #${other.to_id}  relation ${other.id}`)),
    ),
    line(
      dim(
        truncated
          ? `${total} observations within this depth; not all are shown: raise --limit`
          : `${total} observations`,
      ),
    ),
  ],
});

const drawn = ({ relation, observation, children }: ObservationBranch): Branch => ({
  label: relationSpans(relation.direction, relation, observation),
  children: children.map(drawn),
});
