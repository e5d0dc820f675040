import { findTopics } from '../names.ts';
import { query } from '../statements.ts';
import { type Fact, idOf } from './decisions.ts';
import type { MergePlan } from './merge-plan.ts';
import { clientOf, keyOf } from './origins.ts';

/**
 * Gives each fact of one of several sources of a tool the key and the topic that it has here. A record that came
 * under a former key keeps it, and a topic that another source has gets another name.
 * @returns keeps where each topic of a source is, once all of its facts have their records
 */
export async function tellSourcesApart(plan: MergePlan, decisions: Fact[]): Promise<() => void> {
  const { origins, source } = plan;
  const called = decisions.flatMap((fact) =>
    fact.of === undefined ? [] : [{ fact, key: keyOf(source, `${fact.of}/topic/${fact.topic}`) }],
  );
  for (const [of, facts] of Map.groupBy(decisions, (fact) => fact.of))
    if (of !== undefined) keepFormerKeys(plan, of, facts);
  const byKey = Map.groupBy(called, ({ key }) => key);
  await nameTopics(plan, byKey);
  return () => {
    for (const { fact, key } of called) {
      const seq = origins.get(fact.importKey)?.recordSeq;
      if (!origins.has(key) && seq) plan.recordPartOrigin(key, seq);
      // A commit and a comment name a record by its path alone: that of the first source that has it.
      const path = fact.formerKeys?.at(-1);
      if (path !== undefined && seq && !origins.has(keyOf(source, path)))
        plan.recordPartOrigin(keyOf(source, path), seq);
    }
  };
}

/**
 * A source has its former keys where at least half of what is here under them is as it is there: another source may have a
 * record of that name. That is found out once, and kept.
 */
function keepFormerKeys(plan: MergePlan, of: string, facts: Fact[]): void {
  const { origins, source } = plan;
  const most = facts.reduce((least, { formerKeys = [] }) => Math.max(least, formerKeys.length), 0);
  for (let at = 0; at < most; at++) {
    const known = facts.flatMap((fact) => {
      const name = fact.formerKeys?.[at];
      const before = name === undefined ? undefined : origins.get(keyOf(source, name));
      return name === undefined || !before || origins.has(fact.importKey) ? [] : [{ fact, name, before }];
    });
    const [first] = known;
    if (!first) continue;
    const kept = keyOf(source, `${of}/former/${at}`);
    const same = known.filter(({ fact, before }) => fact.hash === before.hash);
    if (!origins.has(kept) && same.length * 2 < known.length) continue;
    plan.recordPartOrigin(kept, first.before.recordSeq as number);
    for (const { fact, name, before } of known) Object.assign(fact, { name, importKey: before.key });
  }
}

/** @param topics the facts of each topic of a source, by the key of its place */
async function nameTopics({ tx, origins, source }: MergePlan, topics: Map<string, { fact: Fact }[]>) {
  const ids = new Set<string>();
  const left: { facts: Fact[]; seq: number }[] = [];
  for (const [key, of] of topics) {
    const facts = of.map(({ fact }) => fact);
    for (const fact of facts) ids.add(idOf(fact));
    // A chain that it began is its chain, whatever its name.
    if (!facts.some(({ importKey }) => origins.has(importKey)))
      left.push({ facts, seq: origins.get(key)?.recordSeq ?? 0 });
  }
  if (left.length === 0) return;
  const mine = new Set([...topics.values()].flat().map(({ fact }) => origins.get(fact.importKey)?.recordSeq));
  for (const { seq } of left) mine.add(seq);
  const places = await query<{ seq: number; topic: string | null }>(tx)`
    select d.seq, d.topic from (${tx.lists.numbers(left.map(({ seq }) => seq))}) as w join decisions as d on d.seq = w.id`;
  const topicAt = new Map(places.map(({ seq, topic }) => [seq, topic]));
  const candidates = ({ topic, otherTopics = [] }: Fact) => [topic, ...otherTopics];
  const names = await findTopics(tx, [...new Set(left.flatMap(({ facts }) => facts.flatMap(candidates)))]);
  const brought = await query<{ id: string; seq: number; rootId: string }>(tx)`
    select d.id, d.seq, d.root_id from (${tx.lists.texts([...new Set(names.values())])}) as w
    join decisions as d on d.root_id = w.id join records as r on r.seq = d.seq
    join writers as x on x.id = r.writer where x.client = ${clientOf(source)}`;
  const others = new Set(brought.map(({ rootId }) => rootId));
  for (const { id, seq, rootId } of brought) if (ids.has(id) || mine.has(seq)) others.delete(rootId);
  for (const { facts, seq } of left) {
    const [first] = facts as [Fact, ...Fact[]];
    const topic = topicAt.get(seq) ?? candidates(first).find((each) => !others.has(names.get(each) ?? ''));
    if (topic !== undefined) for (const fact of facts) fact.topic = topic;
  }
}
