import type { Decision } from '../../domain/decision.ts';
import { PrecedentError } from '../../domain/error.ts';
import { quoted } from '../../domain/text/text.ts';
import { findName } from '../names.ts';
import type { Tx } from '../tx.ts';
import { newestInChain } from './decision.ts';
import { requireDecision } from './reference.ts';
import { chainCalled, renameChain } from './topic.ts';

/** What renaming a topic did. */
export interface Renamed {
  /** What it was called; null for a decision without a topic. */
  from: string | null;
  /** The newest version. */
  decision: Decision;
  unchanged: boolean;
  warnings: string[];
}

/**
 * Calls a decision by another topic (U-6, D-19). Names that lead to it go on doing so.
 * @param reference its topic, or an id of it
 * @throws PrecedentError `not_found`; `conflict` when the name is that of another decision
 */
export async function renameTopic(tx: Tx, reference: string, name: string): Promise<Renamed> {
  const { rootId, topic: from, scope } = await requireDecision(tx, reference);
  if (from === name)
    return { from, decision: await newestInChain(tx, rootId), unchanged: true, warnings: [] };
  const known = await findName(tx, 'topics', name);
  const holder = known?.target ?? (await chainCalled(tx, name));
  if (holder !== undefined && holder !== rootId) throw await isTaken(tx, name, holder, from);
  await renameChain(tx, { rootId, from, to: name, ...(known?.name !== name && { added: name }) });
  const decision = await newestInChain(tx, rootId);
  return { from, decision, unchanged: false, warnings: strandedScope(from, name, scope) };
}

async function isTaken(tx: Tx, name: string, holder: string, from: string | null): Promise<PrecedentError> {
  const other = await newestInChain(tx, holder);
  const join = from === null ? '' : ` topic_join lets ${quoted(from)} lead there instead.`;
  return new PrecedentError(
    'conflict',
    `Expected a topic that no other decision has, found "${name}", which is that of ${quoted(other.text)} (${other.id}).${join} Nothing was changed.`,
  );
}

/** A scope that was the first part of the topic stays what it was: what binds there may be wanted so. */
function strandedScope(from: string | null, to: string, scope: string): string[] {
  const [was, now] = [from?.split(':')[0]?.trim(), to.split(':')[0]?.trim()];
  return was === scope && now !== scope
    ? [`Its scope is still "${scope}"; decision_revise moves it to another.`]
    : [];
}
