import type { Decision } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import type { Key } from '../../domain/names/keys.ts';
import { isProduct, spellingsOf } from '../../domain/names/name.ts';
import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import { unreviewedAmong } from '../decisions/rules.ts';
import type { Tx } from '../tx.ts';
import { decisionsContaining } from './containing.ts';

/** The rules for all files that are against a name which a decision of another chain uses (T-6). */
export async function rulesAgainst(tx: Tx, decision: Decision): Promise<Decision[]> {
  const { namesOf } = await import('../../domain/names/against.ts');
  // Known products alone: a save waits for the answer.
  const keys = namesOf(saidBy(decision)).uses.filter((key) => isProduct(spellingsOf(key)[0] ?? key));
  const containing =
    keys.length > 0 ? await decisionsContaining(tx, [...new Set(keys.flatMap(spellingsOf))]) : [];
  const others = containing.filter(({ rootId }) => rootId !== decision.rootId);
  const isForAll = (each: Decision) => isRule(each) && each.files === null;
  if (!others.some(isForAll)) return [];
  const unreviewed = await unreviewedAmong(tx, others.length > 1 ? idsOf(others) : []);
  const named = (await namesAgainst(others, { keys, programs: [] }))(unreviewed);
  return others.filter((each) => isForAll(each) && named.has(each.id));
}

/** @returns the names that each of these decisions is against, by its id, where these of them are unreviewed */
export async function namesAgainst(
  candidates: Decision[],
  { keys, programs }: { keys: string[]; programs: string[] },
): Promise<(unreviewed: ReadonlySet<string>) => Map<string, string[]>> {
  if (candidates.length === 0) return () => new Map();
  // Loaded where a record has one of the names: its patterns take longer than all that is asked before.
  const { namesOf } = await import('../../domain/names/against.ts');
  const { againstIndex, recordsAgainst } = await import('../../domain/names/match.ts');
  const records = candidates.map((each) => {
    const { against, uses } = namesOf(saidBy(each));
    // An area of its own says that the thing is in use, unless the record is against that very thing.
    const areas = each.outcome === 'failed' ? [] : areasOf(each).filter((area) => !against.includes(area));
    return { id: each.id, against, uses: [...uses, ...areas], binds: each.strength !== 'normal' };
  });
  const failed = new Set(idsOf(candidates.filter((each) => each.outcome === 'failed' && !isRule(each))));
  return (unreviewed) => {
    const index = againstIndex(
      records.map(({ binds, ...each }) => ({ ...each, isUnreviewed: !binds && unreviewed.has(each.id) })),
    );
    const started = recordsAgainst(index, programs).filter(({ id }) => !failed.has(id));
    const named = new Map<string, string[]>();
    for (const { id, names } of [...recordsAgainst(index, keys), ...started])
      named.set(id, [...(named.get(id) ?? []), ...names]);
    return named;
  };
}

/** The names of the areas that a decision belongs to: that of its topic, and its scope. */
const areasOf = ({ topic, scope }: Decision): Key[] =>
  [topic?.match(/^[^:]+(?=:)/)?.[0], scope].flatMap((area) => {
    const key = area?.toLowerCase();
    return key === undefined ? [] : [key, `pkg:${key}`];
  });

const isRule = ({ isActive, strength }: Decision) => isActive && strength !== 'normal';

const saidBy = (decision: Decision) => ({
  decision: decision.text,
  reasoning: decision.reasoning === null ? undefined : parseReasoning(decision.reasoning).prose,
  hasFailed: decision.outcome === 'failed',
  isRule: isRule(decision),
});
