import type { Condition } from '../../store/kinds/condition.ts';
import type { Tx } from '../../store/tx.ts';

export type ExportFormat = 'jsonl' | 'cypher' | 'html' | 'madr';

/** Parts that an export leaves out, or shows. */
export interface ExportTerms {
  /** False: nobody's name and no machine's is in it (K-4). */
  authors: boolean;
  /** The chains that a filter leaves. */
  chosen: Condition;
}

/** A file of an export that is a folder. */
export interface ExportedFile {
  /** Its name in the folder; safe on every system. */
  path: string;
  /** Ends with a line feed. */
  text: string;
}

/** A format that is one stream of lines. */
type Lines = (tx: Tx, terms: ExportTerms) => AsyncIterable<string>;
/** A format that is a folder of files. No path comes twice, and none differs from another by case alone. */
type Files = (tx: Tx, terms: ExportTerms) => AsyncIterable<ExportedFile>;

/** The formats of a whole memory (I-5). The same memory gives the same bytes. */
export interface Exporter {
  /** A description in a few words. */
  what: string;
  /** Loaded when it is asked for; one of the two. */
  lines?: () => Promise<Lines>;
  files?: () => Promise<Files>;
  /** Whether a part of the memory, and a moment, can be asked for: a stream that is imported again is whole. */
  isPart?: true;
}
