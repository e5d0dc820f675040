import { sql } from 'kysely';
import type { Decision, Strength } from '../../domain/decision.ts';
import { compareText } from '../../domain/text/text.ts';
import { newestVersion } from '../decisions/decision.ts';
import { allOf } from '../kinds/condition.ts';
import { shortIds } from '../prefix.ts';
import { countOf, paged } from '../rows.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';

/** Sorts after every character of a name: names are compared by their bytes. */
const LAST = '\u{10ffff}';

/** A page of names in their order, and how many there are. */
export interface Names<Row> {
  rows: Row[];
  total: number;
  /** The last name shown, when there are more. */
  next: string | undefined;
}

/** How many decisions are active in a scope, by strength. */
export interface ScopeCount extends Record<Strength | 'total', number> {
  scope: string;
}

/** The scopes with active decisions, by name. @param after the name after which the page begins */
export async function listScopes(tx: Tx, limit: number, after = ''): Promise<Names<ScopeCount>> {
  const of = (strength: string) => sql`sum(case when strength = ${strength} then 1 else 0 end)`;
  const rows = await query<ScopeCount>(tx)`
    select scope, ${of('axis')} as axis, ${of('lock')} as lock, ${of('normal')} as normal, count(*) as total
    from decisions where is_active = 1 and scope > ${after} group by scope order by scope limit ${limit + 1}`;
  const total = await countOf(tx, sql`(select distinct scope from decisions where is_active = 1) as there`);
  const [shown, next] = paged(rows, limit, ({ scope }) => scope);
  return { rows: shown, total, next };
}

/** The other names that lead to these scopes, by scope. */
export async function otherScopeNames(tx: Tx, scopes: string[]): Promise<Map<string, string[]>> {
  const rows = await query<{ scope: string; name: string }>(tx)`
    select s.scope, s.name from (${tx.lists.texts(scopes)}) as wanted join scopes as s on s.scope = wanted.id
    where s.name <> s.scope order by s.name`;
  const names = new Map<string, string[]>();
  for (const { scope, name } of rows) names.set(scope, [...(names.get(scope) ?? []), name]);
  return names;
}

/** A topic, and the newest version of the chain that it leads to. */
export interface TopicState
  extends Pick<Decision, 'id' | 'scope' | 'version' | 'isActive' | 'outcome' | 'createdAt'> {
  topic: string;
  /** The topic that the chain began with, when that is another one. */
  leadsTo: string | null;
  ref: string;
}

/** Topics by name. @param beginning only those that begin so @param after the name after which the page begins */
export async function listTopics(
  tx: Tx,
  { beginning, scope }: { beginning?: string | undefined; scope?: string | undefined },
  limit: number,
  after = '',
): Promise<Names<TopicState>> {
  const from = sql`topics as t join decisions as d on d.root_id = t.root_id and d.version = ${newestVersion(sql`t.root_id`)}`;
  const passing = allOf([
    beginning === undefined ? undefined : sql`t.name >= ${beginning} and t.name < ${beginning + LAST}`,
    scope === undefined ? undefined : sql`d.scope = ${scope}`,
    // A topic whose versions were all undone is not listed.
    sql`t.root_id not in (${MISTAKES})`,
  ]);
  const rows = await query<Omit<TopicState, 'isActive' | 'ref'> & { isActive: number }>(tx)`
    select t.name as topic, nullif(d.topic, t.name) as leads_to, d.id, d.scope, d.version, d.is_active, d.outcome, d.created_at
    from ${from} where ${passing} and t.name > ${after} order by t.name limit ${limit + 1}`;
  const ids = rows.map(({ id }) => id);
  const shortId = await shortIds(tx, 'decisions', ids);
  const total = await countOf(tx, sql`${scope === undefined ? sql`topics as t` : from} where ${passing}`);
  const topics = rows.map((row) => ({ ...row, isActive: row.isActive === 1, ref: shortId(row.id) }));
  const [shown, next] = paged(topics, limit, ({ topic }) => topic);
  return { rows: shown, total, next };
}

/** The chains in which every version was undone. */
export const MISTAKES = sql`select d.root_id from records as r join decisions as d on d.seq = r.seq
  where r.retracted_at is not null and d.version = ${newestVersion(sql`d.root_id`)}`;

/** Those who wrote records, by name, with how many; a name may be empty, where nobody said. Also the programs of all, as they name themselves. */
export async function listAuthors(
  tx: Tx,
  limit: number,
  after?: string,
): Promise<Names<{ author: string; records: number }> & { clients: string[] }> {
  const rows = await query<{ author: string; client: string; records: number }>(tx)`
    select w.author, w.client, r.records from (select writer, count(*) as records from records group by writer) as r
    join writers as w on w.id = r.writer order by w.author`;
  const authors = [...Map.groupBy(rows, ({ author }) => author)].map(([author, own]) => ({
    author,
    records: own.reduce((sum, { records }) => sum + records, 0),
  }));
  const left = authors.filter(({ author }) => after === undefined || compareText(author, after) > 0);
  const [shown, next] = paged(left, limit, ({ author }) => author);
  return { rows: shown, total: authors.length, next, clients: rows.map(({ client }) => client) };
}
