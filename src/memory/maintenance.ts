import { conflict, PrecedentError } from '../domain/error.ts';
import type { Facts, Merged } from '../domain/import/facts.ts';
import type { Log } from '../domain/log.ts';
import type { Chunks } from '../domain/text/lines.ts';
import type { ImportOptions } from '../interchange/jsonl/import.ts';
import { pick } from '../operations/brief.ts';
import { type Brought, countBrought, importMarks } from '../store/decisions/imported.ts';
import { bindingIds } from '../store/decisions/overridden.ts';
import type { Health } from '../store/maintenance/health.ts';
import { addFirstCommits, readFirstCommits } from '../store/meta.ts';
import { type Store, UNHURRIED } from '../store/store.ts';
import type { Tx, Writer } from '../store/tx.ts';
import type { Taken } from '../sync/place.ts';
import type { Synced, Syncing } from '../sync/sync.ts';
import { type Exporting, exportingOf } from './exporting.ts';
import type { MergedExport } from './import-used.ts';
import { incomplete } from './incomplete.ts';
import type { Keeping } from './receive.ts';
import { theirLines, theirs } from './theirs.ts';

/** Receives how much of a long job is done, and how much there is. */
export type Progress = (done: number, all: number) => void;

/** The result of a redaction. */
export interface Redacted {
  kind: string;
  id: string;
  /** How many texts were changed, including revisions and outcomes. */
  texts: number;
  /** Other records that hold the same text, at most twenty; `id` is what `redact` takes. */
  remaining: { what: string; id: string }[];
  warnings: string[];
}

/** Work of a person on a memory as a whole; published as a part of `Memory`. */
export interface Maintenance extends Exporting {
  /** Where the memory is, how large, and whether it is sound. Reads everything once; tries to write one row if it may. */
  inspect(): Promise<Health>;
  /**
   * Rebuilds everything derived from the records: the text index, which version is active and what it supersedes, the
   * outcome that is shown, hashes and counts, the connections of keywords. It never changes texts; `broken` of
   * {@link inspect} then names what it could not repair.
   * @returns `scrubbed`: false when deleted text is still on the disk, because another process has the memory open
   */
  repair(): Promise<{ scrubbed: boolean }>;
  /**
   * Blanks the texts of one record and its revisions, also in every index, and removes them from the disk; for an
   * operator. The log keeps that this was done. Copies made before keep the texts.
   * @param id of a record, or the number of an observation; `author:` and a name for whoever wrote
   * @param text blanks only this; without it, every text of the record
   * @throws PrecedentError `not_found` when there is no such record, or it does not hold the text
   */
  redact(id: string, text?: string): Promise<Redacted>;
  /** The dry run of {@link redact}; nothing is changed. @throws PrecedentError as {@link redact} does */
  wouldRedact(
    id: string,
    text?: string,
  ): Promise<Pick<Redacted, 'kind' | 'id' | 'texts' | 'remaining'> & { blanked: string[] }>;
  /**
   * Reads what was exported as `jsonl`, all of it or nothing. Reading the same export again changes nothing.
   * @param progress receives how many rows were read, and how many there are
   * @param options `replace`: the rows replace what the memory holds; without it the memory must be empty. `asItIs`: rows that
   * break a rule are imported too. `merge`: the memory keeps its records and takes the others in, as a sync would (Y-9).
   * `dryRun`: only says what it would do. `isOthers`: its axes and locks are marked as imported until a person has reviewed
   * them (Z-14)
   * @returns also how many axes and locks came
   * @throws PrecedentError `invalid` when the lines are not a whole export, or a row breaks a rule; `conflict` when the memory
   * is not empty
   */
  import(
    lines: AsyncIterable<string> | Iterable<string>,
    progress?: Progress,
    options?: ImportOptions & { merge?: boolean; dryRun?: boolean; isOthers?: boolean },
  ): Promise<{ rows: Record<string, number>; unchanged: boolean; binding: Brought; merged?: MergedExport }>;
  /**
   * Imports the records of another tool (I-1), all or nothing; the memory need not be empty. The same import again changes
   * nothing; a record that changed there since gets one revision, outcome or version (I-2).
   * @param facts what a reader found in the other tool
   * @param options `dryRun`: only says what it would do
   */
  merge(facts: Facts, progress?: Progress, options?: { dryRun?: boolean } & Keeping): Promise<Merged>;
  /**
   * Syncs with other machines: takes in what they wrote in a folder, and writes there what they lack (Y-1, Y-5). Reports
   * what two machines decided differently until it is settled.
   * @param folder a folder; `git:` and the address of a repository, for a branch there; or the address of a memory on a
   *   server. Default: the last one; null forgets it @returns undefined if there is none
   */
  sync(folder?: string | null, options?: Syncing): Promise<Synced | undefined>;
  /** The place that the memory is synced with, and when it last was; undefined if it is not. */
  syncedWith(): Promise<{ folder: string; at: string } | undefined>;
  /**
   * The facts that a server sends to a machine that syncs with it: see `sync/served.ts`.
   * @param after the mark of the answer before
   */
  sendFacts(after?: string): Promise<string>;
  /** Takes in the facts that such a machine sends, one a line. */
  takeFacts(sent: Chunks): Promise<Taken>;
  /**
   * Undoes all that came from one source, for good (I-3).
   * @param dryRun only says what it would do
   * @returns how many records and relations are gone, the records also by kind
   * @throws PrecedentError `not_found` if nothing came from it; `conflict` while a record made here depends on it
   */
  unmerge(
    source: string,
    options?: { dryRun?: boolean },
  ): Promise<{ source: string; records: number; kinds: Record<string, number>; relations: number }>;
  /**
   * The first commits of this memory's repository: only a clone that has one of them uses this memory (Z-2).
   * @param add commits to be kept as well, as 40 or 64 hexadecimal digits
   * @returns all that are kept, sorted
   */
  firstCommits(add?: string[]): Promise<string[]>;
  /**
   * Which axes and locks an import brought, by id, and whether a person has reviewed them (Z-14).
   * @param add those of a memory that was copied into this one
   */
  importMarks(add?: [id: string, mark: string][]): Promise<[id: string, mark: string][]>;
}

const STILL_ON_DISK =
  'The text is gone from every answer, but its bytes are still on the disk. If another process has the memory open, close it and run "precedent doctor --repair". On a server, they are in its statistics, which only the owner of the database may clear with "precedent doctor --repair", or in the free space of shared tables, until something is written over it.';

/**
 * Work of a person on a memory as a whole; each part is loaded when it is called.
 * @param self who does it, kept with what is written
 */
export function maintenanceOf(store: Store, self: Writer, log: Log): Maintenance {
  const scrub = () =>
    store.scrub().catch((error: unknown) => {
      log(`not scrubbed: ${error instanceof Error ? error.message : error}`, 'warning');
      return false;
    });
  /** Does the work and rolls it back, so that a dry run reports what a real one would do. */
  const tryOut = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const undone = conflict.not_confirmed('Only what would happen was asked for.');
    let found: { is: T } | undefined;
    const attempt = async (tx: Tx) => {
      found = { is: await work(tx) };
      throw undone;
    };
    await store.write(self, attempt, UNHURRIED).catch((error: unknown) => {
      if (error !== undone) throw error;
    });
    return (found as { is: T }).is;
  };
  const writing =
    (dryRun = false) =>
    <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      dryRun ? tryOut(work) : store.write(self, work, UNHURRIED);
  const read = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => store.read(self, work, UNHURRIED);
  /** Redacted text leaves the disk as well. */
  const scrubbed = async ({ blanked, warnings }: Pick<MergedExport, 'blanked' | 'warnings'>) => {
    if (blanked.length > 0 && !(await scrub())) warnings.push(STILL_ON_DISK);
  };
  /** Says how many records what came leaves outdated, or what came itself is (CC-1). */
  const counted = async ({ warnings }: Pick<Merged, 'warnings'>) => {
    const { copiesWaiting } = await import('../store/search/copies.ts');
    const waiting = await read(copiesWaiting);
    if (waiting > 0)
      warnings.push(
        `${waiting} ${waiting === 1 ? 'record' : 'records'} may still say what was replaced: review lists ${waiting === 1 ? 'it' : 'them'}.`,
      );
  };
  return {
    async inspect() {
      const { inspectMemory, writeAndRead } = await import('../store/maintenance/health.ts');
      let { readOnly } = store;
      let written: string[] = [];
      if (readOnly === undefined)
        try {
          written = await store.write(self, writeAndRead);
        } catch (error) {
          // A memory on a full disk can still be inspected (Z-7).
          if (!(error instanceof PrecedentError) || error.reason !== 'full') throw error;
          readOnly = error.message;
        }
      // A large memory takes long to inspect; it takes no lock, so others can write meanwhile.
      const { lastSync } = await import('../sync/sync.ts');
      const inspect = async (tx: Tx) => {
        const [health, synced] = [await inspectMemory(tx, store), await lastSync(tx)];
        return { ...health, ...(synced && { synced }) };
      };
      const health = await read(inspect);
      return {
        ...health,
        ...(readOnly !== undefined && { readOnly }),
        problems: [...written, ...health.problems],
      };
    },

    async repair() {
      const { repairDerived } = await import('../store/maintenance/repair.ts');
      await store.write(self, repairDerived, UNHURRIED);
      return { scrubbed: await scrub() };
    },

    async redact(id, text) {
      const { redactRecord } = await import('../store/maintenance/redact.ts');
      const { findRemaining } = await import('../store/maintenance/redact-remaining.ts');
      const redaction = await store.write(self, (tx) =>
        redactRecord(tx, id, text === undefined ? text : [text]),
      );
      // The redaction is committed, even if what follows fails.
      const isScrubbed = await scrub();
      const warnings = isScrubbed ? [] : [STILL_ON_DISK];
      const remaining = await read((tx) => findRemaining(tx, redaction)).catch((error: Error) => {
        warnings.push(`Other records were not checked for the same text: ${error.message}`);
        return [];
      });
      return { ...pick(redaction, 'kind', 'id', 'texts'), remaining, warnings };
    },

    async wouldRedact(id, text) {
      const { redactRecord } = await import('../store/maintenance/redact.ts');
      const { findRemaining } = await import('../store/maintenance/redact-remaining.ts');
      return tryOut(async (tx) => {
        const tried = await redactRecord(tx, id, text === undefined ? text : [text]);
        return {
          ...pick(tried, 'kind', 'id', 'texts', 'blanked'),
          remaining: await findRemaining(tx, tried),
        };
      });
    },

    ...exportingOf(store, self),

    async import(
      given,
      told = () => {},
      { merge = false, dryRun = false, isOthers = false, ...options } = {},
    ) {
      const [lines, progress, write] = [theirLines(given), theirs(told), writing(dryRun)];
      if (merge) {
        const { importUsed, isUsed } = await import('./import-used.ts');
        if (await store.read(self, isUsed)) {
          const imported = await importUsed({ store, self, log, write, isOthers }, lines, progress);
          if (!dryRun) await scrubbed(imported.merged);
          if (!dryRun && !imported.unchanged) await counted(imported.merged);
          return imported;
        }
      }
      const { importStream } = await import('../interchange/jsonl/import.ts');
      let begun = false;
      const take = (tx: Tx) => {
        // The lines were read once and cannot be read again, so the import cannot be repeated either.
        if (begun) throw incomplete('import');
        begun = true;
        return importStream(tx, lines, progress, options);
      };
      return write(async (tx) => {
        const before = await bindingIds(tx);
        const taken = await take(tx);
        return { ...taken, binding: await countBrought(tx, before, isOthers) };
      });
    },

    async merge(facts, progress = () => {}, { dryRun = false, ...how } = {}) {
      const { cleanFacts } = await import('../domain/import/clean.ts');
      const { merge } = await import('../store/merge/merge.ts');
      const merged = await merge({ read, write: writing(dryRun) }, cleanFacts(facts, how), theirs(progress));
      const isNew = [merged.decisions, merged.observations].some((each) => each.new + each.changed > 0);
      if (isNew && !dryRun) await counted(merged);
      return merged;
    },

    async sync(named, how = {}) {
      const { sync } = await import('../sync/sync.ts');
      const synced = await sync({ read, write: writing(how.dryRun) }, named, how);
      if (synced && !how.dryRun) await scrubbed(synced);
      if (synced && !how.dryRun && synced.came.length > 0) await counted(synced);
      return synced;
    },

    async syncedWith() {
      const { lastSync } = await import('../sync/sync.ts');
      return store.read(self, lastSync);
    },

    async sendFacts(after) {
      const { sendFacts } = await import('../sync/served.ts');
      return store.write(self, (tx) => sendFacts(tx, after), UNHURRIED);
    },

    async takeFacts(sent) {
      const { saidIn, takeFacts } = await import('../sync/served.ts');
      const said = await saidIn(sent);
      const { heard, ...taken } = await store.write(self, (tx) => takeFacts(tx, said), UNHURRIED);
      await scrubbed({ blanked: heard.blanked.records, warnings: taken.warnings });
      return taken;
    },

    async unmerge(source, { dryRun } = {}) {
      const { undoMerge } = await import('../store/merge/undo.ts');
      return writing(dryRun)((tx) => undoMerge(tx, source));
    },

    async importMarks(add) {
      return add?.length ? store.write(self, (tx) => importMarks(tx, add)) : read((tx) => importMarks(tx));
    },

    async firstCommits(add = []) {
      const kept = await store.read(self, readFirstCommits);
      const missing = add.filter((id) => !kept.includes(id));
      if (missing.length === 0) return kept;
      await store.write(self, (tx) => addFirstCommits(tx, missing));
      return [...kept, ...missing].sort();
    },
  };
}
