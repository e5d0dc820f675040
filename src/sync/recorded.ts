import { FIELD_NAMES } from '../domain/decision.ts';
import { RECORD_KINDS, type RecordKind } from '../domain/kinds.ts';
import { KINDS_WITH_ID, STORED } from '../store/kinds/kinds.ts';

/** Records of one person, which stay on their machine (Y-5). */
export const PERSONAL = ['memo', 'checkpoint', 'keyword'] as const satisfies RecordKind[];

/**
 * Every other kind of record is sent to other machines, as a fact of its kind; a redaction arrives as the redacted texts (Y-7).
 * The compiler asks for the fact of a new kind.
 */
export type Recorded = Exclude<RecordKind, (typeof PERSONAL)[number] | 'redaction'>;
const STAYING: readonly RecordKind[] = [...PERSONAL, 'redaction'];
export const RECORDED = RECORD_KINDS.filter((kind): kind is Recorded => !STAYING.includes(kind));

/** The table that has the ids of a kind, which every machine knows. */
export const tableOf = (kind: Recorded) => (KINDS_WITH_ID.includes(kind) ? STORED[kind].table : 'records');
export const TABLES_WITH_ID = RECORDED.map(tableOf).filter((table) => table !== 'records');

export const same = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));
/** The facts of records that are one row and no more: the column of each field. */
export const COLUMNS_OF = {
  decision: { ...same([...FIELD_NAMES, 'topic', 'basedOn', 'tidies', 'withdrawn']), at: 'createdAt' },
  outcome: { at: 'createdAt', decision: 'decisionId', outcome: 'outcome', reason: 'reason' },
  evidence: { at: 'timestamp', timestamp: 'timestamp', decision: 'decisionRef', content: 'content' },
  anchor: { at: 'createdAt', hint: 'hint', type: 'type', decision: 'decisionRef', evidence: 'evidenceRef' },
} satisfies Partial<Record<Recorded, Record<string, string>>>;
