import {
  type DecisionFact,
  type Facts,
  noFacts,
  type ObservationFact,
} from '../../src/domain/import/facts.ts';
import type { Memory } from '../../src/index.ts';
import { exported, linesOfRows, type Row } from './stream.ts';

/** The day on which what a test imports was saved. */
export const DAY = 86_400_000;
export const START = Date.UTC(2026, 0, 1);

export function decided(key: string, day: number, more: Partial<DecisionFact> = {}): DecisionFact {
  return {
    key,
    id: `decision_${key}`,
    at: START + day * DAY,
    topic: 'auth',
    text: `decided ${key}`,
    reasoning: null,
    confidence: 0.5,
    ...more,
  };
}

export function observed(key: string, day: number, more: Partial<ObservationFact> = {}): ObservationFact {
  return {
    key,
    at: START + day * DAY,
    title: key,
    content: `about ${key}`,
    type: 'note',
    project: null,
    scope: 'project',
    topicKey: key,
    ...more,
  };
}

/** What a source of a test holds. */
export function found(parts: Partial<Facts>): Facts {
  return { ...noFacts('test'), ...parts };
}

/** The rows of one table as an export has them. */
export async function rowsOf(memory: Memory, table: string): Promise<Row[]> {
  return linesOfRows(await exported(memory))
    .map((line) => JSON.parse(line) as Row)
    .filter((row) => row.table === table);
}

/** A whole memory but for its header: equal for equal memories. */
export async function bytesOf(memory: Memory): Promise<string> {
  return linesOfRows(await exported(memory)).join('\n');
}
