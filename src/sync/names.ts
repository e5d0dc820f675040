import { findDecisionRows, reindexDecisions } from '../store/decisions/decision.ts';
import { dropTopic, insertTopic } from '../store/decisions/topic.ts';
import { findName, nameEverything, presentNames } from '../store/names.ts';
import { recordChange } from '../store/record.ts';
import { updateRows } from '../store/rows.ts';
import type { Tx } from '../store/tx.ts';
import { isBlank, type Named } from './blank.ts';
import { type Fact, type Facts, nameOf } from './facts.ts';
import { renamedTwice } from './twice.ts';

/**
 * Calls each chain as the latest of its renamings does, and lets every name that it was given lead to it (U-6); of several
 * chains to the one that is called so, else to the one that had it last. So it is the same on every machine.
 * @param called all renamings, by date @param blank what takes the place of topics @param made the numbers of what came, by which `presentNames` begins
 * @param at the transaction of a fact
 * @returns what was renamed here and elsewhere, neither having heard the other
 */
export async function nameChains(
  tx: Tx,
  { called, blank, ours, made }: { called: Fact<'called'>[]; blank: Named[]; ours: Facts; made: Set<number> },
  at: (fact: Fact) => Tx,
): Promise<string[]> {
  const heard = called.filter((fact) => !ours.has(nameOf(fact)));
  const news = new Set(heard.map(({ id }) => id));
  const names = new Set(heard.flatMap(({ was, topic }) => [was ?? '', topic ?? '']));
  const ids = [...called, ...blank].map(({ decision }) => decision);
  const rows = await findDecisionRows(tx, ids);
  const topics = new Map([...rows.values()].map(({ decision }) => [decision.rootId, decision.topic]));
  const call = async (rootId: string, topic: string | null) => {
    if (topics.get(rootId) === topic) return;
    topics.set(rootId, topic);
    await reindexDecisions(tx, await updateRows(tx, 'decisions', { rootId }, { topic }));
  };
  /** The chains that had each name, the last of them last. */
  const had = new Map<string, { rootId: string; now: number }[]>();
  const otherThan = (rootId: string, name: string) =>
    (had.get(name) ?? []).filter((each) => each.rootId !== rootId);
  const lead = (name: string | null, rootId: string, now: number) => {
    if (name && !isBlank(name) && names.has(name))
      had.set(name, [...otherThan(rootId, name), { rootId, now }]);
  };
  const chains = new Map<string, Fact<'called'>[]>();
  for (const fact of called) {
    const { seq = 0, decision } = rows.get(fact.decision) ?? {};
    if (!decision) continue;
    const { was, topic, gone, id: uid } = fact;
    const { rootId, createdAt } = decision;
    const renamings = chains.get(rootId) ?? [];
    renamings.push(fact);
    chains.set(rootId, renamings);
    const dropped = gone && names.has(was ?? '') && (await dropTopic(tx, was ?? '', rootId));
    if (gone) had.set(was ?? '', otherThan(rootId, was ?? ''));
    else lead(was, rootId, createdAt);
    lead(topic, rootId, fact.at);
    const before = { topic: was, ...(gone && { name: was }), ...dropped };
    if (news.has(uid)) await recordChange(at(fact), 'renamed', seq, { before, after: { topic, uid } });
  }
  for (const [name, all] of had) {
    const last = all.at(-1);
    const known = last && (await findName(tx, 'topics', name));
    if (!last) continue;
    if (known?.name !== name) await insertTopic({ ...tx, now: last.now }, name, last.rootId, known && null);
    // It leads to a chain that never had it where it was joined with that one here, or where that one is called so.
    else if (all.some(({ rootId }) => rootId === known.target))
      await updateRows(tx, 'topics', { name }, { rootId: last.rootId });
  }
  const warnings: string[] = [];
  for (const [rootId, renamings] of chains) {
    const { topic, decision } = renamings.at(-1) as Fact<'called'>;
    // A blank name differs from others by its chain.
    if (!isBlank(topic)) await call(rootId, topic);
    else if (!isBlank(topics.get(rootId))) await call(rootId, `${topic} ${decision.slice(0, 8)}`);
    for (const [index, { topic: other, id }] of renamings.entries()) {
      const next = renamings[index + 1];
      const isSeen = !next || news.has(id) === news.has(next.id) || next.was === other;
      if (!isSeen && topic && other && other !== topic && !isBlank(topic) && !isBlank(other))
        warnings.push(renamedTwice(other, topic, decision));
    }
  }
  for (const { decision, topic } of blank) {
    const { rootId = '' } = rows.get(decision)?.decision ?? {};
    if (isBlank(topics.get(rootId))) await call(rootId, topic);
  }
  await nameEverything(tx);
  await presentNames(tx, [...made][0] ?? Number.MAX_SAFE_INTEGER, [...names]);
  return warnings;
}
