import { type Side, sidesOf } from '../../domain/decided-twice.ts';
import { type Decision, nextVersion } from '../../domain/decision.ts';
import { conflict, invalid } from '../../domain/error.ts';
import { updateRows } from '../rows.ts';
import type { Tx } from '../tx.ts';
import { insertNext } from './chain.ts';
import { newestInChain } from './decision.ts';
import { forksOf } from './fork.ts';
import { requireDecision } from './reference.ts';

/** Characters of a text at most that is to be chosen. */
const QUOTED = 600;

/**
 * Ends a fork with a version that saw every head (Y-2): what one of them says, or another text.
 * @param reference the topic, or an id of it
 * @param keep the id of the head that goes on, or how it begins; default with a text: the active one
 * @throws PrecedentError `not_found`; `conflict` where nothing was decided twice; `invalid` for another version
 */
export async function settleFork(
  tx: Tx,
  reference: string,
  { keep, text, reasoning }: { [Each in 'keep' | 'text' | 'reasoning']?: string | undefined },
): Promise<{ decision: Decision; settled: Side[] }> {
  const { rootId } = await requireDecision(tx, reference);
  const heads = (await forksOf(tx, [rootId])).get(rootId)?.heads;
  if (!heads)
    throw conflict(`Expected a decision that was made twice, found "${reference}", which is settled.`);
  const newest = await newestInChain(tx, rootId);
  const kept =
    keep === undefined ? text !== undefined && newest : heads.find(({ id }) => id.startsWith(keep));
  if (!kept) {
    const sides = sidesOf(heads, QUOTED);
    const error = invalid(
      `Expected --keep with one of ${sides.join(' and ')}, or --text with what holds instead, found ${keep === undefined ? 'neither' : `"${keep}"`}.`,
    );
    if (keep === undefined)
      error.choices = heads.map(({ id, reasoning }, at) => ({ id, shown: sides[at] ?? '', reasoning }));
    throw error;
  }
  const isOther = text !== undefined && heads.every((head) => head.text !== text);
  if (isOther && reasoning === undefined && heads.some(({ strength }) => strength !== 'normal'))
    throw invalid(
      'Expected --reasoning, found none: the text replaces a lock or an axis, and says otherwise.',
    );
  const withdrawn = text === undefined && kept.withdrawn;
  // A text of its own does not have the reason of another one.
  const carried = isOther ? { ...kept, reasoning: null } : kept;
  const said = { text: text ?? kept.text, reasoning, withdrawn };
  const decision = nextVersion(newest, said, tx.newId(), tx.now, carried);
  await insertNext(tx, newest, decision);
  const others = heads.map(({ id }) => id).filter((id) => id !== newest.id);
  await updateRows(tx, 'decisions', { id: decision.id }, { basedOn: [newest.id, ...others].join('\n') });
  return { decision, settled: heads };
}
