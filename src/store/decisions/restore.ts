import { contentOf, type Decision, nextVersion, overrides } from '../../domain/decision.ts';
import { countCharacters, LIMITS } from '../../domain/text/text.ts';
import type { Tx } from '../tx.ts';
import { insertNext } from './chain.ts';
import { newestInChain } from './decision.ts';
import { insertEdges, linkedFrom } from './edge.ts';
import { protectedError } from './guard.ts';
import { outcomesOf, recordOutcome } from './outcome.ts';
import { scopeToUse } from './scope.ts';

/** The reason of a version that ends a decision which was a mistake from the beginning. */
const TAKEN_BACK = 'Retracted: it was saved by mistake.';

/** How a version is undone. */
export interface Restoring {
  /** Why. Without one it says so itself, where something must be said. */
  reasoning: string | undefined;
  /** Whether an axis or a lock is overridden without a reason: one's own may be within the hour (D-20). */
  isExempt: boolean;
}

/**
 * Refuses what {@link restoreVersion} would do to an axis or a lock without a reason (D-20).
 * @throws PrecedentError `conflict`
 */
export function checkRestoring(
  newest: Decision,
  like: Decision | null,
  { reasoning, isExempt }: Restoring,
): void {
  const { text, strength, scope } = like ?? newest;
  const yielding = overrides(newest, { text, strength, scope, withdrawn: like?.withdrawn ?? true });
  if (yielding && !isExempt && reasoning === undefined) throw protectedError(newest, yielding);
}

/**
 * Makes the next version of a chain say what an earlier one of it says, with its links and its outcome (K-6): nothing is
 * overwritten, and what it says is active again.
 * @param like null: it is withdrawn, since nothing was active before
 * @returns the version that was made
 */
export async function restoreVersion(
  tx: Tx,
  rootId: string,
  like: Decision | null,
  given: Restoring,
): Promise<Decision> {
  const newest = await newestInChain(tx, rootId);
  checkRestoring(newest, like, given);
  const content = contentOf(like ?? newest);
  // The scope may lead elsewhere by now.
  const scope = await scopeToUse(tx, content.scope);
  const withdrawn = like?.withdrawn ?? true;
  const decision: Decision = {
    ...nextVersion(newest, { text: content.text, withdrawn }, tx.newId(), tx.now),
    ...content,
    scope,
    reasoning: like ? together(given.reasoning, like.reasoning) : (given.reasoning ?? TAKEN_BACK),
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
  if (like.outcome)
    await recordOutcome(await sinceGiven(tx, like), decision.id, like.outcome, like.outcomeReason);
  return decision;
}

/** What is undone as of a date (U-7) has an outcome that was given later since it was given. */
async function sinceGiven(tx: Tx, { id }: Decision): Promise<Tx> {
  if (tx.now === tx.entered) return tx;
  const given = (await outcomesOf(tx, [id])).findLast(({ retractedAt }) => retractedAt === null);
  return { ...tx, now: Math.max(tx.now, given?.createdAt ?? tx.now) };
}

/** A reason given now, before the one of then while both have room. */
function together(now: string | undefined, then: string | null): string | null {
  if (now === undefined || then === null) return now ?? then;
  const both = `${now}\n\n${then}`;
  return countCharacters(both) > LIMITS.reasoning ? now : both;
}
