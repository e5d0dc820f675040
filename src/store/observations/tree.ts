import type { ObservationBrief } from '../../domain/observation.ts';
import type { Relation } from '../../domain/relation.ts';
import { nest, walk } from '../../domain/walk.ts';
import type { Tx } from '../tx.ts';
import { briefsOf } from './observation.ts';
import { countAmong, findRelations, relationLinks, relationsAmong } from './relation.ts';

/** One observation in a context, the relation that leads to it, and the observations behind it. */
export interface ContextNode {
  observation: ObservationBrief;
  depth: number;
  relation: { id: number; type: string; direction: 'outgoing' | 'incoming'; note: string | null } | undefined;
  children: ContextNode[];
}

export interface Context {
  root: ContextNode;
  /** Relations among the shown observations that the tree does not use, the newest first, at most `limit`. */
  otherRelations: Relation[];
  /** All such relations, shown or not. */
  otherTotal: number;
  /** Observations within the depth, the start included, shown or not. */
  total: number;
  shown: number;
}

/** The observations around one that exists, as a tree. */
export async function buildContext(tx: Tx, start: number, depth: number, limit: number): Promise<Context> {
  const { steps, total } = await walk(start, depth, limit, (ids) => relationLinks(tx, ids));
  const ids = steps.map((step) => step.node);
  const briefs = await briefsOf(tx, ids);
  const used = new Set(steps.flatMap((step) => (step.by ? [step.by.link as number] : [])));
  const relations = new Map((await findRelations(tx, [...used])).map((each) => [each.id, each]));
  const among = await relationsAmong(tx, ids, limit + used.size);
  return {
    root: nest<number, ContextNode>(steps, ({ node, depth, by }) => ({
      observation: briefs.get(node) as ObservationBrief,
      depth,
      relation: by && toRelation(relations.get(by.link as number) as Relation, by.incoming),
      children: [],
    })),
    otherRelations: among.filter((relation) => !used.has(relation.id)).slice(0, limit),
    otherTotal: (await countAmong(tx, ids)) - used.size,
    total,
    shown: steps.length,
  };
}

function toRelation({ id, type, note }: Relation, incoming: boolean): ContextNode['relation'] {
  return { id, type, direction: incoming ? 'incoming' : 'outgoing', note };
}
