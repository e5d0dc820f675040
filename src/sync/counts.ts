import { sql } from 'kysely';
import { sha256 } from '../domain/text/digest.ts';
import type { Tx } from '../store/tx.ts';
import {
  type Counts,
  type Fact,
  type Facts,
  factsOf,
  idOf,
  isJoined,
  MOST,
  nameOf,
  textAt,
} from './facts.ts';

/** The facts that are new since: all of new records, and of others those of which a change tells. */
export async function factsSince(tx: Tx, since: Counts): Promise<Facts> {
  const changed = new Set<string>();
  const facts = await factsOf(tx, { since }, changed);
  const { rows } = await sql<{ id: string }>`
    select ${idOf(sql`r.seq`)} as id from records as r where r.seq > ${since.records}`.execute(tx.db);
  const ids = new Set(rows.map(({ id }) => id));
  const isNew = (fact: Fact) => {
    if (fact.k === 'relation') return true;
    if (fact.k === 'text') return ids.has(fact.observation) || changed.has(textAt(fact.observation, fact.at));
    return ids.has('from' in fact ? fact.from : fact.id) || changed.has(nameOf(fact));
  };
  return new Map([...facts].filter(([, fact]) => isNew(fact)));
}

/** @param since `rest` is as it was then, if numbers tell what is new since */
export async function countsOf(tx: Tx, since?: Counts): Promise<Counts> {
  const { records: last, changes: done } = since ?? { records: MOST, changes: MOST };
  const { rows } = await sql<Record<string, number | string | null>>`
    select (select max(seq) from records) as records, (select max(seq) from changes) as changes,
      (select max(id) from relations) as relations, (select count(*) from redactions) as redactions,
      (select count(*) from observation_revisions as v join observations as o on o.id = v.observation_id where o.seq <= ${last})
        - (select count(*) from changes as c join observations as o on o.seq = c.record_seq
          where c.seq > ${done} and c.kind = 'rewritten' and o.seq <= ${last}) as revisions,
      (select count(*) from changes where seq > ${done} and (kind = 'redacted'
        or kind in ('erased', 'unrelated') and coalesce(before, after) like '%"uid"%')) as gone,
      (select count(*) from decisions as d where ${isJoined(sql`d`)} and d.seq <= ${last}) as joined,
      (select count(*) from decision_edges where relationship <> 'supersedes'
        and from_id in (select id from decisions where seq <= ${last})) as links,
      (select value from meta where key = 'imported') as imported,
      (select value from meta where key = 'kept_facts') as kept`.execute(tx.db);
  const { records, changes, relations, ...rest } = rows[0] ?? {};
  return {
    records: Number(records ?? 0),
    changes: Number(changes ?? 0),
    relations: Number(relations ?? 0),
    rest: sha256(JSON.stringify(rest)).slice(0, 16),
  };
}

/** Whether all that is new since has a higher number, so that {@link factsSince} finds it. */
export async function isTold(tx: Tx, since: Counts): Promise<boolean> {
  const now = await countsOf(tx, since);
  const numbers = ['records', 'changes', 'relations'] as const;
  return now.rest === since.rest && numbers.every((each) => now[each] >= since[each]);
}
