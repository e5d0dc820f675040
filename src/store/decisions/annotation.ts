import type { Chain, Side, Tidied } from '../../domain/chain.ts';
import { decidedTwice } from '../../domain/decided-twice.ts';
import type { Decision } from '../../domain/decision.ts';
import type { Edge, Reference } from '../../domain/edge.ts';
import { type EarlierFailure, failureToName } from '../../domain/language/failures.ts';
import type { Failure } from '../../domain/outcome.ts';
import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import { foldName } from '../../domain/text/text.ts';
import { notRetracted } from '../record.ts';
import { query, together } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { findDecisions } from './decision.ts';
import { GROUNDS, OF_GROUND } from './edge.ts';
import { importedAmong } from './imported.ts';
import { loadChains } from './loaded.ts';

/** The notes that are shown with every decision: its place in the chain, its links, the failures behind it. */
export interface Annotation {
  /** The active version of the chain, when it is another one (G-5). */
  supersededBy: string | undefined;
  /** The decisions that its reasoning refers to, by relationship (G-5). */
  references: Record<Reference, string[]>;
  /** How those of them that have a topic are called, by id: by their topic, or `topic@2` when they are not active (W-2). */
  names: ReadonlyMap<string, string>;
  /** The earlier version of its chain that failed (O-8), of several the one that matters here (T-2); not an undone one (K-6). */
  earlierFailure: EarlierFailure | undefined;
  /**
   * The decisions that failed of those that it builds on or synthesizes (O-9), directly or by one of them; while it gives no
   * links, those of the version before it that its reasoning does not name (T-7). Nothing that was undone.
   */
  failedBasis: Failure[];
  /** The sides of a decision that was decided twice on its topic (Y-2), until it is settled. */
  sides: Side[];
  decidedTwice: string | undefined;
  /** Of a version that tidies another one (TR-3): the one that was decided, and who tidied it. */
  tidied: Tidied | undefined;
  /** Whether it binds, an import brought it, and no person has reviewed it (Z-14). */
  isImported: boolean;
}

interface Shown {
  /** The question that they are shown for: it says which of several failures is named (T-2). */
  asked?: string | undefined;
  /** Their chain, where it was loaded already. */
  chain?: Chain | undefined;
}

/**
 * Reads the annotations of a few decisions with a fixed number of queries.
 * @param given.referring those of them that may refer to others; default: all
 * @returns the annotation of each of them
 */
export async function annotate(
  tx: Tx,
  decisions: Decision[],
  { referring = decisions, asked, chain }: Shown & { referring?: Decision[] } = {},
): Promise<(decision: Decision) => Annotation> {
  // An active first version has no earlier version and no successor.
  const inChains = decisions.filter(({ version, isActive }) => version > 1 || !isActive);
  const binding = decisions.filter(({ strength }) => strength !== 'normal').map(({ id }) => id);
  const [{ edges, targets, behind }, chains, imported] = await together(
    basesOf(tx, referring),
    chain
      ? new Map([[chain.newest.rootId, chain]])
      : loadChains(tx, [...new Set(inChains.map((decision) => decision.rootId))]),
    importedAmong(tx, binding),
  );
  // Only where there is something to warn of.
  const failures = await findDecisions(tx, [...new Set(behind.values())]);
  const failureOf = new Map(failures.map((failure) => [failure.id, failure]));
  const nameOf = (id: string) => names.get(id) ?? id;
  const names = new Map(
    [...targets.values()].flatMap(({ id, topic, version, isActive }) =>
      topic === null ? [] : [[id, isActive ? topic : `${topic}@${version}`]],
    ),
  );
  const edgesOf = Map.groupBy(edges, ({ fromId }) => fromId);
  return (decision) => {
    const own = edgesOf.get(decision.id) ?? [];
    const to = (relationship: Reference) =>
      own.filter((edge) => edge.relationship === relationship).map((edge) => edge.toId);
    const references = { builds_on: to('builds_on'), debates: to('debates'), synthesizes: to('synthesizes') };
    const basis = GROUNDS.flatMap((relationship) => references[relationship]);
    const chain = chains.get(decision.rootId);
    const { active, sides = [] } = chain ?? {};
    return {
      tidied: chain?.tidiedBy(decision),
      isImported: imported.has(decision.id),
      sides,
      supersededBy: active?.id === decision.id ? undefined : active?.id,
      references,
      names,
      // When it is asked for: a history has thousands of versions, and names none.
      get decidedTwice() {
        return sides.length > 0 ? decidedTwice(sides) : undefined;
      },
      get earlierFailure() {
        const failed = chain?.failuresBefore(decision) ?? [];
        const failures = failed.map((each) => ({ ...toFailure(each), version: each.version }));
        return failureToName(failures, decision.text, asked);
      },
      failedBasis: once([
        ...basis.flatMap((id) => {
          const target = targets.get(id);
          if (!target || target.isMistake || (target.outcome === 'failed' && isAside(decision, id, target)))
            return [];
          if (target.outcome === 'failed')
            return [{ ...toFailure(target), ...(target.current !== null && { now: target.current }) }];
          const failure = failureOf.get(behind.get(id) ?? '');
          return failure ? [{ ...toFailure(failure), by: nameOf(id) }] : [];
        }),
        ...((decision.isActive && basis.length === 0 && chain?.failedGrounds) || [])
          .filter(({ failure }) => !isNamed(decision, failure))
          .map(({ failure, version }) => ({ ...toFailure(failure), by: `v${version}` })),
      ]),
    };
  };
}

/** Each failure once, where it was met first. */
function once(failures: Failure[]): Failure[] {
  return [...new Map(failures.toReversed().map((failure) => [failure.id, failure])).values()].toReversed();
}

/** Whether the reasoning of a decision names what failed, so that whoever wrote it knew. */
function isNamed({ reasoning }: Decision, { id, topic }: Pick<Decision, 'id' | 'topic'>): boolean {
  const said = (reasoning ?? '').toLowerCase();
  return said.includes(id) || (topic !== null && said.includes(topic.toLowerCase()));
}

/** Whether a decision names what failed only as something that holds beside it (T-6). */
function isAside({ reasoning }: Decision, id: string, { topic }: Pick<Target, 'topic'>): boolean {
  const named = parseReasoning(reasoning ?? '').references.filter(
    ({ written }) => id.startsWith(written.toLowerCase()) || foldName(written) === foldName(topic ?? ''),
  );
  return named.length > 0 && named.every((each) => each.isAside);
}

/** {@link annotate} for one decision. @param mayRefer false where it is known to refer to no other */
export async function annotateOne(
  tx: Tx,
  decision: Decision,
  { mayRefer = true, ...shown }: Shown & { mayRefer?: boolean } = {},
): Promise<Annotation> {
  return (await annotate(tx, [decision], { referring: mayRefer ? [decision] : [], ...shown }))(decision);
}

/** A decision that another one refers to. */
type Target = Pick<Decision, 'topic' | 'version' | 'text' | 'outcome' | 'outcomeReason'> & {
  isActive: 0 | 1;
  /** Whether it was undone (K-6). */
  isMistake: 0 | 1;
  /** Of one that failed and was replaced, what is active instead. */
  current: string | null;
};

/**
 * The targets of these decisions, oldest first, then in the order in which the targets were saved: edges, targets, and by
 * target the id of the failed ground `behind` it, with one statement. A `supersedes` edge leads within the chain and is left
 * out; so is what an undone record refers to.
 */
async function basesOf(tx: Tx, decisions: Decision[]) {
  if (decisions.length === 0) return { edges: [], targets: new Map(), behind: new Map() };
  const ids = decisions.map(({ id }) => id);
  // Ask for the targets separately: as joins they are planned badly where there are no statistics yet.
  const rows = await query<Edge & Target & { behindId: string | null }>(tx)`
    select e.*, other.topic, other.version, other.text, other.is_active, other.outcome, other.outcome_reason,
      case when ${notRetracted('other.seq')} then 0 else 1 end as is_mistake,
      (select current.text from decisions as current where current.root_id = other.root_id and current.is_active = 1
        and other.outcome = 'failed' and other.is_active = 0) as current,
      (select behind.id from decision_edges as further join decisions as behind on behind.id = further.to_id
        where further.from_id = e.to_id and further.relationship in (${OF_GROUND}) and behind.outcome = 'failed'
          and behind.root_id <> own.root_id and ${notRetracted('behind.seq')}
        order by behind.seq limit 1) as behind_id
    from (${tx.lists.texts(ids)}) as wanted join decision_edges as e on e.from_id = wanted.id
    join decisions as own on own.id = e.from_id join decisions as other on other.id = e.to_id
    where e.relationship <> 'supersedes' and ${notRetracted('own.seq')}
    order by e.created_at, other.seq, e.relationship, wanted.id`;
  return {
    edges: rows,
    behind: new Map(rows.flatMap(({ toId, behindId }) => (behindId === null ? [] : [[toId, behindId]]))),
    targets: new Map(rows.map((row) => [row.toId, { ...row, id: row.toId }])),
  };
}

/** A failed decision as others name it. */
function toFailure(decision: Pick<Decision, 'id' | 'text' | 'outcomeReason'>): Failure {
  return { id: decision.id, decision: decision.text, outcomeReason: decision.outcomeReason };
}
