import { clientsSince } from '../../store/record.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * Whether an agent saved anything here since a record (A-2). This machine is taken for its user: only git knows
 * the author (K-4), and it takes longer to answer than a hook may.
 * @param names how the names begin that its servers' clients give themselves, in small letters
 */
export async function hasSaved(tx: Tx, since: number, names: readonly string[]): Promise<boolean> {
  const clients = await clientsSince(tx, since, tx.writer.host);
  return clients.some((client) => names.some((name) => client.toLowerCase().startsWith(name)));
}
