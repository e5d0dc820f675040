import { sql } from 'kysely';
import { type Anchor, type AnchorType, hintsOf, hintsText } from '../../domain/anchor.ts';
import type { Decision } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import { byIdOrPrefix } from '../prefix.ts';
import { insertRecord, notRetracted } from '../record.ts';
import { findRow, insertRows } from '../rows.ts';
import { query, together } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { findDecisionRows, newestVersion, reindexDecisions } from './decision.ts';

/**
 * Writes an anchor, and lets its decision be found by the hint (T-15). The target must exist and be of the type: the caller
 * has checked it (D-8).
 * @param decisionId the decision that the target is, or belongs to
 */
export async function insertAnchor(
  tx: Tx,
  hint: string,
  type: AnchorType,
  targetRef: string,
  decisionId: string,
): Promise<Anchor> {
  const anchor = { id: tx.newId(), hint, type, createdAt: tx.now };
  const seq = await insertRecord(tx, 'anchor');
  const decisionRef = type === 'decision_link' ? targetRef : null;
  const evidenceRef = type === 'evidence_link' ? targetRef : null;
  await insertRows(tx, 'anchors', [{ ...anchor, seq, decisionRef, evidenceRef }]);
  await reindexDecisions(tx, [...(await findDecisionRows(tx, [decisionId])).values()]);
  return { ...anchor, targetRef };
}

/**
 * Gives a version hints, if its chain does not have the same ones (RE-16).
 * @returns whether hints are to be asked for: once, as the chain first binds or fails without any
 * @param isAskedNow whether that is now
 */
export async function saveHints(
  tx: Tx,
  { id, rootId }: Decision,
  phrases: readonly string[] | undefined,
  isAskedNow: boolean,
): Promise<boolean> {
  if (!phrases?.length && !isAskedNow) return false;
  const [anchors, [asked]] = await together(
    anchorsOfChains(tx, [rootId]),
    query<{ times: number }>(tx)`
      select count(*) as times from (
        select d.seq from decisions as d where d.root_id = ${rootId} and d.strength <> 'normal' and d.withdrawn = 0
        union all select o.seq from decisions as d join outcomes as o on o.decision_id = d.id
        where d.root_id = ${rootId} and o.outcome = 'failed') as asked`,
  );
  const hints = hintsOf(anchors);
  if (!phrases?.length) return hints.length === 0 && asked?.times === 1;
  const text = hintsText(phrases);
  if (text !== hintsText(hints)) await insertAnchor(tx, text, 'decision_link', id, id);
  return false;
}

/** The anchor with this id, or with one that begins so (D-17). @throws PrecedentError `invalid` when several do */
export async function resolveAnchor(tx: Tx, reference: string): Promise<Anchor | undefined> {
  const row = await byIdOrPrefix(tx, 'anchors', reference, 'anchors', (id) => findRow(tx, 'anchors', { id }));
  if (!row) return undefined;
  const { seq: _, decisionRef, evidenceRef, ...anchor } = row;
  return { ...anchor, targetRef: decisionRef ?? evidenceRef ?? '' };
}

/** An anchor with the version that it leads to, and whether that one is still active (D-17). */
export interface PlacedAnchor extends Anchor, Pick<Decision, 'rootId' | 'topic' | 'version'> {
  decisionId: string;
  active: boolean;
}

/** An anchor at this version. */
export function placed(anchor: Anchor, { id, rootId, topic, version, isActive }: Decision): PlacedAnchor {
  return { ...anchor, decisionId: id, rootId, topic, version, active: isActive };
}

/** The anchors at versions of these chains and at their evidence, those that count, oldest first (D-11). */
export async function anchorsOfChains(tx: Tx, rootIds: string[]): Promise<PlacedAnchor[]> {
  if (rootIds.length === 0) return [];
  const rows = await query<Omit<PlacedAnchor, 'active'> & { isActive: number }>(tx)`
    select a.id, a.hint, a.type, a.created_at, d.id as decision_id, d.root_id, d.topic, d.version, d.is_active,
      coalesce(a.decision_ref, a.evidence_ref) as target_ref
    from anchors as a left join evidence as e on e.id = a.evidence_ref
    join decisions as d on d.id = coalesce(a.decision_ref, e.decision_ref)
    where d.root_id in (${tx.lists.texts(rootIds)}) and ${notRetracted('a.seq')} order by a.seq`;
  return rows.map(({ isActive, ...anchor }) => ({ ...anchor, active: isActive === 1 }));
}

/** A chain that is to be recalled by its hints, by the id of its newest version. */
export interface Hinted {
  id: string;
  /** As `hintsText` writes them. */
  hints: string;
}

/** The hints of every chain that binds now or has failed, for the hooks (RE-16). */
export function hintsOfRules(tx: Tx): Promise<Hinted[]> {
  return hintsAt(tx);
}

/**
 * The chains that bind now or have failed whose hints pass, each by its newest version. All lists of hints are read first, and
 * only those that pass are placed.
 */
export async function rulesHinted(
  tx: Tx,
  pass: <Each extends Hinted>(lists: Each[]) => Each[],
): Promise<Pick<Decision, 'id' | 'rootId'>[]> {
  const lists = await query<Hinted>(tx)`select decision_ref as id, hint as hints from anchors
    where decision_ref is not null`;
  const passed = pass(lists);
  return passed.length === 0 ? [] : pass(await hintsAt(tx, idsOf(passed)));
}

/** {@link hintsOfRules} of all chains, or of those of these versions. */
async function hintsAt(tx: Tx, ids?: string[]): Promise<(Hinted & Pick<Decision, 'rootId'>)[]> {
  const chosen = ids
    ? sql`d.root_id in (select of.root_id from (${tx.lists.texts(ids)}) as wanted join decisions as of on of.id = wanted.id)`
    : sql`1 = 1`;
  const rows = await query<
    Hinted & Pick<PlacedAnchor, 'rootId' | 'version' | 'createdAt'> & { anchor: string }
  >(tx)`
    select h.id, h.root_id, a.hint as hints, a.id as anchor, a.created_at, d.version
    from anchors as a join decisions as d on d.id = a.decision_ref
    join decisions as h on h.root_id = d.root_id
      and h.version = ${newestVersion(sql`d.root_id`)}
    where ${chosen} and ${notRetracted('a.seq')} and ${notRetracted('d.seq')}
      and ((h.is_active = 1 and h.strength <> 'normal') or h.outcome = 'failed' or d.outcome = 'failed')`;
  const lists = rows.map(({ hints, anchor, ...row }) => ({ ...row, anchor, hint: hints }));
  return [...Map.groupBy(lists, ({ id }) => id)].flatMap(([id, own]) => {
    const hints = hintsText(hintsOf(own.map(({ anchor, ...row }) => ({ ...row, id: anchor }))));
    return hints === '' ? [] : [{ id, rootId: own[0]?.rootId ?? id, hints }];
  });
}
