import { type RawBuilder, sql } from 'kysely';
import { basesOf } from '../domain/chain.ts';
import type { Content } from '../domain/decision.ts';
import type { Reference } from '../domain/edge.ts';
import { canonical } from '../domain/text/digest.ts';
import { REDACTED } from '../domain/text/redaction.ts';
import { compareText, foldName } from '../domain/text/text.ts';
import { uuid5 } from '../domain/text/uuid5.ts';
import type { OutcomeEntry } from '../store/decisions/outcome.ts';
import { valuesIn } from '../store/json-list.ts';
import { STORED } from '../store/kinds/kinds.ts';
import { query } from '../store/statements.ts';
import type { Tx } from '../store/tx.ts';
import { COLUMNS_OF, type Recorded, TABLES_WITH_ID, tableOf } from './recorded.ts';

/** The writer: author, host, client, session. */
export type By = [author: string, host: string, client: string, session: string];

/** The fields of a fact of each kind, besides its id and date. Ids are those that every machine knows. */
interface Bodies {
  decision: Content & {
    by: By;
    topic: string | null;
    basedOn: string | null;
    tidies: string | null;
    withdrawn: 0 | 1;
  };
  outcome: { by: By; decision: string; outcome: OutcomeEntry['outcome']; reason: string | null };
  evidence: { by: By; decision: string; content: string; timestamp: number };
  anchor: { by: By; hint: string; type: string; decision: string | null; evidence: string | null };
  link: { from: string; to: string; relationship: Reference };
  observation: { by: By };
  /** One text that an observation has or had. */
  text: { by: By; observation: string; title: string; content: string; type: string };
  /** Where an observation is, and whether it is deleted. */
  place: { project: string; scope: string; topicKey: string | null; deletedAt: number | null };
  relation: { by: By; from: string; to: string; type: string; note: string | null };
  /** Whether a record was undone (K-6). */
  mark: { by: By; gone: boolean };
  /** One renaming of the chain of a decision: its new name, and its former one, which still finds it unless `gone`. */
  called: { by: By; decision: string; topic: string | null; was: string | null; gone: boolean };
  /** A first version that is in the chain of another: they shared a name, if only for a while. */
  joined: { from: string; to: string };
  /** Gone for good (Y-7). */
  erased: object;
}
/** The compiler names here the kind of record that has no fact in {@link Bodies}. */
type OfEachRecord<All extends Record<Recorded, object>> = All;
export type Kind = keyof OfEachRecord<Bodies>;
/** One fact: `at` in milliseconds UTC, `more` its fields of a newer program (J-5). Of one kind and id the one with the latest date is true; most have only one. */
export type Fact<K extends Kind = Kind> = {
  [Each in K]: { k: Each; id: string; at: number; more?: Fields } & Bodies[Each];
}[K];

/** The fields of a fact, by name. */
export type Fields = Record<string, unknown>;
/** Facts by kind and id. */
export type Facts = Map<string, Fact>;
export const nameOf = ({ k, id }: Pick<Fact, 'k' | 'id'>): string => `${k} ${id}`;
/** A fact as it is written: its fields sorted. @param f its version, unless it has one */
export const lineOf = ({ more, ...fact }: Fact, f?: number): string => canonical({ f, ...more, ...fact });

/**
 * A fact that only a newer program knows: of a newer format, or of another kind. It is kept whole, sent on and redacted, and
 * derives nothing (J-5).
 */
export interface KeptFact {
  f: number;
  k: string;
  id: string;
  at: number;
}
export type KeptFacts = Map<string, KeptFact>;
export const nameOfKept = ({ f, k, id }: Partial<KeptFact>): string => `${f} ${k} ${id}`;

/** Whether a fact takes the place of another of its kind and id: the later one, on every machine the same. */
export function isLater(one: Fact, other: Fact | undefined): boolean {
  if (!other || one.at !== other.at) return !other || one.at > other.at;
  if (one === other) return false;
  return lineOf(one) > lineOf(other);
}

/** The order in which facts are taken in, by kind: records of one moment as they were saved, since lists show it. */
export const inTime = (a: Fact, b: Fact): number =>
  a.at - b.at || compareText(a.k, b.k) || (a.k in STORED ? 0 : compareText(a.id, b.id));

type Who = Record<'author' | 'host' | 'client' | 'session', string>;
/** The redaction of a name has a number of this machine, which means nothing elsewhere. */
const by = ({ author, host, client, session }: Who): By =>
  [author, host, client, session].map((name) => blankName(name, '')) as By;
const blankName = <Name extends string | null>(name: Name, apart: string) =>
  name?.includes(REDACTED) ? `${REDACTED} ${apart.slice(0, 8)}`.trim() : name;
const BY = sql`w.author, w.host, w.client, w.session`;

/**
 * Gives whatever has only a number an id that travels (Y-6): made of what stays as it is in every copy and export of the
 * memory, so that all of them give the same (Y-9).
 */
async function giveIds(tx: Tx): Promise<void> {
  const { rows } = await sql<{ seq: number }>`
    select r.seq, r.kind, coalesce(o.created_at, x.created_at) as at, ${BY} from records as r
    join writers as w on w.id = r.writer left join observations as o on o.seq = r.seq
    left join outcomes as x on x.seq = r.seq
    where r.uid is null and r.kind in ('observation', 'outcome') order by r.seq`.execute(tx.db);
  // One statement, of ids with numbers behind them: as many as there are records would take longer than all else.
  const put = (table: 'records' | 'relations', ids: string[]) =>
    query(tx)`update ${sql.table(table)} set uid = substr(w.id, 1, 36) from (${tx.lists.texts(ids)}) as w
      where ${sql.ref(table === 'records' ? 'records.seq' : 'relations.id')} = cast(substr(w.id, 37) as bigint)`;
  const uids = rows.map(({ seq, ...named }) => uuid5(canonical({ seq, ...named })) + seq);
  if (uids.length > 0) await put('records', uids);
  const relations = await sql<{ id: number }>`
    select t.id, t.type, t.created_at, f.uid as "from", o.uid as "to" from relations as t
    join observations as a on a.id = t.from_id join records as f on f.seq = a.seq
    join observations as b on b.id = t.to_id join records as o on o.seq = b.seq
    where t.uid is null order by t.id`.execute(tx.db);
  const ids = relations.rows.map(({ id, ...named }) => uuid5(canonical({ ...named })) + id);
  if (ids.length > 0) await put('relations', ids);
}

/** More than any number that was given out. */
export const MOST = Number.MAX_SAFE_INTEGER;

/** Some of the records: those with one of these ids, and those that are new or changed since. */
interface Some {
  ids?: string[];
  since?: Counts | undefined;
}

/** Those that are meant, as a condition on the number of a record. */
function isOf(tx: Tx, some: Some | undefined, seq = sql`r.seq`): RawBuilder<unknown> {
  if (some === undefined) return sql`1 = 1`;
  const { ids = [], since } = some;
  const wanted = sql`(${tx.lists.texts(ids)}) as wanted`;
  const known = TABLES_WITH_ID.map(
    (table) => sql`union all select x.seq from ${wanted} join ${sql.table(table)} as x on x.id = wanted.id`,
  );
  const news = sql`union all select x.seq from records as x where x.seq > ${since?.records}
    union all select x.record_seq from changes as x where x.seq > ${since?.changes}`;
  return sql`${seq} in (select x.seq from ${wanted} join records as x on x.uid = wanted.id
    ${sql.join([...known, ...(since ? [news] : [])], sql` `)})`;
}

/** Those of one kind. */
export const ofKind = <K extends Kind>(facts: Facts, kind: K): Fact<K>[] =>
  [...facts.values()].filter(({ k }) => k === kind) as Fact<K>[];

/** {@link factsOf} those records that these facts are of or name, with all that was renamed or deleted. @param since these, too */
export const factsLike = (tx: Tx, facts: Facts, since?: Counts): Promise<Facts> =>
  factsOf(tx, { ids: [...facts.values()].flatMap((fact) => [fact.id, ...namedIn(fact)]), since });

/** The versions that the author of one saw. */
export const seenBy = (fact: Fact): string[] => (fact.k === 'decision' ? basesOf(fact) : []);

/** The ids of other records that a fact names: those that must be here, for it to be taken in. */
function namedIn(fact: Fact): string[] {
  if (fact.k === 'decision') return basesOf(fact);
  const { decision, evidence, observation, from, to } = fact as Partial<Record<string, string | null>>;
  return [decision, evidence, observation, from, to].filter((id) => typeof id === 'string');
}

/**
 * The nature of each kind of fact: a record with its id, a part of other records, or the present state of the record with
 * its id. Only the last may change: all others are sent once.
 */
const IS: Record<Kind, 'record' | 'part' | 'state'> = {
  decision: 'record',
  outcome: 'record',
  evidence: 'record',
  anchor: 'record',
  link: 'part',
  observation: 'record',
  text: 'part',
  place: 'state',
  relation: 'record',
  mark: 'state',
  called: 'part',
  joined: 'part',
  erased: 'record',
};
export const mayChange = (kind: Kind): boolean => IS[kind] === 'state';

/** Ids of records that a fact needs, and that are not among these facts. */
function missingFrom(known: Fact[]): (fact: Fact) => string[] {
  const ids = new Set(known.flatMap(({ k, id }) => (IS[k] === 'part' || IS[k] === 'state' ? [] : [id])));
  return (fact) =>
    [...namedIn(fact), ...(IS[fact.k] === 'state' ? [fact.id] : [])].filter((id) => !ids.has(id));
}

/** The ids of records that did not come yet, though a fact names them (Y-1). @param here the facts here after receiving */
export function awaitedBy(said: Facts, here: Facts): string[] {
  const missing = missingFrom([...here.values(), ...said.values()]);
  const waiting = [...said.values()].filter((fact) => !here.has(nameOf(fact)));
  // A mark waits for the version that takes the place of its own.
  return [...new Set(waiting.flatMap((fact) => (fact.k === 'mark' ? [fact.id] : missing(fact))))];
}

/**
 * Whether new facts alone do not tell how to receive them (Y-1): one removes something, names a record that did not come yet,
 * or gives a name that another record may have had, which only all facts tell.
 * @param here as {@link factsLike} gives it
 */
export function isInDoubt(news: Facts, here: Facts): boolean {
  const known = [...here.values(), ...news.values()];
  const missing = missingFrom(known);
  const names = known.flatMap((fact) =>
    fact.k === 'called'
      ? [fact.was, fact.topic].map((name) => ({ of: fact.decision, name: foldName(name ?? '') }))
      : [],
  );
  const had = Map.groupBy(names, ({ name }) => name);
  const wasOfOther = (topic: string | null, id: string | undefined) =>
    topic !== null && had.get(foldName(topic))?.some(({ of }) => of !== id);
  return [...news.values()].some((fact) => {
    if (missing(fact).length > 0 || JSON.stringify(fact).includes(REDACTED)) return true;
    if (fact.k === 'called') return wasOfOther(fact.topic, fact.decision);
    if (fact.k !== 'decision') return fact.k === 'erased';
    const [id = ''] = basesOf(fact);
    const base = here.get(nameOf({ k: 'decision', id })) as Fact<'decision'> | undefined;
    return foldName(fact.topic ?? '') !== foldName(base?.topic ?? '') && wasOfOther(fact.topic, id);
  });
}

/**
 * All facts that this memory sends to others (Y-1): no conversations, and nothing {@link PERSONAL} (Y-5).
 * @param some only of these
 * @param changed is given the names of those that a change made since
 */
export async function factsOf(tx: Tx, some?: Some, changed?: Set<string>): Promise<Facts> {
  await giveIds(tx);
  const facts: Facts = new Map();
  const RECORD = sql`join records as r on r.seq = t.seq and ${isOf(tx, some)}`;
  const add = (fact: Fact) => facts.set(nameOf(fact), fact);
  const each = async <Row>(query: ReturnType<typeof sql<Row>>, make: (row: Row) => Fact) => {
    for (const row of (await query.execute(tx.db)).rows) add(make(row));
  };
  for (const kind of Object.keys(COLUMNS_OF) as (keyof typeof COLUMNS_OF)[]) {
    const id = tableOf(kind) === 'records' ? sql`r.uid` : sql`t.id`;
    const fields = Object.entries(COLUMNS_OF[kind]).map(
      ([field, column]) => sql`${sql.ref(`t.${column}`)} as ${sql.id(field)}`,
    );
    await each(
      sql<Fact & Who>`select ${id} as id, ${sql.join([...fields, BY])}
        from ${sql.table(STORED[kind].table)} as t ${RECORD} join writers as w on w.id = r.writer
        order by t.seq`,
      ({ author, host, client, session, ...row }) =>
        ({ ...row, k: kind, by: by({ author, host, client, session }) }) as Fact,
    );
  }
  await each(
    sql<Bodies['link'] & { at: number }>`
      select from_id as "from", to_id as "to", relationship, created_at as at from decision_edges
      where relationship <> 'supersedes' and from_id in (select d.id from decisions as d where ${isOf(tx, some, sql`d.seq`)})
      order by from_id, to_id, relationship`,
    (row) => ({ k: 'link', id: `${row.from} ${row.relationship} ${row.to}`, ...row }),
  );
  await each(
    sql<Bodies['joined'] & { at: number }>`
      select t.id as "from", t.root_id as "to", t.created_at as at from decisions as t
      where ${isJoined(sql`t`)} order by t.seq`,
    (row) => ({ k: 'joined', id: `${row.from} ${row.to}`, ...row }),
  );
  await addObservations(tx, add, RECORD);
  await each(
    sql<Omit<Bodies['relation'], 'by'> & Who & { id: string; at: number }>`
      select t.uid as id, t.created_at as at, f.uid as "from", o.uid as "to", t.type, t.note, ${BY}
      from relations as t join observations as a on a.id = t.from_id join records as f on f.seq = a.seq
      join observations as b on b.id = t.to_id join records as o on o.seq = b.seq
      join writers as w on w.id = t.writer
      where ${some ? sql`t.uid in (${tx.lists.texts(some.ids ?? [])}) or t.id > ${some.since?.relations ?? MOST}` : sql`1 = 1`}
      order by t.id`,
    ({ id, at, from, to, type, note, ...row }) => ({
      ...{ k: 'relation', id, at, by: by(row), from, to, type, note },
    }),
  );
  await addChanges(tx, facts, some, changed);
  return withMore(tx, facts);
}

/** Adds the fields that a newer program wrote: they stay until one that knows them changes them (J-5). */
async function withMore(tx: Tx, facts: Facts): Promise<Facts> {
  const rows = await query<Record<'kind' | 'id' | 'body', string>>(tx)`
    select kind, id, body from kept_facts where format = 0`;
  for (const { kind, id, body } of rows) {
    const fact = facts.get(nameOf({ k: kind as Kind, id }));
    if (fact) facts.set(nameOf(fact), { ...fact, more: JSON.parse(body) });
  }
  return facts;
}

/** That a version began a chain on another machine; an index has these few. */
export const isJoined = (t: RawBuilder<unknown>) =>
  sql`${t}.version > 1 and ${t}.based_on is distinct from ${t}.previous_version_id and ${t}.based_on is null`;

/** The texts that an observation got in one moment. */
export const textAt = (observation: string, at: number) => `text ${observation}@${at}`;

/** The id of a record that every machine knows, from `records as r`. */
export const idOf = (seq: RawBuilder<unknown>) =>
  sql`coalesce(${sql.join(TABLES_WITH_ID.map((table) => sql`(select x.id from ${sql.table(table)} as x where x.seq = ${seq})`))}, r.uid)`;

/**
 * How far a memory has come: the highest numbers, and `rest`, which is the same as long as they tell what is new. They do not
 * where something is gone, or where links, texts and joins came to older records by hearing.
 */
export interface Counts {
  records: number;
  changes: number;
  relations: number;
  rest: string;
}

/** An observation, each text that it had with the date since when, and where it is. */
async function addObservations(
  tx: Tx,
  add: (fact: Fact) => unknown,
  RECORD: RawBuilder<unknown>,
): Promise<void> {
  type Text = Who & Record<'title' | 'content' | 'type' | 'uid', string> & { createdAt: number };
  const earlier = await sql<Text & { replacedAt: number }>`
    select r.uid, v.title, v.content, v.type, v.replaced_at, t.created_at, ${BY}
    from observation_revisions as v join observations as t on t.id = v.observation_id ${RECORD}
    join writers as w on w.id = v.writer
    order by v.observation_id, v.revision`.execute(tx.db);
  const since = new Map<string, number>();
  const of = new Map<string, number>();
  const addText = ({ uid, title, content, type, createdAt, ...row }: Text) => {
    const at = since.get(uid) ?? createdAt;
    // Two texts of one millisecond are two.
    const earlier = (of.get(`${uid}@${at}`) ?? -1) + 1;
    of.set(`${uid}@${at}`, earlier);
    const id = `${uid}@${at}${earlier > 0 ? `.${earlier}` : ''}`;
    const said = { title, content, type: blankName(type, uid) };
    add({ k: 'text', id, at, by: by(row), observation: uid, ...said });
  };
  const revisions = Map.groupBy(earlier.rows, ({ uid }) => uid);
  const { rows } = await sql<Text & Bodies['place']>`
    select r.uid, t.title, t.content, t.type, t.project, t.scope, t.topic_key, t.deleted_at, t.created_at, ${BY}
    from observations as t ${RECORD} join writers as w on w.id = t.writer
    order by t.id`.execute(tx.db);
  for (const row of rows) {
    const { uid, project, scope, topicKey, deletedAt, createdAt } = row;
    add({ k: 'observation', id: uid, at: createdAt, by: by(row) });
    for (const revision of revisions.get(uid) ?? []) {
      addText(revision);
      since.set(uid, revision.replacedAt);
    }
    addText(row);
    const place = {
      project: blankName(project, uid),
      scope: blankName(scope, uid),
      topicKey: blankName(topicKey, uid),
    };
    add({ k: 'place', id: uid, at: createdAt, ...place, deletedAt });
  }
}

/**
 * Undone, renamed and erased records, and since when each record is where it is: the newest change decides. It is
 * later than the one before it, also where it was made on a machine whose clock is behind (Y-6).
 */
async function addChanges(
  tx: Tx,
  facts: Facts,
  some: Some | undefined,
  changed?: Set<string>,
): Promise<void> {
  const done = some?.since?.changes ?? MOST;
  type Named = 'before' | 'after' | 'of' | 'id';
  const changes = sql<Who & { seq: number; kind: string; at: number } & Record<Named, string | null>>`
    select c.seq, c.kind, c.before, c.after, c.created_at as at, r.kind as "of", ${idOf(sql`c.record_seq`)} as id, ${BY}
    from changes as c join writers as w on w.id = c.writer left join records as r on r.seq = c.record_seq
    where c.kind in ('renamed', 'erased', 'unrelated')
      or c.kind in ('retracted', 'reinstated', 'moved', 'deleted', 'restored', 'rewritten') and ${isOf(tx, some, sql`c.record_seq`)}
    order by c.seq`;
  const { rows } = await changes.execute(tx.db);
  for (const { seq, kind, before, after, at, of, id, ...who } of rows) {
    const add = (fact: Fact) => {
      const last = facts.get(nameOf(fact))?.at ?? fact.at;
      facts.set(nameOf(fact), { ...fact, at: fact.at < last ? last + 1 : fact.at });
      if (seq > done) changed?.add(nameOf(fact));
    };
    if (kind === 'erased' || kind === 'unrelated') {
      const { uid } = valuesIn(kind === 'erased' ? after : before);
      if (typeof uid === 'string') add({ k: 'erased', id: uid, at });
    } else if (id === null) continue;
    else if (kind === 'rewritten') {
      if (seq > done) changed?.add(textAt(id, at));
    } else if (kind === 'moved' || kind === 'deleted' || kind === 'restored') {
      const fact = facts.get(nameOf({ k: 'place', id }));
      if (fact) add({ ...fact, at });
    } else if (kind === 'renamed') {
      const [was, now] = [before, after].map(valuesIn) as [Record<string, unknown>, Record<string, unknown>];
      const [from, topic] = [was, now].map((each) => blankName((each.topic ?? null) as string | null, ''));
      const named = { topic: topic ?? null, was: from ?? null, gone: was.name !== undefined };
      add({ k: 'called', id: String(now.uid ?? `${id}@${at}`), at, by: by(who), decision: id, ...named });
    } else if (of !== 'checkpoint') add({ k: 'mark', id, at, by: by(who), gone: kind === 'retracted' });
  }
}
