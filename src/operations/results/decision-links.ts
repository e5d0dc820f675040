import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { type Edge, RELATIONSHIPS, type Relationship } from '../../domain/edge.ts';
import { nest, walk } from '../../domain/walk.ts';
import { findDecisions } from '../../store/decisions/decision.ts';
import { edgeLinks } from '../../store/decisions/edge.ts';
import type { Tx } from '../../store/tx.ts';
import { type NamedDecision, namedDecision, namedDecisions } from './named-decision.ts';

/** Decisions in a context at most. */
const CONTEXT_NODES = 100;

/** One end of a link between this chain and another decision. */
export const decisionLink = z.object({
  relationship: z.enum(RELATIONSHIPS),
  version: z.int().describe('The version of this chain at which the link starts or ends'),
  decision: namedDecision,
});

/** A decision in a context, and the link that leads to it from the decision above. */
export interface DecisionBranch {
  relationship: Relationship;
  direction: 'outgoing' | 'incoming';
  depth: number;
  decision: NamedDecision;
  children: DecisionBranch[];
}

const decisionBranch: z.ZodType<DecisionBranch> = z
  .object({
    relationship: z.enum(RELATIONSHIPS),
    direction: z.enum(['outgoing', 'incoming']).describe('Seen from the decision above'),
    depth: z.int(),
    decision: namedDecision,
    get children() {
      return z.array(decisionBranch);
    },
  })
  .meta({ id: 'DecisionBranch' });

/** The decisions around one, as a tree. */
export const decisionContext = z.object({
  children: z.array(decisionBranch),
  total: z.int().describe('Decisions within the depth, this one included, shown or not'),
  truncated: z.boolean(),
});

/**
 * The links of a chain, as it sees them.
 * @param edges all that start, and all that end, at a version of the chain
 * @param versionOf the number of each version of the chain, by id
 * @param how.within whether those between two of its versions are among them: each where it starts, a `supersedes` link for
 *   the version asked for only, as the list of versions shows the others
 * @param how.most characters of the other decision's text
 */
export async function chainLinks(
  tx: Tx,
  edges: { outgoing: Edge[]; incoming: Edge[] },
  {
    asked,
    versionOf,
    within,
    most,
  }: {
    asked: Decision;
    versionOf: Map<string, number>;
    within: boolean;
    most: number;
  },
) {
  const isShown = ({ relationship }: Edge, own: string, other: string, isIncoming: boolean) => {
    const isWithin = versionOf.has(other);
    if (!within) return !isWithin;
    return relationship === 'supersedes' || (isWithin && isIncoming) ? own === asked.id : true;
  };
  const outgoing = edges.outgoing.filter((edge) => isShown(edge, edge.fromId, edge.toId, false));
  const incoming = edges.incoming.filter((edge) => isShown(edge, edge.toId, edge.fromId, true));
  const others = [...outgoing.map(({ toId }) => toId), ...incoming.map(({ fromId }) => fromId)];
  const named = await namedDecisions(tx, await findDecisions(tx, [...new Set(others)]), most);
  const link = ({ relationship }: Edge, own: string, other: string) => ({
    relationship,
    version: versionOf.get(own) as number,
    decision: named.get(other) as NamedDecision,
  });
  return {
    outgoing: outgoing.map((edge) => link(edge, edge.fromId, edge.toId)),
    incoming: incoming.map((edge) => link(edge, edge.toId, edge.fromId)),
  };
}

/** The decisions around one, by a walk over the reasoning graph in both directions. */
export async function contextOf(tx: Tx, decision: Decision, depth: number) {
  const { steps, total } = await walk(decision.id, depth, CONTEXT_NODES, (ids) => edgeLinks(tx, ids));
  const nodes = steps.map((step) => step.node);
  const decisions = await findDecisions(tx, nodes);
  const named = await namedDecisions(tx, decisions, Number.POSITIVE_INFINITY);
  const { children } = nest<string, DecisionBranch>(steps, ({ node, depth, by }) => ({
    relationship: (by?.link ?? 'supersedes') as Relationship,
    direction: by?.incoming ? 'incoming' : 'outgoing',
    depth,
    decision: named.get(node) as NamedDecision,
    children: [],
  }));
  return { children, total, truncated: steps.length < total };
}
