import { keywordName } from '../../domain/keyword.ts';
import { label } from '../../domain/text/label.ts';
import { REDACTED, redact } from '../../domain/text/redaction.ts';
import type { Table } from '../tables.ts';
import { textsOf } from '../texts.ts';
import { type Finding, findingOf, shownValue } from './finding.ts';
import type { Row } from './rule.ts';

/** What programs choose, and once was kept as it came. */
const LABELS = ['sessionId', 'author', 'host', 'client', 'session'];

/** What earlier versions wrote and this one would not: no rule is broken, and an operator may want to know. */
export function unusualIn(table: Table, row: Row): Finding[] {
  return textsOf(table).flatMap(({ column }) => {
    const expected = expectedToday(table, column, row[column]);
    if (expected === undefined) return [];
    return findingOf(table, row, {
      expected: `${column} to be ${expected}, as it would be written today`,
      found: shownValue(table, column, row[column]),
    });
  });
}

function expectedToday(table: Table, column: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (LABELS.includes(column))
    return label(value) === value ? undefined : 'a short name without control characters';
  if (table === 'keywords')
    return keywordName(value) === value || value.startsWith(REDACTED)
      ? undefined
      : 'a keyword without characters that are not drawn';
  return value.includes('<') && redact(value) !== value
    ? 'a text without a private part in any spelling'
    : undefined;
}
