/** The part of some groups on a page, and where the next page begins: undefined where nothing is left. */
export interface Page<Row> {
  rows: Row[];
  /** How many groups were shown whole, and how many rows of the one after them. */
  next: { groups: number; rows: number } | undefined;
}

/**
 * The page that begins with these groups (W-6). A page ends before a group that does not fit, so that none is torn; only
 * a group that no page of this size can hold goes on on the next.
 * @param groups those not shown yet, one more than the page can hold, each of one row or more
 * @param skip rows of the first group that were shown already
 * @param limit rows of the page at most
 * @param tears fills the page with a part of the group that does not fit: its rows stand for themselves
 */
export function pageOf<Row>(groups: Row[][], skip: number, limit: number, tears: boolean): Page<Row> {
  const rows: Row[] = [];
  for (const [index, group] of groups.entries()) {
    const shown = index === 0 ? skip : 0;
    const rest = group.slice(shown);
    const room = limit - rows.length;
    if (rest.length > room) {
      const part = tears || rows.length === 0 ? rest.slice(0, room) : [];
      return { rows: [...rows, ...part], next: { groups: index, rows: shown + part.length } };
    }
    rows.push(...rest);
  }
  return { rows, next: undefined };
}
