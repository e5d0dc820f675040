import { PrecedentError } from '../domain/error.ts';
import { cypherOf } from '../interchange/cypher/export.ts';
import { streamOf } from '../interchange/jsonl/export.ts';
import { takeIn } from '../interchange/jsonl/import.ts';
import { type Health, inspectMemory, writeAndRead } from '../store/maintenance/health.ts';
import { type Redaction, redactRecord } from '../store/maintenance/redact.ts';
import { findRemaining, type Standing } from '../store/maintenance/redact-remaining.ts';
import { repairDerived } from '../store/maintenance/repair.ts';
import type { Store } from '../store/store.ts';
import type { Author } from '../store/tx.ts';

/** What a whole memory can be written out as. */
export const EXPORT_FORMATS = ['jsonl', 'cypher'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Told how far a long work is. */
type Progress = (done: number, all: number) => void;

/** What is done with a memory as a whole, by a person rather than by an agent. */
export interface Whole {
  /** Where the memory is, how large, and whether it is sound (reads everything once, writes one row). */
  inspect(): Promise<Health>;
  /**
   * Makes everything anew that follows from something else: the text index, which version is active, the outcome that
   * is shown, the connections of keywords. Texts are never touched.
   * @returns `scrubbed`: false while somebody else reads, so that what was deleted is still on the disk
   */
  repair(): Promise<{ scrubbed: boolean }>;
  /**
   * Blanks the texts of one record with its revisions, in every index too, and takes them off the disk; that it was done
   * stays on record. Copies that were made before keep them.
   * @param id of a decision, evidence, anchor, checkpoint or memo, or the number of an observation
   * @param text only this is blanked; without it every text of the record
   * @throws PrecedentError `not_found` when there is no such record, or it does not hold the text
   */
  redact(id: string, text?: string): Promise<Redacted>;
  /**
   * Writes the whole memory out, in one snapshot, while other processes go on writing (M-10). Calls of this memory
   * wait until it is done, so `write` must not make one.
   * @param format `jsonl`, which {@link import} takes in, or `cypher`
   * @param write receives a line at a time; the next waits until it is done
   */
  export(format: ExportFormat, write: (line: string) => unknown): Promise<void>;
  /**
   * Takes in what was exported as `jsonl`, all of it or nothing. The same again changes nothing.
   * @param progress receives how many rows were taken in, and how many there are
   * @param options `replace`: what the memory holds makes room for it; without it the memory must be empty
   * @throws PrecedentError `invalid` when the stream is none or not whole, `conflict` when the memory is not empty
   */
  import(
    lines: AsyncIterable<string> | Iterable<string>,
    progress?: Progress,
    options?: { replace?: boolean },
  ): Promise<{ rows: Record<string, number>; unchanged: boolean }>;
}

const STILL_ON_DISK =
  'The text is gone from every answer, but its bytes are still in the file or its log, since something else reads there. Close other processes and run "precedent doctor --repair".';

/** What a redaction did. */
interface Redacted extends Omit<Redaction, 'blanked' | 'whole'> {
  /** Where the same text still stands; at most twenty places. */
  remaining: Standing[];
  warnings: string[];
}

/** @param self who does it, kept with what is written */
export function wholeOf(store: Store, self: Author, log: (message: string) => void): Whole {
  const scrub = () =>
    store.scrub().catch((error: unknown) => {
      log(`not scrubbed: ${error instanceof Error ? error.message : error}`);
      return false;
    });
  return {
    async inspect() {
      const written = await store.write(self, writeAndRead);
      // Looking takes long in a large memory, and no lock: others go on writing.
      const health = await store.read(self, (tx) => inspectMemory(tx, store));
      return { ...health, problems: [...written, ...health.problems] };
    },

    async repair() {
      await store.write(self, repairDerived);
      return { scrubbed: await scrub() };
    },

    async redact(id, text) {
      const redaction = await store.write(self, (tx) => redactRecord(tx, id, text));
      // It is done now, whatever becomes of what follows.
      const isScrubbed = await scrub();
      const warnings = isScrubbed ? [] : [STILL_ON_DISK];
      const remaining = await store
        .read(self, (tx) => findRemaining(tx, redaction))
        .catch((error: Error) => {
          warnings.push(`It was not looked for elsewhere: ${error.message}`);
          return [];
        });
      const { kind, id: record, texts } = redaction;
      return { kind, id: record, texts, remaining, warnings };
    },

    async export(format, write) {
      if (!EXPORT_FORMATS.includes(format)) {
        throw new PrecedentError(
          'invalid',
          `Expected a format out of ${EXPORT_FORMATS.join(', ')}, found "${format}".`,
        );
      }
      let failure: { of: unknown } | undefined;
      let begun = false;
      await store
        .read(self, async (tx) => {
          // What was written cannot be taken back, so that it cannot be begun anew either.
          if (begun) throw incomplete('export');
          begun = true;
          for await (const statement of format === 'jsonl' ? streamOf(tx) : cypherOf(tx)) {
            try {
              await write(statement);
            } catch (error) {
              failure = { of: error };
              throw error;
            }
          }
        })
        // What the caller's own function threw is the caller's.
        .catch((error: unknown) => {
          throw failure ? failure.of : error;
        });
    },

    import(lines, progress = () => {}, { replace = false } = {}) {
      let begun = false;
      return store.write(self, (tx) => {
        // What was read is not there a second time.
        if (begun) throw incomplete('import');
        begun = true;
        return takeIn(tx, lines, progress, replace);
      });
    },
  };
}

function incomplete(what: 'export' | 'import'): PrecedentError {
  const state = what === 'export' ? 'what was written is not whole' : 'nothing was imported';
  return new PrecedentError(
    'unavailable',
    `The database was lost, or somebody else held it, in the middle of the ${what}: ${state}. Begin it again.`,
  );
}
