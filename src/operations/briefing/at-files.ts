import { activeCalled, decisionsNaming } from '../../store/decisions/naming.ts';
import type { Tx } from '../../store/tx.ts';
import { decisionLines, type Fact } from './line.ts';

/** Files that an agent reads or has changed. */
export interface FilesTouched {
  /** From the top folder of the repository on. */
  paths: string[];
  /** Whether they were read alone: agents read far more than they change. */
  isRead: boolean;
  /** What they name as decisions themselves (F-1). */
  marked: string[];
}

/**
 * What binds files that an agent reads or has changed, and what failed there (F-4); decisions that neither bind nor failed
 * are not shown; of a read only what names a file exactly, or by a pattern within one folder.
 * @param shown ids that the session was shown before
 */
export async function atFiles(
  tx: Tx,
  { paths, isRead, marked }: FilesTouched,
  shown: ReadonlySet<string>,
): Promise<Fact[]> {
  const naming = (await decisionsNaming(tx, paths)).filter(
    ({ pattern, nearness }) =>
      !isRead || nearness === Number.MAX_SAFE_INTEGER || /^[^*]*\/[^/*]*\*[^/*]*$/.test(pattern),
  );
  const all = [...(await activeCalled(tx, marked)), ...naming].map(({ decision }) => decision);
  const each = [...new Map(all.map((decision) => [decision.id, decision])).values()];
  const unseen = each.filter(({ id }) => !shown.has(id));
  return (await decisionLines(tx, unseen)).filter(({ binds }) => binds);
}
