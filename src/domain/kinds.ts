interface Words {
  plural: string;
  /** How the log calls a new one. */
  logged: string;
  /** Set where a record is one text and no more: it has no versions, and belongs to no other record. */
  isPlain?: true;
}

/**
 * Every kind of record, and what people call it. Each is the noun whose table holds the record under the same number;
 * what the store does with it is in `store/kinds/`.
 */
export const KINDS = {
  decision: { plural: 'decisions', logged: 'decided' },
  outcome: { plural: 'outcomes', logged: 'outcome' },
  evidence: { plural: 'pieces of evidence', logged: 'evidence' },
  anchor: { plural: 'anchors', logged: 'anchored' },
  checkpoint: { plural: 'checkpoints', logged: 'checkpoint', isPlain: true },
  observation: { plural: 'observations', logged: 'noted' },
  keyword: { plural: 'keywords', logged: 'keyword' },
  memo: { plural: 'memos', logged: 'memo', isPlain: true },
  redaction: { plural: 'redactions', logged: 'redacted' },
} satisfies Record<string, Words>;

export type RecordKind = keyof typeof KINDS;
export const RECORD_KINDS = Object.keys(KINDS) as RecordKind[];

/** Records that people make. Keywords come from conversations, and are not saves. */
export type SavedKind = Exclude<RecordKind, 'keyword'>;
export const SAVED_KINDS = RECORD_KINDS.filter((kind) => kind !== 'keyword');

export type PlainKind = {
  [K in RecordKind]: (typeof KINDS)[K] extends { isPlain: true } ? K : never;
}[RecordKind];
export const PLAIN_KINDS = RECORD_KINDS.filter((kind): kind is PlainKind => 'isPlain' in KINDS[kind]);

/** The kinds that a search of everything returns. Evidence is found as its decision. */
export type FoundKind = 'decision' | 'observation' | PlainKind;
export const FOUND_KINDS: FoundKind[] = ['decision', 'observation', ...PLAIN_KINDS];

/** A kind with its article: `an anchor`. */
export function oneOfKind(kind: RecordKind): string {
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
}
