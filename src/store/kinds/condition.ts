import { type RawBuilder, sql } from 'kysely';
import { DEFAULT_CONFIDENCE } from '../../domain/decision.ts';
import type { Filter, FilterKey } from '../../domain/filter/filter.ts';
import { queryTerms } from '../../domain/language/analysis.ts';
import { isDue } from '../decisions/decision.ts';
import { OF_GROUND } from '../decisions/edge.ts';
import { newestWithLinks } from '../decisions/loaded.ts';
import { notRetracted } from '../record.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { type Numbered, recorded } from '../writer.ts';

export type Condition = RawBuilder<unknown>;

/** A filter with what its names mean in this memory. */
export interface Meant extends Omit<Filter, 'by'> {
  /** The chain that the topic leads to; undefined also where only observations have it for their key. */
  rootId?: string | undefined;
  /** The authors whose name or address holds what was given. */
  authors?: string[] | undefined;
  /** The programs that were meant by their names. */
  clients?: string[] | undefined;
  /** With `scope`: versions elsewhere that count as of it, since another side of what was decided twice is there. */
  alsoInScope?: string[] | undefined;
  /** With `forked`: the chains that were decided twice. */
  forkedRoots?: string[] | undefined;
  /** Only these versions. */
  ids?: string[] | undefined;
  /** Whether the date of a record alone counts, as in a search; else also when it was saved here. */
  byDate?: boolean | undefined;
}

/** The part of a filter that each of its meanings in a memory comes from. */
export const MEANS: { readonly [Key in Exclude<keyof Meant, FilterKey>]-?: FilterKey } = {
  rootId: 'topic',
  authors: 'by',
  clients: 'via',
  alsoInScope: 'scope',
  forkedRoots: 'forked',
  ids: 'contradicted',
  byDate: 'since',
};

/** All of these at once; nothing at all for none. */
export function allOf(conditions: (Condition | undefined)[]): Condition {
  const given = conditions.filter((each) => each !== undefined);
  return given.length === 0 ? sql`1 = 1` : sql.join(given, sql` and `);
}

/** `expression` is this value, when one is given. */
export function is(expression: Condition, value: string | number | undefined): Condition | undefined {
  return value === undefined ? undefined : sql`${expression} = ${value}`;
}

/**
 * A record or a change of a filter's time: by its date, or by the moment at which it was saved here, so that no date that was
 * given hides what was written today (U-7).
 * @param at its date @param number of it
 */
export function within(
  at: Condition,
  { since, until, byDate }: Pick<Meant, 'since' | 'until' | 'byDate'>,
  number: Condition,
  of: Numbered = 'record',
): Condition | undefined {
  const between = (moment: Condition) =>
    allOf([
      since === undefined ? undefined : sql`${moment} >= ${since}`,
      until === undefined ? undefined : sql`${moment} < ${until}`,
    ]);
  // What was saved before "until" has an earlier date, too.
  if (since === undefined || byDate) return (since ?? until) === undefined ? undefined : between(at);
  const first = sql.ref(`first_${of}`);
  return sql`(${between(at)} or ${number} >= (select ${first} from saves
    where created_at >= ${since} and ${first} is not null order by created_at, ${first} limit 1)
    and ${between(recorded(number, at, of))})`;
}

/** Records of the writers that a filter means. @param writer the writer's number */
export function writtenBy(
  tx: Tx,
  writer: Condition,
  { authors, clients, session }: Pick<Meant, 'authors' | 'clients' | 'session'>,
): Condition | undefined {
  if (authors === undefined && clients === undefined && session === undefined) return undefined;
  const who = allOf([
    authors && sql`w.author in (${tx.lists.texts(authors)})`,
    clients && sql`w.client in (${tx.lists.texts(clients)})`,
    is(sql`w.session`, session),
  ]);
  return sql`${writer} in (select w.id from writers as w where ${who})`;
}

/** The writer of the record of this number. */
export const writerOf = (seq: Condition) => sql`(select r.writer from records as r where r.seq = ${seq})`;

/** The condition that its searched text holds each word of a filter. @param seq the number of the record */
export function holding(tx: Tx, seq: Condition, words: string | undefined): Condition | undefined {
  if (words === undefined) return undefined;
  const terms = queryTerms(words);
  // Words without a letter or a digit are in no text.
  if (terms.length === 0) return sql`1 = 0`;
  return sql`${seq} in (select found.seq from (${tx.text.matching(terms, true)}) as found)`;
}

/**
 * A version that passes a filter, as a condition on `decisions as d`; its state is up to the listing.
 * @param isLogged whether when and by whom it was written counts, as in the log; else when and by whom it was decided (TR-3)
 */
export function ofDecision(tx: Tx, filter: Meant, isLogged = false): Condition | undefined {
  const { outcome, stale } = filter;
  const conditions = [
    ofChain(tx, filter),
    is(sql`d.strength`, filter.strength),
    is(sql`d.branch`, filter.branch),
    filter.ids && sql`d.id in (${tx.lists.texts(filter.ids)})`,
    // Most are pending: not by the index of outcomes, which would then be sorted as a whole.
    outcome === 'pending' ? sql`coalesce(d.outcome, '') = ''` : is(sql`d.outcome`, outcome),
    isLogged ? within(sql`d.created_at`, filter, sql`d.seq`) : decidedWithin(filter),
    stale === undefined ? undefined : staleSince(stale),
    filter.noEvidence
      ? sql`not exists (select 1 from decisions as v join evidence as e on e.decision_ref = v.id
          where v.root_id = d.root_id and ${notRetracted('e.seq')})`
      : undefined,
    filter.failedBasis ? dependsOnFailed() : undefined,
    filter.debated
      ? sql`d.id in (select e.to_id from decision_edges as e join decisions as other on other.id = e.from_id
          where e.relationship = 'debates' and other.is_active = 1)`
      : undefined,
    filter.unsure ? sql`d.confidence < ${DEFAULT_CONFIDENCE}` : undefined,
    filter.forkedRoots && sql`d.root_id in (${tx.lists.texts(filter.forkedRoots)})`,
    filter.due ? isDue(tx.now) : undefined,
    writtenBy(tx, writerOf(isLogged ? sql`d.seq` : DECIDED_SEQ), filter),
    holding(tx, sql`d.seq`, filter.words),
  ];
  return conditions.some((each) => each !== undefined) ? allOf(conditions) : undefined;
}

/** The number of the version that was decided, of `decisions as d`. */
const DECIDED_SEQ = sql`coalesce((select o.seq from decisions as o where o.id = d.tidies), d.seq)`;

/** A version that was decided within a filter's time: what tidied it since does not count (TR-3). */
function decidedWithin(filter: Meant): Condition | undefined {
  const own = within(sql`d.created_at`, filter, sql`d.seq`);
  return (
    own &&
    sql`(d.tidies is null and ${own} or d.tidies is not null and exists (select 1 from decisions as o
      where o.id = d.tidies and ${within(sql`o.created_at`, filter, sql`o.seq`)}))`
  );
}

/** That a decision depends on what failed, as its annotation has it (O-9, T-7). */
function dependsOnFailed(): Condition {
  const [direct, further, was] = [sql`e.to_id`, sql`further.to_id`, sql`was.root_id`];
  return sql`(d.id in (select e.from_id from decision_edges as e join decisions as own on own.id = e.from_id
      where e.relationship in (${OF_GROUND}) and ${isFailed(direct, sql`''`)} and not ${IS_ASIDE})
    or exists (select 1 from decision_edges as e join decision_edges as further on further.from_id = e.to_id
      where e.from_id = d.id and e.relationship in (${OF_GROUND}) and further.relationship in (${OF_GROUND})
        and not ${isFailed(direct, sql`''`)} and ${isFailed(further, sql`d.root_id`)}
        and exists (select 1 from decisions as target where target.id = e.to_id and ${notRetracted('target.seq')}))
    or d.is_active = 1 and d.version > 1 and exists (select 1 from decisions as was
      join decision_edges as e on e.from_id = was.id and e.relationship in (${OF_GROUND})
      where was.id = ${newestWithLinks(sql`d.root_id`)} and was.is_active = 0
        and ${isFailed(direct, was)} and not exists (select 1 from decisions as named where named.id = e.to_id
          and (${holds(sql`named.id`)} or named.topic is not null and ${holds(sql`named.topic`)}))))`;
}

/** That the reasoning of a decision has a text in it, in any letter case. @param of its name in the statement */
function holds(text: RawBuilder<unknown>, of = 'd'): RawBuilder<unknown> {
  const reasoning = sql`lower(coalesce(${sql.ref(`${of}.reasoning`)}, ''))`;
  return sql`replace(${reasoning}, lower(${text}), '') <> ${reasoning}`;
}

/** That the reasoning of `decisions as own` names the target of `decision_edges as e` as holding beside it (T-6). */
const IS_ASIDE = sql`exists (select 1 from decisions as beside where beside.id = e.to_id
  and (${holds(sql`'alongside: ' || substr(beside.id, 1, 8)`, 'own')}
    or beside.topic is not null and ${holds(sql`'alongside: ' || beside.topic`, 'own')}))`;

/** That a decision failed and is in another chain. @param id of it, as SQL @param rootId of the other chain */
const isFailed = (id: RawBuilder<unknown>, rootId: RawBuilder<unknown>) =>
  sql`coalesce((select basis.outcome from decisions as basis
    where basis.id = ${id} and basis.root_id <> ${rootId} and ${notRetracted('basis.seq')}), '') = 'failed'`;

/** The condition of a filter on a chain and its scope, on `decisions as d`. */
function ofChain(tx: Tx, { scope, alsoInScope = [], topic, rootId }: Meant): Condition | undefined {
  // A topic that only observations have for their key leads to no chain.
  if (topic !== undefined && rootId === undefined) return sql`1 = 0`;
  if (scope === undefined && rootId === undefined) return undefined;
  const inScope =
    alsoInScope.length > 0
      ? sql`(d.scope = ${scope} or d.id in (${tx.lists.texts(alsoInScope)}))`
      : is(sql`d.scope`, scope);
  return allOf([inScope, is(sql`d.root_id`, rootId)]);
}

/** The parts of a filter that say something of the decision that a record belongs to. */
export const OF_CHAIN: FilterKey[] = ['scope', 'topic'];

/** The condition of a filter on the decision that a record belongs to. @param id an expression for the decision's id */
export function about(tx: Tx, id: Condition, filter: Meant): Condition | undefined {
  const conditions = [ofChain(tx, filter), holding(tx, sql`d.seq`, filter.words)];
  if (conditions.every((each) => each === undefined)) return undefined;
  const chain = allOf(conditions);
  // An index names the versions of a chain; those of a scope may be as many as there are, and are looked up.
  return filter.rootId === undefined
    ? sql`exists (select 1 from decisions as d where d.id = ${id} and ${chain})`
    : sql`${id} in (select d.id from decisions as d where ${chain})`;
}

/**
 * When something was last saved of these versions, of those that are active, by id, as {@link staleSince} counts it: an undo is
 * no save.
 */
export async function lastSaved(tx: Tx, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await query<{ id: string; saved: number | null; outcome: number | null }>(tx)`
    select d.id, max(case when v.tidies is null then v.created_at end) as saved,
      max((select max(o.created_at) from outcomes as o where o.decision_id = v.id
        and o.created_at > v.created_at and ${notRetracted('o.seq')})) as outcome
    from (${tx.lists.texts(ids)}) as wanted join decisions as d on d.id = wanted.id and d.is_active = 1
    join decisions as v on ${SAYS_THE_SAME}
    group by d.id`;
  return new Map(
    rows.flatMap(({ id, saved, outcome }) => (saved === null ? [] : [[id, Math.max(saved, outcome ?? 0)]])),
  );
}

/**
 * A version to which nothing happened since a moment (U-4), as a condition on `decisions as d`: neither it nor an outcome of
 * it was saved since. An undo and a tidying save nothing: their version is as old as the one that was decided (K-6, TR-3).
 * @param since in milliseconds UTC
 */
const staleSince = (
  since: number,
): RawBuilder<unknown> => sql`(d.updated_at < ${since} or d.is_active = 1 and not exists (
  select 1 from decisions as v where ${SAYS_THE_SAME} and (v.created_at >= ${since} and v.tidies is null
      or exists (select 1 from outcomes as o where o.decision_id = v.id and o.created_at >= ${since}
        and o.created_at > v.created_at and ${notRetracted('o.seq')}))))`;

/** A version `v` of the chain, up to `d`, that says what `d` says. */
const SAYS_THE_SAME = sql`v.root_id = d.root_id and v.version <= d.version
  and (v.text = d.text or v.id = d.tidies) and ${notRetracted('v.seq')}`;
