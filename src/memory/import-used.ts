import { newId } from '../domain/id.ts';
import { KINDS } from '../domain/kinds.ts';
import type { Log } from '../domain/log.ts';
import { importStream } from '../interchange/jsonl/import.ts';
import { type Brought, countBrought } from '../store/decisions/imported.ts';
import { bindingIds } from '../store/decisions/overridden.ts';
import { STORED } from '../store/kinds/kinds.ts';
import { newestRecord } from '../store/record.ts';
import { Store, UNHURRIED } from '../store/store.ts';
import type { Tx, Writer } from '../store/tx.ts';
import { remainderOf } from '../sync/blank.ts';
import { factsOf } from '../sync/facts.ts';
import { hear } from '../sync/hear.ts';
import { keep, keptIn } from '../sync/kept.ts';
import { PERSONAL } from '../sync/recorded.ts';
import { heardOf, type Synced } from '../sync/sync.ts';
import { openEngine } from './engines.ts';

/** The records that an export added to a memory that had records. */
export type MergedExport = Pick<
  Synced,
  'came' | 'decidedTwice' | 'settled' | 'overridden' | 'blanked' | 'warnings'
>;

/** Whether a memory has records, which an import would not replace. */
export const isUsed = async (tx: Tx): Promise<boolean> => (await newestRecord(tx)) > 0;

/**
 * Takes what was exported into a memory that has records, by the rules of a sync (Y-9): read into a memory of its own first,
 * as strictly as into an empty one, it says what another machine would.
 * @param memory `write` runs what changes it, or tries it out
 * @throws PrecedentError as {@link importStream} for lines that are not a whole export, or break a rule
 */
export async function importUsed(
  {
    store,
    self,
    log,
    write,
    isOthers,
  }: {
    store: Store;
    self: Writer;
    log: Log;
    write: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
    isOthers: boolean;
  },
  lines: AsyncIterable<string> | Iterable<string>,
  progress: (done: number, all: number) => void,
): Promise<{ rows: Record<string, number>; unchanged: boolean; binding: Brought; merged: MergedExport }> {
  const engine = await openEngine(':memory:', store.workspace, log, { create: true });
  const other = new Store({ engine, workspace: store.workspace, clock: Date.now, newId, log });
  try {
    const { rows } = await other.write(self, (tx) => importStream(tx, lines, progress), UNHURRIED);
    const theirs = await other.write(self, factsOf, UNHURRIED);
    const kept = await other.read(self, keptIn);
    const { heard, binding } = await write(async (tx) => {
      const before = await bindingIds(tx);
      const heard = await hear(tx, theirs, await factsOf(tx));
      await keep(tx, kept, remainderOf([theirs]));
      return { heard, binding: await countBrought(tx, before, isOthers) };
    });
    const left = PERSONAL.filter((kind) => rows[STORED[kind].table]).map(
      (kind) =>
        `${rows[STORED[kind].table]} ${KINDS[kind].plural} were not imported: they belong to one person, and only an empty memory accepts them.`,
    );
    return {
      rows,
      unchanged: !heard.bringsNew,
      binding,
      merged: {
        ...heardOf(heard),
        warnings: [...heard.warnings, ...left],
      },
    };
  } finally {
    await other.close();
  }
}
