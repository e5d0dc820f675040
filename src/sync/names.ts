import type { Insertable } from 'kysely';
import { foldName } from '../domain/text/text.ts';
import { findDecisionRows, reindexDecisions } from '../store/decisions/decision.ts';
import { begunSeveralTimes, dropTopic, keepKeys } from '../store/decisions/topic.ts';
import { valuesIn } from '../store/json-list.ts';
import { nameEverything, presentNames } from '../store/names.ts';
import { recordChange } from '../store/record.ts';
import { insertRows, updateRows } from '../store/rows.ts';
import type { Schema } from '../store/schema.ts';
import { query } from '../store/statements.ts';
import type { Tx } from '../store/tx.ts';
import { isBlank, type Named } from './blank.ts';
import { type Fact, type Facts, nameOf } from './facts.ts';
import { renamedTwice } from './twice.ts';

/**
 * Gives each chain the name of its latest renaming, and lets every name that it ever had lead to it (U-6). A name of several
 * chains leads to the one that has it now, else to the one that had it last: the same on every machine.
 * @param called all renamings, by date @param blank what takes the place of topics
 * @param at the transaction of a fact
 * @returns topics that were renamed here and elsewhere, neither machine knowing of the other
 */
export async function nameChains(
  tx: Tx,
  { called, blank, ours }: { called: Fact<'called'>[]; blank: Named[]; ours: Facts },
  at: (fact: Fact) => Tx,
): Promise<string[]> {
  const news = new Set(called.flatMap((fact) => (ours.has(nameOf(fact)) ? [] : [fact.id])));
  const ids = new Set([...called, ...blank].map(({ decision }) => decision));
  const rows = await findDecisionRows(tx, [...ids]);
  const topics = new Map([...rows.values()].map(({ decision }) => [decision.rootId, decision.topic]));
  const call = async (rootId: string, topic: string | null) => {
    if (topics.get(rootId) === topic) return;
    topics.set(rootId, topic);
    await reindexDecisions(tx, await updateRows(tx, 'decisions', { rootId }, { topic }));
  };
  const several = await begunSeveralTimes(tx, [...topics.keys()]);
  const had: Holders = new Map();
  const lead = (name: string | null, rootId: string, now: number) => {
    if (!name || isBlank(name)) return;
    const holders = had.get(name) ?? new Map();
    holders.delete(rootId);
    had.set(name, holders.set(rootId, now));
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
    // Undoing a renaming takes no name from another topic that has joined under it since.
    const drops = gone && !several.has(rootId);
    if (drops) had.get(was ?? '')?.delete(rootId);
    else lead(was, rootId, createdAt);
    lead(topic, rootId, fact.at);
    if (!news.has(uid)) continue;
    const dropped = drops && (await dropTopic(tx, was ?? '', rootId));
    const before = { topic: was, ...(gone && { name: was }), ...dropped };
    await recordChange(at(fact), 'renamed', seq, { before, after: { topic, uid } });
  }
  await leadNames(tx, had);
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
  const names = [...had.keys()];
  await presentNames(tx, names);
  if (names.length > 0) await keepKeys(tx, names);
  return warnings;
}

/** The chains that had each name and still lead from it, the last one last, each with the date since when. */
type Holders = Map<string, Map<string, number>>;

/** Lets each name lead to the last of its chains. One that was joined with another here leads there, and is left out. */
async function leadNames(tx: Tx, had: Holders): Promise<void> {
  if (had.size === 0) return;
  const joins = await query<{ before: string }>(tx)`select before from changes where kind = 'joined'`;
  for (const { before } of joins) had.delete(String(valuesIn(before).topic));
  const names = tx.lists.texts([...had.keys()].flatMap((name) => [name, foldName(name)]));
  const rows = await query<{ name: string; key: string | null; rootId: string }>(tx)`
    select t.name, t.key, t.root_id from topics as t
    where t.name in (select id from (${names}) as wanted) or t.key in (select id from (${names}) as wanted)`;
  const known = new Map(rows.map(({ name, rootId }) => [name, rootId]));
  const taken = new Set(rows.map(({ key }) => key));
  const added: Insertable<Schema['topics']>[] = [];
  for (const [name, holders] of had) {
    const [[rootId, since] = [], here, key] = [[...holders].at(-1), known.get(name), foldName(name)];
    if (rootId === undefined || since === undefined || rootId === here) continue;
    if (here !== undefined) await updateRows(tx, 'topics', { name }, { rootId });
    else added.push({ name, key: taken.has(key) ? null : key, rootId, since });
    taken.add(key);
  }
  await insertRows(tx, 'topics', added);
}
