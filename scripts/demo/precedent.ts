import type { Memory } from '../../src/index.ts';
import { type DecisionRecord, readRecords } from '../records.ts';
import { streamOf } from './stream.ts';

const WRITER = { author: 'The Precedent contributors', client: 'cli' };
/** The first of a day, when it is that day nearly everywhere, and from one to the next; in milliseconds. */
const [NINE, PAUSE] = [9 * 3_600_000, 5 * 60_000];

/**
 * The memory of this project's own decisions, as a stream for `precedent import`: each record of docs/decisions/ on its
 * day, some minutes after the one before.
 */
export function ownDecisions(): Promise<string[]> {
  return streamOf('precedent', async (memory, goTo) => {
    const topics = new Map<string, string>();
    const onDay = new Map<string, number>();
    for (const record of readRecords()) {
      const { date = '' } = record;
      const before = onDay.get(date) ?? 0;
      onDay.set(date, before + 1);
      const time = Date.parse(date) + NINE + before * PAUSE;
      goTo(time);
      const id = await save(memory, record, topics);
      topics.set(record.number, record.topic);
      if (record.outcome === undefined) continue;
      goTo(time + PAUSE / 2);
      await markFailed(memory, id, record.outcome);
    }
  });
}

async function save(
  memory: Memory,
  { topic, decision, reasoning, buildsOn, strength, scope, evidence }: DecisionRecord,
  topics: ReadonlyMap<string, string>,
): Promise<string> {
  const links =
    buildsOn.length > 0 ? `\nbuilds_on: ${buildsOn.map((number) => topics.get(number)).join(', ')}` : '';
  const fields = { topic, decision, reasoning: reasoning + links, strength, scope };
  const input = evidence === undefined ? fields : { ...fields, evidence: [evidence] };
  return String((await memory.call('mama_save', input, WRITER)).id);
}

async function markFailed(memory: Memory, id: string, outcome: string): Promise<void> {
  const reason = outcome.replace(/^failed:\s*/, '');
  await memory.call('mama_update', { id, outcome: 'failed', reason }, WRITER);
}
