import { RULES, SINCE } from '../../src/sync/check.ts';
import { COLUMNS_OF } from '../../src/sync/recorded.ts';

type Table = Record<string, Record<string, unknown>>;

/**
 * Runs something as a program that was written before anchors, and before decisions named files: their facts are of an unknown
 * kind to it, the field is unknown, and so is every word that a test adds to {@link SINCE}.
 */
export async function asOlder<T>(work: () => Promise<T>): Promise<T> {
  const [rules, columns] = [RULES, COLUMNS_OF] as unknown as [Table, Table];
  const since = SINCE.splice(0);
  const had = [rules, columns].map((table) => ({ anchor: table.anchor, decision: table.decision }));
  try {
    for (const table of [rules, columns]) {
      const { files: _, ...older } = table.decision as object & { files: unknown };
      table.decision = older;
      delete table.anchor;
    }
    return await work();
  } finally {
    SINCE.push(...since);
    for (const [at, table] of [rules, columns].entries()) {
      // A kind that comes back is behind the others; evidence is before what it anchors.
      Object.assign(table, had[at]);
    }
  }
}
