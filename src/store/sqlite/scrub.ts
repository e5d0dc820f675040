import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../engine.ts';

/** Milliseconds to wait for other readers of the log to end. */
const WAITING = 3_000;

/** Free pages, the text index's own leftovers and the log all hold what was there before. */
export async function scrub(database: DatabaseSync, db: Db): Promise<boolean> {
  // Through the one connection that writes take turns on.
  return db.connection().execute(async () => {
    database.exec("insert into search_text (search_text) values ('optimize')");
    // It makes a second memory on the way: that of a large one belongs on a disk.
    database.exec('pragma temp_store = file; vacuum; pragma temp_store = memory');
    // A reader in another process keeps the log as it is.
    const deadline = performance.now() + WAITING;
    for (;;) {
      if (database.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0) return true;
      if (performance.now() > deadline) return false;
      await sleep(100);
    }
  });
}
