import { sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import { causeIn } from '../../domain/prompt/complaint.ts';
import { findVersion } from '../../store/decisions/decision.ts';
import { eligibleRecords, searchEverything } from '../../store/search/everything.ts';
import { isIndexStale } from '../../store/stale.ts';
import type { Tx } from '../../store/tx.ts';
import { decisionLines, type Fact, observationLine } from './line.ts';

/** Answers of the search that are compared, and those that are shown at most. */
const LOOKED_AT = 16;
const MOST = 2;
/** Characters of a note that count. */
const READ = 3_000;

/** Notes and what failed: rules and other decisions have their place at the file and the prompt (RE-4). */
const CAUSES = sql`(r.kind = 'observation' or exists (select 1 from decisions as f
  where f.seq = r.seq and f.outcome = 'failed'))`;

/**
 * What is known of an error that a tool ended with (RE-4): notes, and decisions that failed, whose own text tells it.
 * @param lines those that say what went wrong
 */
export async function atError(tx: Tx, lines: string[]): Promise<Fact[]> {
  if (lines.length === 0 || (await isIndexStale(tx))) return [];
  const { found, asked } = await searchEverything(tx, lines.join('\n'), {
    limit: LOOKED_AT,
    isHurried: true,
    eligible: sql`${eligibleRecords(undefined)} and ${CAUSES}`,
  });
  const causes: { fact: () => Promise<Fact | undefined>; tells: number }[] = [];
  for (const each of found) {
    if (each.kind === 'observation') {
      const { title, content } = each.observation;
      const tells = causeIn(`${title}\n${content.slice(0, READ)}`, lines, asked.frequencies);
      causes.push({ tells, fact: async () => observationLine(each.observation, lines.join(' ')) });
    } else if (each.kind === 'decision') {
      const failed = await findVersion(tx, each.decision.rootId, each.matchedVersion.version);
      if (failed?.outcome !== 'failed') continue;
      const tells = causeIn(textOf(failed), lines, asked.frequencies, failed.outcomeReason ?? undefined);
      causes.push({
        tells,
        fact: async () => (await decisionLines(tx, [failed], { asked: lines.join(' ') }))[0],
      });
    }
  }
  const best = causes.filter(({ tells }) => tells > 0).sort((a, b) => b.tells - a.tells);
  const facts = await Promise.all(best.slice(0, MOST).map(({ fact }) => fact()));
  return facts.flatMap((fact) => fact ?? []);
}

const textOf = ({ topic, text, reasoning, outcomeReason }: Decision) =>
  [topic, text, outcomeReason, reasoning].filter(Boolean).join('\n');
