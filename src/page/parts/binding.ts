import type { Decision } from '../data/operations.ts';
import type { useCall } from '../data/session.ts';

/** The scope of what holds everywhere. */
export const EVERYWHERE = 'global';

/** The rules of a memory, and how many there are, read or not. */
export interface Binding {
  decisions: Decision[];
  total: number;
}

/** Reads axes and locks: those of everywhere first, then by area. @param limit of each strength */
export async function readBinding(call: ReturnType<typeof useCall>, limit: number): Promise<Binding> {
  const read = (of: { scope?: string }) =>
    Promise.all(
      (['axis', 'lock'] as const).map((strength) => call('decision_list', { ...of, strength, limit })),
    );
  const newest = await read({});
  // Those of everywhere may be older than what was read. A memory without any does not have the scope.
  const isCut = newest.some(({ decisions, total }) => decisions.length < total);
  const everywhere = isCut ? await read({ scope: EVERYWHERE }).catch(() => []) : [];
  const rows = [...everywhere, ...newest].flatMap(({ decisions }) => decisions);
  const place = ({ scope }: Decision) => (scope === EVERYWHERE ? '' : scope);
  return {
    // A stable sort keeps the axes of an area before its locks.
    decisions: [...new Map(rows.map((row) => [row.id, row])).values()].sort((a, b) =>
      place(a) < place(b) ? -1 : Number(place(a) > place(b)),
    ),
    total: newest.reduce((sum, { total }) => sum + total, 0),
  };
}
