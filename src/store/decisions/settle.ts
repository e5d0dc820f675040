import type { Side } from '../../domain/chain.ts';
import { reachOf } from '../../domain/chain.ts';
import { settling, sidesOf } from '../../domain/decided-twice.ts';
import { type Decision, nextVersion, overrides } from '../../domain/decision.ts';
import { conflict, invalid, PrecedentError } from '../../domain/error.ts';
import { idsOf } from '../../domain/id.ts';
import type { Tx } from '../tx.ts';
import { complete, insertNext } from './chain.ts';
import { forksOf } from './fork.ts';
import { loadChain } from './loaded.ts';
import { overridingWarning, replacedBy } from './overriding.ts';
import { requireDecision } from './reference.ts';

/** Forks that a refusal names. */
const NAMED = 5;
/** Characters of a text at most that is to be chosen. */
const QUOTED = 600;

/** The things that may be settled, for commands. */
async function toSettle(tx: Tx): Promise<string> {
  const open = [...(await forksOf(tx)).values()]
    .slice(0, NAMED)
    .map(({ sides }) => settling(sides[0] as Side));
  return open.length > 0 ? `Decided twice: ${open.join(', ')}` : 'Nothing is decided twice.';
}

/**
 * Ends a fork with a version that saw every head (Y-2): what one of them says, or another text.
 * @param reference the topic, or an id of it
 * @param keep the id of the head that goes on, or how it begins
 * @param reasoning default: that of the head that goes on; needed where a lock or an axis is overridden (D-20)
 * @throws PrecedentError `not_found`; `conflict` where nothing was decided twice; `invalid` for another version, and without
 *   the reasoning that is needed
 */
export async function settleFork(
  tx: Tx,
  reference: string,
  { keep, text, reasoning }: { [Each in 'keep' | 'text' | 'reasoning']?: string | undefined },
): Promise<{ decision: Decision; settled: Side[]; warnings: string[] }> {
  if (keep !== undefined && text !== undefined)
    throw invalid.both_given('Expected --keep or --text, found both: --text replaces every side.');
  const { rootId } = await requireDecision(tx, reference).catch(async (error: unknown) => {
    if (!(error instanceof PrecedentError) || error.code !== 'not_found') throw error;
    throw new PrecedentError(error.code, error.reason, `${error.message} ${await toSettle(tx)}`);
  });
  const chain = await loadChain(tx, rootId, 'recent');
  const heads = chain.sides;
  if (heads.length === 0)
    throw conflict.already_so(
      `Expected a decision that was decided twice, found "${reference}", which was decided once or is settled. ${await toSettle(tx)}`,
    );
  const [meant, another] = heads
    .filter(({ id, text: said }) =>
      keep === undefined ? said === text : id.toLowerCase().startsWith(keep.toLowerCase()),
    )
    .reverse();
  const isOther = text !== undefined && !meant;
  // A new text binds as the active one does.
  const kept = isOther ? heads.at(-1) : meant;
  const bindingMore = (reach: number) => heads.filter((head) => reachOf(head) > reach);
  if (!kept || (keep !== undefined && another)) {
    const sides = sidesOf(heads, QUOTED);
    const error = invalid.missing(
      `Expected --keep with one of ${sides.join(' and ')}, or --text with another decision, found ${keep === undefined ? 'neither' : `"${keep}"`}. As in: ${settling(heads[0] as Side)} --keep ${heads[0]?.id.slice(0, 8)}`,
    );
    if (keep === undefined)
      error.choices = heads.map((head, at) => ({
        ...{ id: head.id, shown: sides[at] ?? '', reasoning: head.reasoning },
        needsReason: bindingMore(reachOf(head)).length > 0,
      }));
    throw error;
  }
  const { newest } = chain;
  const said = {
    text: text ?? kept.text,
    // A text of its own does not have the reason of another one.
    reasoning: reasoning ?? (isOther ? undefined : (kept.reasoning ?? undefined)),
    withdrawn: text === undefined && kept.withdrawn,
  };
  const decision = nextVersion(newest, said, tx.newId(), tx.now, kept);
  const lost = bindingMore(isOther ? 0 : reachOf(decision));
  if (lost.length > 0 && reasoning === undefined)
    throw invalid.missing(
      `Expected --reasoning, found none: it overrides ${sidesOf(lost, QUOTED).join(' and ')}. Nothing was changed.`,
    );
  await insertNext(tx, newest, decision, idsOf(heads));
  const settled = chain.followedBy(decision, idsOf(heads), tx.writer);
  const { warnings } = await complete(tx, decision, settled, false, []);
  for (const head of lost) {
    const how = overrides({ ...head, isActive: true }, { ...said, strength: decision.strength }) ?? 'rescope';
    warnings.unshift(overridingWarning(tx, await replacedBy(tx, head), how, true) ?? '');
  }
  return { decision, settled: heads, warnings };
}
