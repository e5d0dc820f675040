/** Where something came from (I-2): one row of another tool that became something here, or could not yet. */
export interface Origin {
  /** Which importer brought it: `mama`. */
  source: string;
  /** UUIDv5 of the name that the row has there, so that redaction misses no name here. */
  key: string;
  /** The record that it became; null for a relation, and for a link whose other end is missing. */
  recordSeq: number | null;
  relationId: number | null;
  /** SHA-256 of the row as it was there: another one means that it changed there. */
  hash: string;
  /** SHA-256 of what became of it here: when the record is another, it changed here. */
  written: string;
  /** All of the row that has no place in the record, as JSON. */
  rest: string | null;
}
