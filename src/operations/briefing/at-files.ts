import type { Decision } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import { activeCalled, decisionsNaming } from '../../store/decisions/naming.ts';
import { unreviewedAmong } from '../../store/decisions/rules.ts';
import type { Tx } from '../../store/tx.ts';
import { decisionLines, type Fact, type Match } from './line.ts';

/** Files that an agent reads or changes. */
export interface FilesTouched {
  /** From the top folder of the repository on. */
  paths: string[];
  /** Whether they were read alone: agents read far more than they change. */
  isRead: boolean;
  /** What they name as decisions themselves (F-1). */
  marked: string[];
}

/** Decisions that bind nobody and are shown with a file. */
const NORMAL = 2;

/**
 * What binds files that an agent reads or changes (RE-3): locks, then axes, then what failed there, of each what a person wrote
 * or reviewed first. Last, where they are changed, the newest decisions that bind nobody and name exactly one of these files.
 */
export async function atFiles(tx: Tx, { paths, isRead, marked }: FilesTouched): Promise<Fact[]> {
  const [first = ''] = paths;
  const called = (await activeCalled(tx, marked)).map(({ decision, name }) => ({
    decision,
    match: { by: 'mark', of: name, at: first } satisfies Match as Match,
  }));
  const naming = (await decisionsNaming(tx, paths)).map(({ decision, pattern, nearness, file }) => {
    const by: Match['by'] = nearness === Number.MAX_SAFE_INTEGER ? 'path' : 'pattern';
    return { decision, match: { by, of: pattern, at: file } };
  });
  const each = [...new Map([...naming, ...called].map((found) => [found.decision.id, found])).values()];
  const decisions = each.map(({ decision }) => decision);
  const waiting = unreviewedAmong(tx, idsOf(decisions));
  const lines = await decisionLines(tx, decisions, { as: 'rule', unreviewed: waiting });
  const unreviewed = await waiting;
  const all = each.flatMap(({ decision, match }, at) => {
    const fact = lines[at];
    return fact ? { decision, fact: { ...fact, match } } : [];
  });
  const isLate = ({ id }: Decision) => Number(unreviewed.has(id));
  const binding = all
    .filter(({ fact }) => fact.binds)
    .sort((a, b) => rankOf(a.decision) - rankOf(b.decision) || isLate(a.decision) - isLate(b.decision));
  const exact = all
    .filter(({ fact }) => !isRead && !fact.binds && fact.match.by === 'path')
    .sort((a, b) => b.decision.createdAt - a.decision.createdAt);
  return [...binding, ...exact.slice(0, NORMAL)].map(({ fact }) => fact);
}

const rankOf = ({ strength }: Decision): number => ['lock', 'axis', 'normal'].indexOf(strength);
