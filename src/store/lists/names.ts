import { sql } from 'kysely';
import type { Outcome } from '../../domain/outcome.ts';
import { allOf, type Condition } from '../kinds/condition.ts';
import { shortIds } from '../prefix.ts';
import type { Tx } from '../tx.ts';

/** A page of names in their order, and how many there are. */
export interface Names<Row> {
  rows: Row[];
  total: number;
  /** The last name shown, when there are more. */
  next: string | undefined;
}

/** How many decisions stand in a scope, by strength. */
export interface ScopeCount {
  scope: string;
  axis: number;
  lock: number;
  normal: number;
  total: number;
}

/** The scopes with active decisions, by name. @param after the name after which the page begins */
export async function listScopes(tx: Tx, limit: number, after = ''): Promise<Names<ScopeCount>> {
  const of = (strength: string) => sql`sum(case when strength = ${strength} then 1 else 0 end)`;
  const { rows } = await sql<ScopeCount>`
    select scope, ${of('axis')} as axis, ${of('lock')} as lock, ${of('normal')} as normal, count(*) as total
    from decisions where is_active = 1 and scope > ${after} group by scope order by scope limit ${limit + 1}`.execute(
    tx.db,
  );
  const total = await count(tx, sql`(select distinct scope from decisions where is_active = 1) as there`);
  return page(rows, limit, total, ({ scope }) => scope);
}

/** The other names that lead to these scopes, by scope. */
export async function otherScopeNames(tx: Tx, scopes: string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ scope: string; name: string }>`
    select s.scope, s.name from (${tx.lists.texts(scopes)}) as wanted join scopes as s on s.scope = wanted.id
    where s.name <> s.scope order by s.name`.execute(tx.db);
  const names = new Map<string, string[]>();
  for (const { scope, name } of rows) names.set(scope, [...(names.get(scope) ?? []), name]);
  return names;
}

/** A topic, and the newest version of the chain that it leads to. */
export interface TopicState {
  topic: string;
  /** The topic that the chain began with, when that is another one. */
  leadsTo: string | null;
  id: string;
  ref: string;
  scope: string;
  version: number;
  isActive: boolean;
  outcome: Outcome | null;
  createdAt: number;
}

/** Topics by name. @param beginning only those that begin so @param after the name after which the page begins */
export async function listTopics(
  tx: Tx,
  { beginning, scope }: { beginning?: string | undefined; scope?: string | undefined },
  limit: number,
  after = '',
): Promise<Names<TopicState>> {
  const from = sql`topics as t join decisions as d on d.id = (
    select v.id from decisions as v where v.root_id = t.root_id order by v.version desc limit 1)`;
  const passing = allOf([
    // Names are compared by their bytes: none that begins so comes after the highest character.
    beginning === undefined
      ? undefined
      : sql`t.name >= ${beginning} and t.name < ${`${beginning}\u{10ffff}`}`,
    scope === undefined ? undefined : sql`d.scope = ${scope}`,
    // What nothing but mistakes was saved under is no topic.
    sql`t.root_id not in (${MISTAKES})`,
  ]);
  const { rows } = await sql<Omit<TopicState, 'isActive' | 'ref'> & { isActive: number }>`
    select t.name as topic, nullif(d.topic, t.name) as leads_to, d.id, d.scope, d.version, d.is_active, d.outcome, d.created_at
    from ${from} where ${passing} and t.name > ${after} order by t.name limit ${limit + 1}`.execute(tx.db);
  const shortId = await shortIds(
    tx,
    'decisions',
    rows.map(({ id }) => id),
  );
  const isFiltered = scope !== undefined;
  const total = await count(tx, isFiltered ? from : sql`topics as t`, passing);
  const topics = rows.map((row) => ({ ...row, isActive: row.isActive === 1, ref: shortId(row.id) }));
  return page(topics, limit, total, ({ topic }) => topic);
}

/** The chains that are mistakes from their first version to their newest. */
const MISTAKES = sql`select d.root_id from records as r join decisions as d on d.seq = r.seq
  where r.retracted_at is not null and d.version = (select max(v.version) from decisions as v where v.root_id = d.root_id)`;

/** Those who wrote records, by name, with how many; a name may be empty, where nobody said. */
export async function listAuthors(
  tx: Tx,
  limit: number,
  after?: string,
): Promise<Names<{ author: string; records: number }>> {
  const from = sql`records as r join writers as w on w.id = r.writer`;
  const { rows } = await sql<{ author: string; records: number }>`
    select w.author, count(*) as records from ${from}
    where ${after === undefined ? sql`1 = 1` : sql`w.author > ${after}`}
    group by w.author order by w.author limit ${limit + 1}`.execute(tx.db);
  const total = await count(
    tx,
    sql`(select distinct w.author from (select distinct writer from records) as r join writers as w on w.id = r.writer) as wrote`,
  );
  return page(rows, limit, total, ({ author }) => author);
}

async function count(tx: Tx, from: Condition, where: Condition = sql`1 = 1`): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${from} where ${where}`.execute(
    tx.db,
  );
  return rows[0]?.count ?? 0;
}

function page<Row>(rows: Row[], limit: number, total: number, nameOf: (row: Row) => string): Names<Row> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { rows: shown, total, next: last && nameOf(last) };
}
