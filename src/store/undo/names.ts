import { REDACTED } from '../../domain/text/redaction.ts';
import { newestInChain } from '../decisions/decision.ts';
import { refusalOf, requireMeant } from '../decisions/overriding.ts';
import { begunSeveralTimes, chainCalled, redirect, renameChain } from '../decisions/topic.ts';
import { valuesIn } from '../json-list.ts';
import { findName, NAMES } from '../names.ts';
import { requireRow } from '../rows.ts';
import type { Tx } from '../tx.ts';
import { dependentsOfName } from './dependents.ts';
import type { Part, SavedChange, Terms } from './part.ts';
import type { UndoTx } from './saves.ts';

/** A topic or a scope that was joined with another leads again where it led. */
export async function joinedPart(tx: Tx, { before, after }: SavedChange): Promise<Part> {
  const table = valuesIn(before).topic === undefined ? 'scopes' : 'topics';
  const { one: kind, called, said } = NAMES[table];
  const name = String(valuesIn(before)[called]);
  const [from, to] = [String(valuesIn(after)[said]), String(valuesIn(before)[said])];
  const isThere = (await findName(tx, table, name))?.target === from;
  return {
    effect: { kind, id: name, name, text: name, becomes: `leading again to ${to}` },
    dependents: isThere ? [] : [{ line: `${kind} "${name}", which leads elsewhere since` }],
    undo: () => redirect(tx, table, name, from, to),
  };
}

/**
 * A chain that was renamed gets its topic back; the name that it was given leads to it no longer. After an hour a lock is
 * called otherwise only by a call that names it (T-6).
 */
export async function renamedPart(
  tx: UndoTx,
  recordSeq: number,
  { before, after }: SavedChange,
  { save, naming, needsReason }: Terms,
): Promise<Part> {
  const root = await requireRow(tx, 'decisions', { seq: recordSeq });
  const [was, now] = [valuesIn(before), valuesIn(after)] as {
    topic: string | null;
    name?: string;
  }[];
  const to = was?.topic ?? null;
  const newest = await newestInChain(tx, root.rootId);
  const isLost = newest.isActive && needsReason;
  // Shown in the confirmation prompt.
  const strength = newest.isActive ? newest.strength : 'normal';
  const called = calledBy(now?.topic ?? null, root.topic);
  const leads = to === null ? undefined : (await findName(tx, 'topics', to))?.target;
  // A redaction deletes names: the topic that the chain gets back may lead nowhere.
  const added = was?.name ?? (leads === undefined ? to : null);
  const dropped = now?.name === now?.topic ? called : now?.name;
  const isOfSeveral = (await begunSeveralTimes(tx, [root.rootId])).size > 0;
  const renaming = {
    rootId: root.rootId,
    from: root.topic,
    to,
    ...(added !== null && { added }),
    // A topic of another machine that came to be one with it has that name, too.
    ...(now?.name !== undefined && !isOfSeveral && { dropped: dropped ?? now.name }),
  };
  // Records that others saved since were saved under this name, and would get another one.
  const dependents = await dependentsOfName(tx, root.rootId, save.id);
  if (root.topic !== called)
    dependents.push({ line: `its present topic "${root.topic}", which it was given since` });
  const other = to === null ? undefined : (leads ?? (await chainCalled(tx, to)));
  if (other !== undefined && other !== root.rootId)
    dependents.push({ line: `another decision, to which the topic "${to}" leads now` });
  const becomes = to === null ? 'without a name' : `called "${to}" again`;
  return {
    effect:
      called === null
        ? { kind: 'decision', id: newest.id, name: '', text: newest.text, becomes, strength }
        : { kind: 'topic', id: called, name: called, text: called, becomes, strength },
    dependents,
    refused: isLost ? await refusalOf(requireMeant(tx, newest, 'rename', naming, false)) : undefined,
    undo: () => renameChain(tx, renaming),
  };
}

/** The name that a renaming gave a chain, as it is written by now: a redaction changes a change and a topic each in its own way. */
function calledBy(renamed: string | null, present: string | null): string | null {
  const isBlank = (name: string | null) => name?.startsWith(REDACTED) === true;
  return isBlank(renamed) && isBlank(present) ? present : renamed;
}
