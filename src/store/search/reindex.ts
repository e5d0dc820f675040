import { sql } from 'kysely';
import type { Document } from '../engine.ts';
import { SEARCHED_KINDS, STORED } from '../kinds/kinds.ts';
import { writeMeta } from '../meta.ts';
import { STRETCH, stretchesOf } from '../pauses.ts';
import { countRows, longTexts } from '../rows.ts';
import { INDEX_VERSION, isIndexStale } from '../stale.ts';
import { query } from '../statements.ts';
import { giveWay } from '../turns.ts';
import type { Tx } from '../tx.ts';
import { everyDocument } from './documents.ts';

/** Characters of the documents that are put into the index together: often, it would write out what it has gathered each time. */
const TOGETHER = 4_000_000;

/** How many bytes the long texts of the record `r` have, whatever its kind. */
const BYTES = sql`coalesce(case r.kind ${sql.join(
  SEARCHED_KINDS.flatMap((kind) => {
    const { table } = STORED[kind];
    const texts = longTexts(table);
    return texts
      ? [sql`when ${sql.lit(kind)} then (select ${texts} from ${sql.table(table)} as b where b.seq = r.seq)`]
      : [];
  }),
  sql` `,
)} end, 0)`;

/** Receives how many records are done, and how many there are. */
export type Progress = (done: number, all: number) => void;

/** Rebuilds the text index when it is stale. Of several processes that find it stale at once, one does. */
export async function refreshIndex(tx: Tx, progress?: Progress): Promise<void> {
  if (await isIndexStale(tx)) await rebuildIndex(tx, progress);
}

/** Rebuilds the text index from the records. */
export async function rebuildIndex(tx: Tx, progress: Progress = () => {}): Promise<void> {
  await tx.text.clear(tx.db);
  const all = await countRows(tx, 'records');
  let waiting: Document[] = [];
  let characters = 0;
  for (let after = 0, done = 0; ; ) {
    const rows = await query<{ seq: number; bytes: number }>(tx)`
      select r.seq, ${BYTES} as bytes from records as r where r.seq > ${after}
      order by r.seq limit ${STRETCH.rows}`;
    if (rows.length === 0) break;
    for (const group of stretchesOf(rows, ({ bytes }) => bytes)) {
      const seqs = group.map(({ seq }) => seq);
      for (const document of await everyDocument(tx, seqs)) {
        waiting.push(document);
        characters += document.title.length + document.body.length;
      }
      if (characters >= TOGETHER) {
        await tx.text.put(tx.db, waiting);
        [waiting, characters] = [[], 0];
      }
      after = seqs.at(-1) as number;
      done += seqs.length;
      progress(done, all);
      // An embedded database never waits: signals and timers get their turn here.
      await giveWay();
    }
  }
  await tx.text.put(tx.db, waiting);
  await writeMeta(tx, 'analysis', INDEX_VERSION);
}
