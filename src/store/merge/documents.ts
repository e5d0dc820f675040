import { decisionDocument } from '../decisions/decision-document.ts';
import { analysed } from '../document.ts';
import type { Document } from '../engine.ts';
import { STORED } from '../kinds/kinds.ts';
import { Pauses } from '../pauses.ts';
import type { NewRows } from './rows.ts';

/** What is searched of the new rows, analysed: that takes longer than to write them. */
export async function documentsOf(rows: NewRows): Promise<Document[]> {
  const reasons = Map.groupBy(rows.of('outcomes'), ({ decisionId }) => decisionId);
  const reasonsFor = (id: string) => (reasons.get(id) ?? []).flatMap(({ reason }) => reason ?? []);
  const found = [
    ...rows.of('decisions').map((row) => () => decisionDocument(row as never, reasonsFor(row.id))),
    ...Object.values(STORED).flatMap(({ table, document }) =>
      document
        ? rows
            .of(table)
            .filter(isFindable)
            .map((row) => () => document(row as never))
        : [],
    ),
  ];
  const documents: Document[] = [];
  const pauses = new Pauses();
  for (const make of found) {
    await pauses.before(1, 0);
    documents.push(await analysed(make(), pauses));
  }
  return documents.sort((a, b) => a.seq - b.seq);
}

/** No search finds what was deleted. */
function isFindable(row: object): boolean {
  return !('deletedAt' in row && row.deletedAt !== null);
}
