import { adr } from '../../src/interchange/importers/adr/adr.ts';
import { RECORDS } from '../records.ts';
import { streamOf } from './stream.ts';

const AUTHOR = 'The Precedent contributors';
/** The first of a day, when it is that day nearly everywhere, and from one to the next; in milliseconds. */
const [NINE, PAUSE] = [9 * 3_600_000, 5 * 60_000];

/**
 * The memory of this project's own decisions, as a stream for `precedent import`: what `precedent import --from adr` reads
 * of docs/decisions/, each record on its day, some minutes after the one before.
 */
export function ownDecisions(): Promise<string[]> {
  return streamOf('precedent', async (memory, goTo) => {
    const facts = adr.read(RECORDS, {});
    const onDay = new Map<number, number>();
    const decisions = facts.decisions.map((fact) => {
      const before = onDay.get(fact.at) ?? 0;
      onDay.set(fact.at, before + 1);
      const at = fact.at + NINE + before * PAUSE;
      const { outcome, evidence = [] } = fact;
      return {
        ...fact,
        author: AUTHOR,
        at,
        evidence: evidence.map((each) => ({ ...each, at })),
        ...(outcome && { outcome: { ...outcome, at: at + PAUSE / 2 } }),
      };
    });
    goTo(Math.max(...decisions.map(({ at }) => at)) + PAUSE);
    await memory.merge({ ...facts, decisions });
  });
}
