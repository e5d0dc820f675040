import { type Decision, STRENGTHS } from '../../domain/decision.ts';
import { patternsIn } from '../../domain/place.ts';
import type { Naming } from '../../domain/place-match.ts';
import type { Tx } from '../tx.ts';
import { toDecision } from './decision.ts';

/** A decision that names a file, and how. */
export interface NamingDecision extends Naming {
  decision: Decision;
  file: string;
}

const placed = async (tx: Tx): Promise<Decision[]> =>
  (
    await tx.db
      .selectFrom('decisions')
      .selectAll()
      .where('isActive', '=', 1)
      .where('files', 'is not', null)
      .orderBy('createdAt', 'desc')
      .orderBy('seq', 'desc')
      .execute()
  ).map(toDecision);

/** All active decisions that name files, the newest first, with the patterns of each as one. */
export async function decisionsWithFiles(
  tx: Tx,
): Promise<Pick<NamingDecision, 'decision' | 'file' | 'pattern'>[]> {
  return (await placed(tx)).map((decision) => {
    const pattern = patternsIn(decision.files).join(', ');
    return { decision, file: pattern, pattern };
  });
}

/**
 * The active decisions that name one of these files or folders, the nearest first; of several as near those that bind, then
 * the newest (F-2).
 * @param files from the top folder of the repository on, with `/`; a folder ends with `/`
 */
export async function decisionsNaming(tx: Tx, files: string[]): Promise<NamingDecision[]> {
  // Loaded on use: few questions name files.
  const { nearest } = await import('../../domain/place-match.ts');
  const rank = ({ strength }: Decision) => STRENGTHS.indexOf(strength);
  return (await placed(tx))
    .flatMap((decision) => {
      const patterns = patternsIn(decision.files);
      const found = files.flatMap((file) => {
        const naming = nearest(patterns, file);
        return naming ? [{ decision, file, ...naming }] : [];
      });
      return found.sort((a, b) => b.nearness - a.nearness)[0] ?? [];
    })
    .sort(
      (a, b) =>
        b.nearness - a.nearness ||
        rank(a.decision) - rank(b.decision) ||
        b.decision.createdAt - a.decision.createdAt,
    );
}
