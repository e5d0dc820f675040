import { append } from '../append.ts';

/** A version of a decision as a row. */
interface Version {
  id?: unknown;
  previousVersionId?: unknown;
}

/**
 * Brings versions into an order in which each follows the one that it refers to: a merge may have put an earlier version in
 * front of others, under a later number (D-22).
 */
export class VersionsInOrder<Row extends object> {
  readonly #known = new Set<unknown>();
  readonly #waiting = new Map<unknown, Row[]>();

  /** @returns the rows that can be written now: none, while the version before this one has not come */
  next(row: Row): Row[] {
    const { previousVersionId } = row as Version;
    if (previousVersionId !== null && !this.#known.has(previousVersionId)) {
      this.#waiting.set(previousVersionId, append(this.#waiting.get(previousVersionId) ?? [], [row]));
      return [];
    }
    const rows = [row];
    // It grows by those that waited for it.
    for (const { id } of rows as Version[]) {
      this.#known.add(id);
      append(rows, this.#waiting.get(id) ?? []);
      this.#waiting.delete(id);
    }
    return rows;
  }

  /** Versions whose predecessor never came: the database refuses them. */
  rest(): Row[] {
    const rows = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    return rows;
  }
}
