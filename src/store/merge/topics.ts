import { sql } from 'kysely';
import { foldName } from '../../domain/text/text.ts';
import { findTopics } from '../names.ts';
import type { Fact } from './decisions.ts';
import type { MergePlan } from './merge-plan.ts';

/** The facts of one topic, in the order in which their reader gives them. */
export interface Topic {
  name: string;
  facts: Fact[];
  /** The chain that it leads to here; undefined where there is none yet. */
  rootId: string | undefined;
}

/**
 * The topics of a source, and the chain of each. A chain that it began is its chain. Else a name leads where it leads here,
 * in any spelling (D-19); but what the source itself keeps apart stays apart, as in an older memory.
 */
export async function topicsOf(plan: MergePlan, facts: Fact[]): Promise<Topic[]> {
  const groups = Map.groupBy(facts, ({ topic }) => topic);
  const topics: Topic[] = [...groups].map(([name, of]) => ({ name, facts: of, rootId: undefined }));
  topics.sort((a, b) => first(a) - first(b));
  const claimed = new Set<string>();
  const claim = (topic: Topic, rootId: string | undefined) => {
    if (topic.rootId !== undefined || rootId === undefined) return;
    topic.rootId = rootId;
    claimed.add(rootId);
  };
  const begun = await chainsBegun(plan, facts);
  for (const topic of topics)
    claim(topic, topic.facts.map(({ importKey }) => begun.get(importKey)).find(Boolean));
  const names = await namesHere(plan, topics);
  for (const topic of topics) claim(topic, names.exact.get(topic.name));
  const folded = new Map<string, Topic>();
  for (const topic of topics) {
    const key = foldName(topic.name);
    const like = folded.get(key);
    if (like) warnAlike(plan, topic, like);
    else folded.set(key, topic);
    const known = names.any.get(topic.name);
    if (known !== undefined && !claimed.has(known)) claim(topic, known);
  }
  return topics;
}

const first = ({ facts }: Topic) =>
  facts.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);

/** The chains of the decisions that came before, by their keys. */
async function chainsBegun(
  { tx, origins, followed }: MergePlan,
  facts: Fact[],
): Promise<Map<string, string>> {
  const seqs = new Map(facts.map(({ importKey }) => [origins.get(importKey)?.recordSeq ?? 0, importKey]));
  const { rows } = await sql<{ seq: number; rootId: string }>`
    select d.seq, d.root_id from (${tx.lists.numbers([...seqs.keys()])}) as wanted
    join decisions as d on d.seq = wanted.id`.execute(tx.db);
  return new Map([...rows.map(({ seq, rootId }) => [seqs.get(seq) as string, rootId] as const), ...followed]);
}

/** The chains that the names of topics lead to here: by this spelling, and by any. */
async function namesHere({ tx }: MergePlan, topics: Topic[]) {
  const wanted = topics.map(({ name }) => name);
  const rows = await tx.db.selectFrom('topics').select(['name', 'rootId']).execute();
  const spelled = new Map(rows.map(({ name, rootId }) => [name, rootId]));
  const exact = new Map<string, string>();
  for (const name of wanted) {
    const rootId = spelled.get(name);
    if (rootId !== undefined) exact.set(name, rootId);
  }
  return { exact, any: await findTopics(tx, wanted) };
}

/** Once per pair that the source keeps apart and that was not here before. */
function warnAlike({ merged }: MergePlan, topic: Topic, like: Topic): void {
  if (topic.rootId !== undefined) return;
  merged.warnings.push(
    `"${topic.name}" and "${like.name}" are two topics there and stay two; "precedent topic join" joins them.`,
  );
}
