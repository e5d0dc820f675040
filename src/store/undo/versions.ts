import type { Selectable } from 'kysely';
import { decidedTwice, settling } from '../../domain/decided-twice.ts';
import {
  behind,
  contentOf,
  type Decision,
  decidedId,
  draftLike,
  nextVersion,
  overrides,
} from '../../domain/decision.ts';
import { conflict } from '../../domain/error.ts';
import { insertNext } from '../decisions/chain.ts';
import { findDecisions, findVersion, newestInChain, toDecision } from '../decisions/decision.ts';
import { insertEdges, linkedFrom } from '../decisions/edge.ts';
import { forksOf } from '../decisions/fork.ts';
import { loadChain } from '../decisions/loaded.ts';
import { mirrorOutcome, outcomeOf } from '../decisions/outcome.ts';
import { isNamed, refusalOf, requireMeant } from '../decisions/overriding.ts';
import { scopeToUse } from '../decisions/topic.ts';
import { reinstate, retract } from '../record.ts';
import { requireRow } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { dependentsOfVersions } from './dependents.ts';
import { countAgain } from './hidden.ts';
import type { Effect, Part, Terms } from './part.ts';
import type { UndoTx } from './saves.ts';

/**
 * A version is undone by a new one with the text before it; a first version is withdrawn (K-6). It and later versions count as
 * undone from then on, and so does a chain in which nothing else is left. If an undo or a redo made the version, earlier ones
 * that this marked count again, and those that it brought back no longer.
 */
export async function versionPart(tx: UndoTx, seq: number, terms: Terms): Promise<Part> {
  const row = await requireRow(tx, 'decisions', { seq });
  const { rootId, version, topic, id, text } = row;
  const before = version === 1 ? null : ((await findVersion(tx, rootId, version - 1)) ?? null);
  const undone = toDecision(row);
  const refused = await refusalOf(requireMeantUndoing(tx, undone, before, terms));
  await requireUnforked(tx, undone);
  const earlier = await earlierMarks(tx, rootId, terms);
  const mistakesNow = async () => {
    const since = (await loadChain(tx, rootId, 'all')).versions.filter((each) => each.version >= version);
    return [...earlier.broughtBack, ...since.map((each) => each.id)];
  };
  return {
    effect: {
      kind: 'decision',
      id,
      name: topic ?? '',
      text,
      becomes: becomes(before),
      strength: row.strength,
    },
    dependents: await dependentsOfVersions(tx, { id, rootId }, await mistakesNow()),
    refused,
    async undo() {
      const mistakes = await mistakesNow();
      const isMistake = before === null || (await isNothing(tx, before));
      const made = await restoreVersion(tx, rootId, before, terms.naming.reasoning);
      terms.restored.add(made.id);
      await retractVersions(tx, isMistake ? [...mistakes, made.id] : mistakes);
      for (const { seq: each } of earlier.marked) await countAgain(tx, each);
    },
  };
}

/** Nobody can undo the other side of a decision that was decided twice (Y-2). @throws PrecedentError `conflict` */
async function requireUnforked(tx: Tx, { id, rootId, version }: Decision): Promise<void> {
  const heads = (await forksOf(tx, [rootId])).get(rootId)?.sides ?? [];
  const other = heads.findLast((head) => head.id !== id && head.version > version);
  if (!other) return;
  throw conflict.decided_twice(
    `Expected a save that nobody decided otherwise, found that it was decided twice: ${decidedTwice(heads)}. To keep the other side: ${settling(other)} --keep ${other.id.slice(0, 8)}`,
  );
}

/** The earlier versions of a chain that an undo or a redo marked as undone, by number, and those whose mark it took away, by id. */
async function earlierMarks(tx: Tx, rootId: string, { save }: Terms) {
  const rows = await query<{ seq: number; id: string; kind: string }>(tx)`
    select d.seq, d.id, c.kind from changes as c join decisions as d on d.seq = c.record_seq
    where c.seq between ${save.firstChange ?? 0} and ${save.lastChange ?? 0} and d.root_id = ${rootId}
      and d.seq < ${save.firstRecord} and c.kind in ('retracted', 'reinstated')
    order by c.seq`;
  const of = (wanted: string) => rows.filter(({ kind }) => kind === wanted);
  return {
    marked: of('retracted'),
    broughtBack: of('reinstated').map(({ id }) => id),
  };
}

function becomes(before: Decision | null): string {
  if (before === null || before.withdrawn) return 'withdrawn';
  return `“${before.text}” is active again`;
}

/** Whether a version says that nothing is active since everything was undone: what made it marked it, too. */
async function isNothing(tx: Tx, { id }: Decision): Promise<boolean> {
  const rows = await query(tx)`
    select 1 from decisions as d join saves as s on d.seq between s.first_record and s.last_record
    join changes as c on c.record_seq = d.seq and c.kind = 'retracted'
      and c.seq between s.first_change and s.last_change
    where d.id = ${id} and d.withdrawn = 1`;
  return rows.length > 0;
}

async function retractVersions(tx: Tx, ids: string[]): Promise<void> {
  const rows = await query<{ seq: number }>(tx)`
    select d.seq from (${tx.lists.texts(ids)}) as wanted join decisions as d on d.id = wanted.id
    order by d.seq`;
  for (const { seq } of rows) await retract(tx, seq);
}

/** The reason of a version that ends a decision whose versions were all undone. */
const UNDONE = 'Undone: it was saved by mistake.';

/**
 * Refuses to undo an axis or a lock that was active before the call, where the call does not say that it means that. Where an
 * undo made the active version, so that it says the undone one again, either is a name of it.
 * @throws PrecedentError as {@link requireMeant}
 */
async function requireMeantUndoing(
  tx: Tx,
  undone: Decision,
  before: Decision | null,
  { naming, needsReason, restored }: Terms,
): Promise<void> {
  const newest = await newestInChain(tx, undone.rootId);
  const how = overrides(newest, draftLike(before ?? { ...newest, withdrawn: true }));
  if (!how || restored.has(newest.id)) return;
  const isSaidAgain = newest.text === undone.text && (await isNamed(tx, undone, naming));
  const meant = isSaidAgain ? { ...naming, replaces: newest.id } : naming;
  await requireMeant(tx, newest, how, meant, needsReason);
}

/**
 * Makes the next version of a chain say what an earlier one of it says, with its links, its author and its outcome (K-6, TR-3):
 * nothing is overwritten, and what it says is active again.
 * @param like null: it is withdrawn, since nothing was active before
 * @param reasoning why. Without one the version says so itself, where something must be said
 * @returns the version that was made
 */
async function restoreVersion(tx: Tx, rootId: string, like: Decision | null, reasoning: string | undefined) {
  const newest = await newestInChain(tx, rootId);
  const content = contentOf(like ?? newest);
  // The scope may lead elsewhere by now.
  const scope = await scopeToUse(tx, content.scope);
  const withdrawn = like?.withdrawn ?? true;
  const decision: Decision = {
    ...nextVersion(newest, { text: content.text, withdrawn }, tx.newId(), tx.now),
    ...content,
    scope,
    reasoning: like ? behind(like.reasoning, 'Brought back', reasoning) : (reasoning ?? UNDONE),
    // By the log, since its outcomes may have been undone or recorded again with it.
    ...(like && { tidies: decidedId(like), ...(await outcomeOf(tx, decidedId(like))) }),
  };
  await insertNext(tx, newest, decision);
  if (!like) return decision;
  const links = await linkedFrom(tx, [like.id]);
  await insertEdges(
    tx,
    links
      .filter(({ relationship }) => relationship !== 'supersedes')
      .map(({ id, relationship }) => ({ fromId: decision.id, toId: id, relationship, createdAt: tx.now })),
  );
  return decision;
}

type Entry = Selectable<Schema['outcomes']>;

/** An outcome stays in its log, retracted, and the decision shows the one before (K-6). */
export const outcomePart = (tx: Tx, seq: number): Promise<Part> => outcomeMarked(tx, seq, retract, 'undone');

/** Brings an outcome back. */
export const outcomeAgain = (tx: Tx, seq: number): Promise<Part> =>
  outcomeMarked(tx, seq, reinstate, 'recorded again');

async function outcomeMarked(
  tx: Tx,
  seq: number,
  mark: (tx: Tx, seq: number) => Promise<boolean>,
  becomes: string,
): Promise<Part> {
  const { entry, decision } = await entryAt(tx, seq);
  return {
    effect: effectOf(entry, decision, becomes),
    async undo() {
      await mark(tx, seq);
      await mirrorOutcome(tx, entry.decisionId);
    },
  };
}

async function entryAt(tx: Tx, seq: number): Promise<{ entry: Entry; decision: Decision }> {
  const entry = await requireRow(tx, 'outcomes', { seq });
  const [decision] = await findDecisions(tx, [entry.decisionId]);
  return { entry, decision: decision as Decision };
}

function effectOf({ outcome, reason }: Entry, { id, topic }: Decision, becomes: string): Effect {
  return {
    kind: 'outcome',
    id,
    name: topic ?? '',
    text: reason === null ? outcome : `${outcome}: ${reason}`,
    becomes,
  };
}
