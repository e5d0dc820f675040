import { sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import type { Edge, Reference } from '../../domain/edge.ts';
import { type EarlierFailure, failureToName } from '../../domain/language/failures.ts';
import type { Failure } from '../../domain/outcome.ts';
import { notRetracted } from '../record.ts';
import { together } from '../statements.ts';
import type { Tx } from '../tx.ts';

/** What is shown with every decision: its place in the chain, its links, the failures behind it. */
export interface Annotation {
  /** The active version of the chain, when it is another one (G-5). */
  supersededBy: string | undefined;
  /** The decisions that its reasoning refers to, by relationship (G-5). */
  references: Record<Reference, string[]>;
  /** How those of them that have a topic are called, by id: by their topic, or `topic@2` when they do not stand (W-2). */
  names: ReadonlyMap<string, string>;
  /** The earlier version of its chain that failed (O-8), of several the one that matters here (T-2); no mistake (K-6). */
  earlierFailure: EarlierFailure | undefined;
  /** The decisions it builds on that failed (O-9), but mistakes. */
  failedBasis: Failure[];
}

/**
 * Reads the annotations of a few decisions with a fixed number of queries.
 * @param given.referring those of them that may refer to others; default: all
 * @param given.asked what they are shown for: it says which of several failures is named (T-2)
 * @returns the annotation of each of them
 */
export async function annotate(
  tx: Tx,
  decisions: Decision[],
  { referring = decisions, asked }: { referring?: Decision[]; asked?: string | undefined } = {},
): Promise<(decision: Decision) => Annotation> {
  // An active first version has no earlier version and no successor.
  const inChains = decisions.filter(({ version, isActive }) => version > 1 || !isActive);
  const [{ edges, targets }, landmarks] = await together(
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
    const failed = chain.flatMap((landmark) =>
      landmark.outcome === 'failed' && landmark.version < decision.version
        ? [{ ...toFailure(landmark), version: landmark.version }]
        : [],
    );
    return {
      supersededBy: active?.id === decision.id ? undefined : active?.id,
      references,
      names,
      earlierFailure: failureToName(failed, decision.text, asked),
      failedBasis: references.builds_on.flatMap((id) => {
        const basis = targets.get(id);
        return basis?.outcome === 'failed' && !basis.isMistake ? [toFailure(basis)] : [];
      }),
    };
  };
}

/** {@link annotate} for one decision. @param mayRefer false where it is known to refer to no other */
export async function annotateOne(
  tx: Tx,
  decision: Decision,
  { mayRefer = true, asked }: { mayRefer?: boolean; asked?: string } = {},
): Promise<Annotation> {
  return (await annotate(tx, [decision], { referring: mayRefer ? [decision] : [], asked }))(decision);
}

/** A decision that another one refers to. */
type Target = Pick<
  Decision,
  'id' | 'topic' | 'version' | 'text' | 'isActive' | 'outcome' | 'outcomeReason'
> & {
  /** Whether it is a mistake that was retracted (K-6). */
  isMistake: boolean;
};

/**
 * What these decisions refer to, oldest first, then in the order in which the targets were saved: edges and targets with one statement. A `supersedes` edge
 * leads within the chain and is left out; so is what a mistake refers to.
 */
async function basesOf(
  tx: Tx,
  decisions: Decision[],
): Promise<{ edges: Edge[]; targets: Map<string, Target> }> {
  if (decisions.length === 0) return { edges: [], targets: new Map() };
  const ids = decisions.map(({ id }) => id);
  const { rows } = await sql<
    Edge & Omit<Target, 'id' | 'isActive' | 'isMistake'> & { isActive: number; isMistake: number }
  >`
    select e.*, other.topic, other.version, other.text, other.is_active, other.outcome, other.outcome_reason,
      case when ${notRetracted('other.seq')} then 0 else 1 end as is_mistake
    from (${tx.lists.texts(ids)}) as wanted join decision_edges as e on e.from_id = wanted.id
    join decisions as own on own.id = e.from_id join decisions as other on other.id = e.to_id
    where e.relationship <> 'supersedes' and ${notRetracted('own.seq')}
    order by e.created_at, other.seq, e.relationship, wanted.id`.execute(tx.db);
  return {
    edges: rows,
    targets: new Map(
      rows.map((row) => [
        row.toId,
        { ...row, id: row.toId, isActive: row.isActive === 1, isMistake: row.isMistake === 1 },
      ]),
    ),
  };
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
    .where(sql<boolean>`${notRetracted('decisions.seq')}`)
    .orderBy('version')
    .execute();
  return rows.map((row) => ({ ...row, isActive: row.isActive === 1 }));
}
