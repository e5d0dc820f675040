import { decisionsNaming } from '../../store/decisions/naming.ts';
import type { Tx } from '../../store/tx.ts';
import { decisionLines, type Fact } from './line.ts';

/**
 * What binds files that an agent reads or has changed, and what failed there (F-4); decisions that neither bind nor failed
 * are not shown.
 * @param files from the top folder of the repository on
 * @param isRead shows only what names them exactly, or by a pattern within one folder: agents read far more than they change
 * @param shown ids that the session was shown before
 */
export async function atFiles(
  tx: Tx,
  files: string[],
  isRead: boolean,
  shown: ReadonlySet<string>,
): Promise<Fact[]> {
  const naming = (await decisionsNaming(tx, files)).filter(
    ({ decision, pattern, nearness }) =>
      !shown.has(decision.id) &&
      (!isRead || nearness === Number.MAX_SAFE_INTEGER || /^[^*]*\/[^/*]*\*[^/*]*$/.test(pattern)),
  );
  const lines = await decisionLines(
    tx,
    naming.map(({ decision }) => decision),
  );
  return lines.filter(({ binds }) => binds);
}
