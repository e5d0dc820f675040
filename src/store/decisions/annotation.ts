import { sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import type { Edge, Reference } from '../../domain/edge.ts';
import type { Failure } from '../../domain/outcome.ts';
import { counts } from '../record.ts';
import { together } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { findDecisions, mistakesAmong } from './decision.ts';
import { edgesFrom } from './edge.ts';

/** What is shown with every decision: its place in the chain, its links, the failures behind it. */
export interface Annotation {
  /** The active version of the chain, when it is another one (G-5). */
  supersededBy: string | undefined;
  /** The decisions that its reasoning refers to, by relationship (G-5). */
  references: Record<Reference, string[]>;
  /** How those of them that have a topic are called, by id: by their topic, or `topic@2` when they do not stand (W-2). */
  names: ReadonlyMap<string, string>;
  /** The newest earlier version of its chain that failed, of several one that says why (O-8); no mistake (K-6). */
  earlierFailure: Failure | undefined;
  /** The decisions it builds on that failed (O-9), but mistakes. */
  failedBasis: Failure[];
}

/**
 * Reads the annotations of a few decisions with a fixed number of queries.
 * @param referring those of them that may refer to others; default: all
 * @returns the annotation of each of them
 */
export async function annotate(
  tx: Tx,
  decisions: Decision[],
  referring = decisions,
): Promise<(decision: Decision) => Annotation> {
  // A first version that stands has no earlier version and no successor.
  const inChains = decisions.filter(({ version, isActive }) => version > 1 || !isActive);
  const [{ edges, targets, mistakes }, landmarks] = await together(
    basesOf(tx, referring),
    landmarksOf(tx, [...new Set(inChains.map((decision) => decision.rootId))]),
  );
  const names = new Map(
    [...targets.values()].flatMap(({ id, topic, version, isActive }) =>
      topic === null ? [] : [[id, isActive ? topic : `${topic}@${version}`]],
    ),
  );
  return (decision) => {
    const own = edges.filter((edge) => edge.fromId === decision.id);
    const to = (relationship: Reference) =>
      own.filter((edge) => edge.relationship === relationship).map((edge) => edge.toId);
    const references = { builds_on: to('builds_on'), debates: to('debates'), synthesizes: to('synthesizes') };
    const chain = landmarks.filter((landmark) => landmark.rootId === decision.rootId);
    const active = chain.find((landmark) => landmark.isActive);
    const failed = chain.filter(
      (landmark) => landmark.outcome === 'failed' && landmark.version < decision.version,
    );
    // The newest that says why: one without a reason warns of nothing.
    const earlierFailure = failed.findLast(({ outcomeReason }) => outcomeReason !== null) ?? failed.at(-1);
    return {
      supersededBy: active?.id === decision.id ? undefined : active?.id,
      references,
      names,
      earlierFailure: earlierFailure && toFailure(earlierFailure),
      failedBasis: references.builds_on.flatMap((id) => {
        const basis = targets.get(id);
        return basis?.outcome === 'failed' && !mistakes.has(id) ? [toFailure(basis)] : [];
      }),
    };
  };
}

/** {@link annotate} for one decision. @param mayRefer false where it is known to refer to no other */
export async function annotateOne(tx: Tx, decision: Decision, mayRefer = true): Promise<Annotation> {
  return (await annotate(tx, [decision], mayRefer ? [decision] : []))(decision);
}

/** What these decisions refer to, and which of that is a failure by mistake. */
async function basesOf(tx: Tx, decisions: Decision[]) {
  const edges = await edgesFrom(
    tx,
    decisions.map((decision) => decision.id),
  );
  const targets = await targetsOf(tx, edges);
  const failures = [...targets.values()].filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  const mistakes = failures.length === 0 ? new Set<string>() : await mistakesAmong(tx, failures);
  return { edges, targets, mistakes };
}

/** The decisions that these edges refer to, by id; a `supersedes` edge leads within the chain and is left out. */
async function targetsOf(tx: Tx, edges: Edge[]): Promise<Map<string, Decision>> {
  const ids = edges.filter((edge) => edge.relationship !== 'supersedes').map((edge) => edge.toId);
  return new Map((await findDecisions(tx, [...new Set(ids)])).map((target) => [target.id, target]));
}

/** A failed decision as others name it. */
function toFailure(decision: Pick<Decision, 'id' | 'text' | 'outcomeReason'>): Failure {
  return { id: decision.id, decision: decision.text, outcomeReason: decision.outcomeReason };
}

/** The active and the failed versions of these chains, oldest first, without mistakes. */
async function landmarksOf(tx: Tx, rootIds: string[]) {
  if (rootIds.length === 0) return [];
  const rows = await tx.db
    .selectFrom('decisions')
    .select(['id', 'rootId', 'version', 'text', 'isActive', 'outcome', 'outcomeReason'])
    .where('rootId', 'in', sql<string>`(${tx.lists.texts(rootIds)})`)
    // Coalesced, so that SQLite does not read every failure that there is by the index of outcomes.
    .where(sql<boolean>`(decisions.is_active = 1 or coalesce(decisions.outcome, '') = 'failed')`)
    .where(sql<boolean>`${counts('decisions.seq')}`)
    .orderBy('version')
    .execute();
  return rows.map((row) => ({ ...row, isActive: row.isActive === 1 }));
}
