import { checkpointDocument } from '../decisions/checkpoint.ts';
import { decisionDocument } from '../decisions/decision-document.ts';
import { evidenceDocument } from '../decisions/evidence.ts';
import { analysed } from '../document.ts';
import type { Document } from '../engine.ts';
import { textsIn } from '../json-list.ts';
import { observationDocument } from '../observations/observation.ts';
import { Pauses } from '../pauses.ts';
import type { NewRows } from './rows.ts';

/** What is searched of the new rows, analysed: that takes longer than to write them. */
export async function documentsOf(rows: NewRows): Promise<Document[]> {
  const reasons = Map.groupBy(rows.of('outcomes'), ({ decisionId }) => decisionId);
  const reasonsFor = (id: string) => (reasons.get(id) ?? []).flatMap(({ reason }) => reason ?? []);
  const found = [
    ...rows.of('decisions').map((row) => () => decisionDocument(row as never, reasonsFor(row.id))),
    ...rows
      .of('observations')
      .filter(({ deletedAt }) => deletedAt === null)
      .map((row) => () => observationDocument(row as never)),
    ...rows.of('evidence').map((row) => () => evidenceDocument(row)),
    ...rows
      .of('checkpoints')
      .map((row) => () => checkpointDocument({ ...row, openFiles: textsIn(row.openFiles) } as never)),
  ];
  const documents: Document[] = [];
  const pauses = new Pauses();
  for (const make of found) {
    await pauses.before(1, 0);
    documents.push(await analysed(make(), pauses));
  }
  return documents.sort((a, b) => a.seq - b.seq);
}
