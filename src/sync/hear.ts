import { type Insertable, sql } from 'kysely';
import { contentOf, type Decision } from '../domain/decision.ts';
import type { Outcome } from '../domain/outcome.ts';
import { maskDeep } from '../domain/text/masking.ts';
import { findDecisionRows } from '../store/decisions/decision.ts';
import { insertEdges } from '../store/decisions/edge.ts';
import { moveEvidence } from '../store/decisions/evidence.ts';
import { type Based, basesOf, forksOf, inOrder, settledSince } from '../store/decisions/fork.ts';
import { mirrorOutcome } from '../store/decisions/outcome.ts';
import { bindingIds, keepOverridden } from '../store/decisions/overridden.ts';
import { insertTopic, renameChain } from '../store/decisions/topic.ts';
import { STORED } from '../store/kinds/kinds.ts';
import { dateReplaced, placeChain } from '../store/merge/chains.ts';
import { findName, nameEverything, presentNames } from '../store/names.ts';
import { findObservation, hardDelete, hashOf } from '../store/observations/observation.ts';
import { deleteRelation } from '../store/observations/relation.ts';
import { STRETCH } from '../store/pauses.ts';
import { insertRecordsOf, recordChange, reinstate, retract } from '../store/record.ts';
import { findRow, insertRows, piecesOf, requireRow, updateRows } from '../store/rows.ts';
import type { Schema } from '../store/schema.ts';
import { holdersOf, renewDocuments } from '../store/search/documents.ts';
import type { Tx, WriterRow } from '../store/tx.ts';
import { writerRow } from '../store/writer.ts';
import { blankedBy, calledAs, isBlank, topicOf } from './blank.ts';
import { blankHere } from './blank-here.ts';
import { type By, type Fact, type Facts, factsOf, inTime, isLater, type Kind, nameOf } from './facts.ts';
import { groupsOf } from './groups.ts';
import type { Heard } from './place.ts';

/**
 * Takes in the facts of other machines (Y-1). Facts that are here already change nothing, and the order in which facts come
 * does not matter: the memory is the same in the end.
 * @param theirs all facts that are known, this memory's too @param ours as `factsOf` gives them
 */
export async function hear(writing: Tx, theirs: Facts, ours: Facts): Promise<Heard> {
  const tx = { ...writing, saved: { records: [], changes: [] } }; // Not a save on this machine, so `undo` does not list it (K-6).
  const binding = await bindingIds(tx);
  const before = await forksOf(tx);
  const blanked = await blankHere(tx, theirs, ours);
  const hearing = new Hearing(tx, theirs, blanked.records.length > 0 ? await factsOf(tx) : ours);
  await hearing.all(before.size > 0);
  const forks = await forksOf(tx);
  const sides = [...before.values()].flatMap(({ heads }) => heads.map(({ id }) => id));
  const settled = await settledSince(tx, [...sides, ...(await hearing.settledHere())], forks);
  const overridden = await keepOverridden(tx, binding, forks, settled);
  const isNews = hearing.isNews || blanked.records.length > 0;
  return { from: hearing.from, isNews, forks: [...forks.values()], settled, overridden, blanked };
}

/** The kinds of facts that are stored as records. */
type Recorded = 'decision' | 'outcome' | 'evidence' | 'anchor' | 'observation';

class Hearing {
  readonly #tx: Tx;
  readonly #new: Fact[];
  readonly #ours: Facts;
  readonly #theirs: Facts;
  readonly #erased: Set<string>;
  readonly #textsHere: Map<string, Fact<'text'>[]>;
  readonly #renewed = new Set<number>();
  readonly #made = new Set<number>();
  /** The numbers of the rows made here, by table and id: it saves thousands of queries. */
  readonly #seqs = new Map<string, number>();
  readonly #judged = new Set<string>();
  readonly #writers = new Map<string, WriterRow>();
  readonly from = new Map<string, number>();
  readonly isNews: boolean;

  constructor(tx: Tx, theirs: Facts, ours: Facts) {
    this.#tx = tx;
    this.#ours = ours;
    this.#theirs = theirs;
    const erased = [...theirs.values(), ...ours.values()].filter(({ k }) => k === 'erased');
    this.#erased = new Set(erased.map(({ id }) => id));
    const texts = [...ours.values()].filter((fact) => fact.k === 'text');
    this.#textsHere = Map.groupBy(texts, ({ observation }) => observation);
    const isNews = (fact: Fact) => isLater(fact, ours.get(nameOf(fact)));
    this.#new = [...theirs.values()]
      .filter(isNews)
      // What was blanked here does not come back (Y-7).
      .map((fact) => blankedBy(fact, ours.get(nameOf(fact))))
      .filter(isNews)
      // A secret that another program let through is masked where it comes in (Z-9).
      .map((fact) => (ours.has(nameOf(fact)) ? fact : (maskDeep(fact) as Fact)))
      .concat([...ours.values()].flatMap((fact) => calledAs(fact, theirs)))
      .sort(inTime);
    this.isNews = this.#new.length > 0;
  }

  /** @param isForked whether a chain is forked, so that its order may have changed without news */
  async all(isForked: boolean): Promise<void> {
    if (!this.isNews) return isForked ? this.#chains() : undefined;
    await this.#decisions();
    for (const fact of this.#of('outcome')) await this.#outcome(fact);
    for (const fact of this.#of('evidence')) await this.#evidence(fact);
    for (const fact of this.#of('anchor')) await this.#anchor(fact);
    for (const { from, to, relationship, at } of this.#of('link'))
      if ((await this.#seqOf('decisions', from)) && (await this.#seqOf('decisions', to)))
        await insertEdges(this.#tx, [{ fromId: from, toId: to, relationship, createdAt: at }]);
    await this.#observations();
    for (const fact of this.#of('mark')) await this.#mark(fact);
    // Whatever came: a fork that was settled here since gives its chain another order, and nothing that comes says so.
    await this.#chains();
    for (const fact of this.#of('called')) await this.#called(fact);
    await nameEverything(this.#tx);
    const [first = Number.MAX_SAFE_INTEGER] = this.#made;
    await presentNames(this.#tx, first);
    await renewDocuments(this.#tx, [...this.#renewed]);
    for (const id of this.#judged) await mirrorOutcome(this.#tx, id);
  }

  /** New facts of one kind, by date. */
  #of<K extends Kind>(kind: K): Fact<K>[] {
    return this.#new.filter(({ k, id }) => k === kind && !this.#erased.has(id)) as Fact<K>[];
  }

  /** The transaction with the date and the writer of a fact. */
  #at(fact: Fact): Tx {
    return { ...('by' in fact ? this.#as(fact.by) : this.#tx), now: fact.at };
  }

  #as([author, host, client, session]: By): Tx {
    return { ...this.#tx, writer: { author, host, client, session }, writerRows: new Map() };
  }

  async #records(kind: Recorded, facts: (Fact & { by: By })[]): Promise<number[]> {
    const table = kind === 'outcome' || kind === 'observation' ? 'records' : STORED[kind].table;
    const records: Parameters<typeof insertRecordsOf>[2][number][] = [];
    for (const { id, by } of facts)
      records.push({ writer: await this.#writer(by), ...(table === 'records' && { uid: id }) });
    const seqs = await insertRecordsOf(this.#tx, kind, records);
    for (const [at, seq] of seqs.entries()) {
      const { id, by } = facts[at] as Fact & { by: By };
      this.from.set(by[0], (this.from.get(by[0]) ?? 0) + 1);
      this.#renewed.add(seq);
      this.#made.add(seq);
      this.#seqs.set(`${table} ${id}`, seq);
    }
    return seqs;
  }

  async #record(kind: Recorded, fact: Fact & { by: By }): Promise<number> {
    return (await this.#records(kind, [fact]))[0] as number;
  }

  async #writer(by: By): Promise<WriterRow> {
    const key = JSON.stringify(by);
    const row = this.#writers.get(key) ?? (await writerRow(this.#as(by)));
    this.#writers.set(key, row);
    return row;
  }

  /** The number of the record with an id; undefined where it is not here. */
  async #seqOf(table: 'decisions' | 'evidence' | 'anchors' | 'records', id: string) {
    const made = this.#seqs.get(`${table} ${id}`);
    if (made !== undefined) return made;
    const by = table === 'records' ? { uid: id } : { id };
    return (await findRow(this.#tx, table, by as object))?.seq;
  }

  #versions = () => this.#of('decision').filter((fact) => !this.#ours.has(nameOf(fact)));

  /** Inserts each version as a chain of its own; {@link #chains} then joins them. */
  async #decisions(): Promise<void> {
    // Half as many rows a statement: decisions have many columns, and parameters are limited.
    for (const facts of piecesOf(this.#versions(), STRETCH.rows / 2)) {
      const seqs = await this.#records('decision', facts);
      const place = { version: 1, previousVersion: null, previousVersionId: null } as const;
      const state = { isActive: 0, withdrawn: 0, outcome: null, outcomeReason: null } as const;
      const rows = facts.map(({ id, at, topic, basedOn, ...fact }, index) => ({
        ...{ ...contentOf(fact), ...place, ...state, seq: seqs[index] as number, id, rootId: id },
        ...{ topic, basedOn, createdAt: at, updatedAt: at },
      }));
      await insertRows(this.#tx, 'decisions', rows);
    }
  }

  /** The versions here that were a side and were settled, as is heard only now. */
  async settledHere(): Promise<string[]> {
    const bases = this.#of('decision')
      .map(basesOf)
      .filter(({ length }) => length > 1)
      .flat();
    const here = await findDecisionRows(this.#tx, bases);
    return bases.filter((id) => !this.#made.has(here.get(id)?.seq ?? 0));
  }

  async #outcome(fact: Fact<'outcome'>): Promise<void> {
    const { decision, outcome, reason, at } = fact;
    if (this.#ours.has(nameOf(fact)) || !(await this.#seqOf('decisions', decision))) return;
    const seq = await this.#record('outcome', fact);
    await insertRows(this.#tx, 'outcomes', [
      { seq, decisionId: decision, outcome: outcome as Outcome, reason, createdAt: at },
    ]);
    this.#judged.add(decision);
  }

  async #evidence(fact: Fact<'evidence'>): Promise<void> {
    const { id, decision, content, timestamp } = fact;
    if (!(await this.#seqOf('decisions', decision))) return;
    const here = this.#ours.get(nameOf(fact)) as Fact<'evidence'> | undefined;
    if (here) {
      const row = await requireRow(this.#tx, 'evidence', { id });
      if (here.decision !== decision) await moveEvidence(this.#at(fact), row, decision);
      return;
    }
    const seq = await this.#record('evidence', fact);
    await insertRows(this.#tx, 'evidence', [
      { seq, id, decisionRef: decision, content, timestamp, observationId: null },
    ]);
    if (fact.at !== timestamp) await recordChange(this.#at(fact), 'moved', seq, { after: { decision } });
  }

  async #anchor(fact: Fact<'anchor'>): Promise<void> {
    const { id, hint, type, decision, evidence, at } = fact;
    if (this.#ours.has(nameOf(fact))) return;
    const isHere =
      decision === null
        ? await this.#seqOf('evidence', evidence ?? '')
        : await this.#seqOf('decisions', decision);
    if (!isHere) return;
    const seq = await this.#record('anchor', fact);
    const row = { seq, id, hint, type: type as 'decision_link', createdAt: at };
    await insertRows(this.#tx, 'anchors', [{ ...row, decisionRef: decision, evidenceRef: evidence }]);
    for (const holder of await holdersOf(this.#tx, 'anchor', seq)) this.#renewed.add(holder);
  }

  /** Marks a record as undone, or as active again; renews the documents of the records that it is searched with. */
  async #mark(fact: Fact<'mark'>): Promise<void> {
    for (const [table, kind] of [
      ['decisions', 'decision'],
      ['evidence', 'evidence'],
      ['anchors', 'anchor'],
      ['records', 'outcome'],
    ] as const) {
      const seq = await this.#seqOf(table, fact.id);
      if (seq === undefined) continue;
      await (fact.gone ? retract : reinstate)(this.#at(fact), seq);
      for (const holder of [seq, ...(await holdersOf(this.#tx, kind, seq))]) this.#renewed.add(holder);
      if (kind === 'outcome') this.#judged.add((await requireRow(this.#tx, 'outcomes', { seq })).decisionId);
    }
  }

  /** Joins the versions of each chain, and puts them in order. */
  async #chains(): Promise<void> {
    const tx = this.#tx;
    type Row = Omit<Based, 'isMistake'> &
      Pick<Decision, 'rootId' | 'version' | 'topic'> & { retractedAt: number | null };
    const { rows } = await sql<Row>`
      select d.id, d.root_id, d.version, d.topic, d.based_on, d.created_at, d.withdrawn, d.strength, d.scope, r.retracted_at
      from decisions as d join records as r on r.seq = d.seq order by d.root_id, d.version`.execute(tx.db);
    const news = new Map(this.#of('decision').map((fact) => [fact.id, fact]));
    const groups = groupsOf(rows, news, this.#of('called'), this.#theirs);
    for (const versions of Map.groupBy(rows, ({ id }) => groups.of(id)).values()) {
      const chain = inOrder(
        versions.map((row) => ({
          ...row,
          withdrawn: news.get(row.id)?.withdrawn ?? row.withdrawn,
          isMistake: row.retractedAt !== null,
        })),
      );
      const isPlaced = chain.every(
        ({ id, rootId, version }, at) => rootId === chain[0]?.id && version === at + 1 && !news.has(id),
      );
      if (isPlaced) continue;
      const topic = topicOf(chain, this.#theirs, this.#ours);
      await placeChain(
        tx,
        chain.map(({ id, withdrawn, createdAt }) => ({ id, createdAt, withdrawn: withdrawn === 1 })),
        topic,
      );
      await dateReplaced(tx, chain[0]?.id);
    }
  }

  async #called(fact: Fact<'called'>): Promise<void> {
    const row = await findRow(this.#tx, 'decisions', { id: fact.id });
    if (!row) return;
    const { rootId } = row;
    const [tx, { topic: to, was: from }] = [this.#at(fact), fact];
    const isFree = async (name: string | null) =>
      name !== null && !isBlank(name) && !(await findName(tx, 'topics', name));
    const isUnknown = await isFree(from);
    if (row.topic === to && !isUnknown) return;
    if (isUnknown) await insertTopic({ ...tx, now: row.createdAt }, from ?? '', rootId);
    const taken = to !== null && (await findRow(this.#tx, 'topics', { name: to }));
    await renameChain(tx, { rootId, from, to, ...(to !== null && !taken && { added: to }) });
  }

  async #observations(): Promise<void> {
    const tx = this.#tx;
    for (const id of this.#erased) await this.#erase(id);
    const changed = new Map<string, Fact<'text'>[]>();
    for (const fact of this.#of('text'))
      if (!this.#erased.has(fact.observation) && !this.#ours.has(nameOf(fact)))
        changed.set(fact.observation, [...(changed.get(fact.observation) ?? []), fact]);
    const places = new Map(this.#of('place').map((fact) => [fact.id, fact]));
    const made = new Map(this.#of('observation').map((fact) => [fact.id, fact]));
    for (const [uid, news] of changed) {
      const old = this.#textsHere.get(uid) ?? [];
      const texts = [...old, ...news].sort(inTime);
      const first = made.get(uid);
      const seq =
        (await this.#seqOf('records', uid)) ?? (first && (await this.#record('observation', first)));
      const place = places.get(uid);
      if (seq !== undefined) await this.#texts(seq, texts, first?.at ?? texts[0]?.at ?? 0, place);
    }
    for (const [uid, place] of places) {
      const seq = await this.#seqOf('records', uid);
      // Nothing to do where it was made in this place and has no topic key.
      const isPlaced = made.get(uid)?.at === place.at && place.topicKey === null && this.#made.has(seq ?? 0);
      if (seq !== undefined && !isPlaced) await this.#place(seq, place, made.has(uid));
    }
    const relations: Insertable<Schema['relations']>[] = [];
    for (const { id, from, to, type, note, at, by } of this.#of('relation')) {
      const [fromId, toId] = [await this.#numberOf(from), await this.#numberOf(to)];
      if (fromId === undefined || toId === undefined) continue;
      const { id: writer } = await this.#writer(by);
      relations.push({ fromId, toId, type, note, createdAt: at, writer, uid: id });
    }
    for (const piece of piecesOf(relations, STRETCH.rows))
      await tx.db
        .insertInto('relations')
        .values(piece)
        .onConflict((conflict) => conflict.columns(['fromId', 'toId', 'type']).doNothing())
        .execute();
  }

  async #numberOf(uid: string): Promise<number | undefined> {
    const seq = await this.#seqOf('records', uid);
    return seq === undefined ? undefined : (await requireRow(this.#tx, 'observations', { seq })).id;
  }

  /** Deletes for good what another machine deleted for good (Y-7). */
  async #erase(uid: string): Promise<void> {
    const tx = this.#tx;
    const number = await this.#numberOf(uid);
    const observation = number === undefined ? undefined : await findObservation(tx, number);
    if (observation) await hardDelete(tx, observation);
    const relation = await findRow(tx, 'relations', { uid });
    if (relation) await deleteRelation(tx, relation.id);
  }

  /** Writes all texts that an observation had on any machine, by date: the last is its text, the others its revisions. */
  async #texts(
    seq: number,
    texts: Fact<'text'>[],
    createdAt: number,
    { project = '', scope = 'project', deletedAt = null }: Partial<Fact<'place'>> = {},
  ): Promise<void> {
    const tx = this.#tx;
    const last = texts.at(-1) as Fact<'text'>;
    const { title, content, type, at } = last;
    const { id: writer } = await this.#writer(last.by);
    const contentHash = hashOf(content);
    const said = { title, content, type, contentHash, revisionCount: texts.length - 1, writer };
    const dates = { updatedAt: at, lastSeenAt: at };
    const place = { project, scope, topicKey: null, deletedAt, duplicateCount: 0 };
    this.#renewed.add(seq);
    const here = this.#made.has(seq) ? undefined : await findRow(tx, 'observations', { seq });
    if (here) await updateRows(tx, 'observations', { seq }, { ...said, ...dates });
    else await insertRows(tx, 'observations', [{ seq, ...said, ...place, createdAt, ...dates }]);
    if (!here && texts.length === 1) return;
    const { id: observationId } = await requireRow(tx, 'observations', { seq });
    await tx.db.deleteFrom('observationRevisions').where('observationId', '=', observationId).execute();
    for (const [index, { title, content, type, by }] of texts.slice(0, -1).entries()) {
      const replacedAt = (texts[index + 1] as Fact<'text'>).at;
      const { id: writer } = await this.#writer(by);
      await insertRows(tx, 'observationRevisions', [
        { observationId, revision: index + 1, title, content, type, replacedAt, writer },
      ]);
    }
  }

  /** @param isNew whether the observation itself is new: then its first place is not logged as a change */
  async #place(seq: number, fact: Fact<'place'>, isNew: boolean): Promise<void> {
    const { project, scope, deletedAt } = fact;
    const tx = this.#at(fact);
    const row = await requireRow(tx, 'observations', { seq });
    const { rows: holders } = await sql`
      select seq from observations where project = ${project} and scope = ${scope}
        and topic_key = ${fact.topicKey} and deleted_at is null and seq <> ${seq} limit 1`.execute(tx.db);
    // A topic key belongs to one observation. The one on this machine keeps it.
    const topicKey = holders.length > 0 && deletedAt === null ? null : fact.topicKey;
    await updateRows(tx, 'observations', { seq }, { project, scope, topicKey, deletedAt });
    this.#renewed.add(seq);
    if (isNew && row.createdAt === fact.at) return;
    const after = { project: project || null, scope, topicKey };
    const before = { project: row.project || null, scope: row.scope, topicKey: row.topicKey };
    if (JSON.stringify(after) !== JSON.stringify(before))
      await recordChange(tx, 'moved', seq, { before, after });
    if (deletedAt !== row.deletedAt) {
      const kind = deletedAt === null ? 'restored' : 'deleted';
      await recordChange(tx, kind, seq, deletedAt === null ? { before: { deletedAt: row.deletedAt } } : {});
    }
  }
}
