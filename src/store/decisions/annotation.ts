import type { Decision } from '../../domain/decision.ts';
import type { Reference } from '../../domain/edge.ts';
import type { Failure } from '../../domain/outcome.ts';
import type { Tx } from '../tx.ts';
import { findDecisions } from './decision.ts';
import { edgesFrom } from './edge.ts';

/** What surrounds a decision wherever it is shown: its place in the chain, its links, the failures behind it. */
export interface Annotation {
  /** The chain's active version, when this is not it (G-5). */
  supersededBy: string | undefined;
  /** The decisions it speaks of, by relationship (G-5). */
  references: Record<Reference, string[]>;
  /** The newest earlier version of its chain that failed (O-8). */
  earlierFailure: Failure | undefined;
  /** The decisions it builds on that failed (O-9). */
  failedBasis: Failure[];
}

/** Annotates a few decisions with a fixed number of queries. @returns by decision id */
export async function annotate(tx: Tx, decisions: Decision[]): Promise<Map<string, Annotation>> {
  const edges = await edgesFrom(
    tx,
    decisions.map((decision) => decision.id),
  );
  const basisIds = edges.filter((edge) => edge.relationship === 'builds_on').map((edge) => edge.toId);
  const bases = new Map((await findDecisions(tx, [...new Set(basisIds)])).map((basis) => [basis.id, basis]));
  // A first version that stands has nothing before it and nothing in its place.
  const inChains = decisions.filter(({ version, isActive }) => version > 1 || !isActive);
  const landmarks = await landmarksOf(tx, [...new Set(inChains.map((decision) => decision.rootId))]);

  return new Map(
    decisions.map((decision) => {
      const own = edges.filter((edge) => edge.fromId === decision.id);
      const to = (relationship: Reference) =>
        own.filter((edge) => edge.relationship === relationship).map((edge) => edge.toId);
      const chain = landmarks.filter((landmark) => landmark.rootId === decision.rootId);
      const active = chain.find((landmark) => landmark.isActive);
      const failed = chain.findLast(
        (landmark) => landmark.outcome === 'failed' && landmark.version < decision.version,
      );
      return [
        decision.id,
        {
          supersededBy: active?.id === decision.id ? undefined : active?.id,
          references: {
            builds_on: to('builds_on'),
            debates: to('debates'),
            synthesizes: to('synthesizes'),
          },
          earlierFailure: failed && toFailure(failed),
          failedBasis: to('builds_on')
            .map((id) => bases.get(id))
            .filter((basis) => basis?.outcome === 'failed')
            .map((basis) => toFailure(basis as Decision)),
        },
      ];
    }),
  );
}

/** {@link annotate} for one decision. */
export async function annotateOne(tx: Tx, decision: Decision): Promise<Annotation> {
  return (await annotate(tx, [decision])).get(decision.id) as Annotation;
}

/** A decision that failed, as others name it. */
function toFailure(decision: Pick<Decision, 'id' | 'text' | 'outcomeReason'>): Failure {
  return { id: decision.id, decision: decision.text, outcomeReason: decision.outcomeReason };
}

/** The versions of these chains that others need to know of: the active one and those that failed, oldest first. */
async function landmarksOf(tx: Tx, rootIds: string[]) {
  if (rootIds.length === 0) return [];
  const rows = await tx.db
    .selectFrom('decisions')
    .select(['id', 'rootId', 'version', 'text', 'isActive', 'outcome', 'outcomeReason'])
    .where('rootId', 'in', rootIds)
    .where((eb) => eb.or([eb('isActive', '=', 1), eb('outcome', '=', 'failed')]))
    .orderBy('version')
    .execute();
  return rows.map((row) => ({ ...row, isActive: row.isActive === 1 }));
}
