import { invalid } from '../domain/error.ts';
import { bothFilters } from '../domain/filter/filter.ts';
import { parseFilter } from '../domain/filter/parse.ts';
import type { ExportedFile, ExportFormat, ExportTerms } from '../interchange/exporters/exporter.ts';
import { EXPORTERS } from '../interchange/exporters/exporters.ts';
import { momentAsked } from '../operations/moment-asked.ts';
import { chosenBy } from '../store/export/chosen.ts';
import { asOf, IndexNeeded } from '../store/past/as-of.ts';
import { type Store, UNHURRIED } from '../store/store.ts';
import type { Tx, Writer } from '../store/tx.ts';
import { incomplete } from './incomplete.ts';
import { theirError } from './theirs.ts';

/** Parts that an export leaves out or shows. All but `authors` are for the formats that are not imported again. */
interface Wanted {
  /** False: nobody's name and no machine's is in it. Default: true. */
  authors?: boolean;
  /** Only decisions of this scope. */
  scope?: string | undefined;
  /** The filter, as `list` has it: `topic:auth since:2w`. Of a decision all versions come, or none. */
  filter?: string | undefined;
  /** As it was then: `2026-10-01`, `2w`. */
  at?: string | undefined;
}

/** How a whole memory is written out; published as a part of `Memory`. */
export interface Exporting {
  /**
   * Writes the memory out as one stream, in one snapshot, while other processes go on writing (M-10, I-5). Calls of this
   * memory wait until it is done; one that `write` makes is refused.
   * @param format `jsonl`, which {@link Maintenance.import} reads, `cypher` or `html`
   * @param write receives a line at a time; the next waits until it is done
   * @param terms `authors: false` leaves out who wrote what, and on which machine: names are personal data (K-4)
   * @throws PrecedentError `invalid` for a format that is a folder, or a term that it does not know
   */
  export(format: ExportFormat, write: (line: string) => unknown, terms?: Wanted): Promise<void>;
  /**
   * {@link export} for a format that is a folder: `madr` (I-5).
   * @param write receives a file at a time, with its path in the folder
   * @throws PrecedentError `invalid` for a format that is a stream, or a term that it does not know
   */
  exportFiles(format: ExportFormat, write: (file: ExportedFile) => unknown, terms?: Wanted): Promise<void>;
}

/** @param self who asks */
export function exportingOf(store: Store, self: Writer): Exporting {
  const send = async <Piece>(
    pieces: (tx: Tx, terms: ExportTerms) => AsyncIterable<Piece>,
    write: (piece: Piece) => unknown,
    terms: Wanted,
  ) => {
    let begun = false;
    const work = async (tx: Tx) => {
      // Written text cannot be taken back, so the export cannot be repeated either.
      if (begun) throw incomplete('export');
      const then = await asked(tx, terms);
      begun = true;
      for await (const piece of pieces(then.tx, then.terms)) {
        try {
          await write(piece);
        } catch (error) {
          throw theirError(error);
        }
      }
    };
    await store.read(self, work, UNHURRIED);
  };
  return {
    async export(format, write, terms = {}) {
      const { lines } = exporterOf(format, terms);
      if (!lines)
        throw invalid.not_one_of(
          `Expected a format that is one file, found "${format}", which is a folder. Use exportFiles.`,
        );
      await send(await lines(), write, terms);
    },

    async exportFiles(format, write, terms = {}) {
      const { files } = exporterOf(format, terms);
      if (!files)
        throw invalid.not_one_of(
          `Expected a format that is a folder, found "${format}", which is one file. Use export.`,
        );
      await send(await files(), write, terms);
    },
  };
}

/** @throws PrecedentError `invalid` for an unknown format, and for a term that it has no use for */
function exporterOf(format: ExportFormat, { scope, filter, at }: Wanted) {
  if (!Object.hasOwn(EXPORTERS, format)) {
    const names = Object.keys(EXPORTERS).join(', ');
    throw invalid.not_one_of(`Expected one of these formats: ${names}; found "${format}".`);
  }
  const exporter = EXPORTERS[format];
  const isPart = [scope, filter, at].some((each) => each !== undefined);
  if (isPart && !exporter.isPart)
    throw invalid.not_applicable(
      `Expected ${format} without a scope, a filter or a moment: it is the whole memory as it is now.`,
    );
  return exporter;
}

/** The memory at the moment that is meant, and what of it is wanted. */
async function asked(tx: Tx, { authors = true, scope, filter, at }: Wanted) {
  const moment = momentAsked({ asOf: at }, () => tx.now);
  const then = moment === undefined ? tx : await asOf(tx, moment);
  const wanted = bothFilters(filter === undefined ? {} : parseFilter(filter, tx.now), { scope });
  try {
    return { tx: then, terms: { authors, chosen: await chosenBy(then, wanted) } };
  } catch (error) {
    if (!(error instanceof IndexNeeded)) throw error;
    throw invalid.wrong_filter('Expected a filter without words for an export of the past, found some.');
  }
}

/** The formats, those of folders, and what each is, for help. */
export const EXPORT_FORMATS = Object.keys(EXPORTERS) as readonly ExportFormat[];
export const isFolder = (format: ExportFormat): boolean => EXPORTERS[format].files !== undefined;
export const WHAT_FORMATS_ARE = EXPORT_FORMATS.map((format) => `${format}: ${EXPORTERS[format].what}`);
