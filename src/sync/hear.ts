import type { Insertable, Selectable } from 'kysely';
import { areAgreed, basesOf } from '../domain/chain.ts';
import { contentOf } from '../domain/decision.ts';
import { maskDeep } from '../domain/text/masking.ts';
import { REDACTED } from '../domain/text/redaction.ts';
import { findDecisionRows } from '../store/decisions/decision.ts';
import { insertEdges } from '../store/decisions/edge.ts';
import { forksOf, settledSince } from '../store/decisions/fork.ts';
import { mirrorOutcome } from '../store/decisions/outcome.ts';
import { bindingIds, keepOverridden } from '../store/decisions/overridden.ts';
import { STORED } from '../store/kinds/kinds.ts';
import { placeChain, placesIn, supersedesIn } from '../store/merge/chains.ts';
import { keysHere, placeOf } from '../store/merge/observations.ts';
import { inWritingOrder } from '../store/merge/rows.ts';
import { findByTopicKey, findObservationsAt, hardDelete, hashOf } from '../store/observations/observation.ts';
import { deleteRelation } from '../store/observations/relation.ts';
import { STRETCH } from '../store/pauses.ts';
import { insertRecordsOf, recordChange, reinstate, retract } from '../store/record.ts';
import { findRow, insertRows, piecesOf, requireRow, updateRows } from '../store/rows.ts';
import type { Schema } from '../store/schema.ts';
import { holdersOf, renewDocuments } from '../store/search/documents.ts';
import type { Tx, WriterRow } from '../store/tx.ts';
import { writerRow } from '../store/writer.ts';
import { blankedBy, calledAs, type Named, topicOf } from './blank.ts';
import { blankHere } from './blank-here.ts';
import { type By, type Fact, type Facts, factsOf, inTime, isLater, nameOf, ofKind } from './facts.ts';
import { begun, isTaken, misplaced, type Version, versionsNear } from './groups.ts';
import { keepMore } from './kept.ts';
import { nameChains } from './names.ts';
import type { Heard } from './place.ts';
import { RECORDED, type Recorded, tableOf } from './recorded.ts';
import { hearRelations } from './relations.ts';
import { bothRewrote, rewrittenTwice, triedTwice } from './twice.ts';

/**
 * Takes in the facts of other machines (Y-1). Those that are here already change nothing, and their order does not matter.
 * @param theirs all facts that are known, this memory's too @param ours as `factsOf` gives them
 * @param unsaid those of ours that nobody else knows, where theirs are not all; default: those that are not among theirs
 */
export async function hear(writing: Tx, theirs: Facts, ours: Facts, unsaid?: Facts): Promise<Heard> {
  const tx = { ...writing, saved: { records: [], changes: [] } }; // Not a save on this machine, so `undo` does not list it (K-6).
  const [binding, before] = [await bindingIds(tx), await forksOf(tx)];
  const blanked = await blankHere(tx, theirs, ours);
  const hearing = new Hearing(tx, theirs, blanked.records.length > 0 ? await factsOf(tx) : ours, unsaid);
  await hearing.all();
  await keepMore(tx, hearing.news, theirs, ours);
  const forks = await forksOf(tx);
  const sides = [...before.values()].flatMap((fork) => fork.sides.map(({ id }) => id));
  const settled = await settledSince(tx, sides, forks);
  const overridden = await keepOverridden(tx, binding, forks, settled);
  const known = new Set([...settled, ...overridden.map(({ by }) => by)].map(({ id }) => id));
  const unseen = await settledSince(tx, await hearing.settledHere(), forks);
  settled.push(...unseen.filter(({ id }) => !known.has(id)));
  const heard = { forks: [...forks.values()], settled, overridden, blanked, warnings: hearing.warnings };
  return { ...heard, from: hearing.from, bringsNew: hearing.bringsNew || blanked.records.length > 0 };
}

class Hearing {
  readonly #tx: Tx;
  readonly news: Fact[];
  readonly #ours: Facts;
  readonly #theirs: Facts;
  readonly #isUnsaid: (fact: Fact) => boolean;
  readonly #called: Fact<'called'>[];
  readonly #blank: Named[];
  readonly #erased: Set<string>;
  readonly #textsHere: Map<string, Fact<'text'>[]>;
  readonly #renewed = new Set<number>();
  readonly #made = new Set<number>();
  /** The numbers of the rows made here, by kind and id. */
  readonly #seqs = new Map<string, number>();
  readonly #judged = new Set<string>();
  readonly #writers = new Map<string, WriterRow>();
  readonly from = new Map<string, number>();
  readonly warnings: string[] = [];
  readonly bringsNew: boolean;

  constructor(tx: Tx, theirs: Facts, ours: Facts, unsaid?: Facts) {
    this.#tx = tx;
    this.#ours = ours;
    this.#theirs = theirs;
    this.#isUnsaid = (fact) => (unsaid ? unsaid.has(nameOf(fact)) : !theirs.has(nameOf(fact)));
    const erased = [...theirs.values(), ...ours.values()].filter(({ k }) => k === 'erased');
    this.#erased = new Set(erased.map(({ id }) => id));
    this.#textsHere = Map.groupBy(ofKind(ours, 'text'), ({ observation }) => observation);
    const isNewer = (fact: Fact) => isLater(fact, ours.get(nameOf(fact)));
    this.news = [...theirs.values()]
      .filter(isNewer)
      // Texts redacted here do not come back (Y-7).
      .map((fact) => blankedBy(fact, ours.get(nameOf(fact))))
      .filter(isNewer)
      // A secret that another program let through is masked where it comes in (Z-9).
      .map((fact) => (ours.has(nameOf(fact)) ? fact : (maskDeep(fact) as Fact)))
      .sort(inTime);
    this.#called = [...ofKind(ours, 'called'), ...this.#added('called')].sort(inTime);
    this.#blank = [...ours.values()].flatMap((fact) => calledAs(fact, theirs));
    this.bringsNew = this.news.length + this.#blank.length > 0;
  }

  async all(): Promise<void> {
    // Names given only on this machine also affect which topic a name refers to.
    const isRenamed = this.#called.some((fact) => this.#theirs.size > 0 || this.#isUnsaid(fact));
    if (!(await this.#decisions()) && !this.bringsNew && !isRenamed) return;
    await this.#outcomes();
    await this.#evidence();
    await this.#anchors();
    const links = this.#of('link').filter(({ from, to }) => this.#isHere(from) && this.#isHere(to));
    await insertEdges(
      this.#tx,
      links.map(({ from, to, relationship, at: createdAt }) => ({
        ...{ fromId: from, toId: to, relationship, createdAt },
      })),
    );
    await this.#observations();
    for (const fact of this.#of('mark')) await this.#mark(fact);
    const naming = { called: this.#called, blank: this.#blank, ours: this.#ours };
    this.warnings.push(...(await nameChains(this.#tx, naming, (fact) => this.#at(fact))));
    await renewDocuments(this.#tx, [...this.#renewed]);
    for (const id of this.#judged) await mirrorOutcome(this.#tx, id);
    const tried = ofKind(this.#ours, 'outcome').filter(this.#isUnsaid);
    this.warnings.push(...(await triedTwice(this.#tx, this.#of('outcome'), tried)));
  }

  /** New facts of one kind, by date. */
  #of<K extends Fact['k']>(kind: K): Fact<K>[] {
    return this.news.filter(({ k, id }) => k === kind && !this.#erased.has(id)) as Fact<K>[];
  }

  /** New facts whose record does not exist here yet. */
  #added<K extends Fact['k']>(kind: K): Fact<K>[] {
    const all = [this.#ours, this.#theirs] as const;
    return this.#of(kind).filter((fact) => !all[0].has(nameOf(fact)) && !isTaken(fact, ...all));
  }

  #isHere(id: string, k: Recorded = 'decision'): boolean {
    return this.#ours.has(nameOf({ k, id })) || this.#seqs.has(nameOf({ k, id }));
  }

  /** The transaction with the date and the writer of a fact. */
  #at(fact: Fact): Tx {
    return { ...('by' in fact ? this.#as(fact.by) : this.#tx), now: fact.at };
  }

  #as([author, host, client, session]: By): Tx {
    return { ...this.#tx, writer: { author, host, client, session }, writerRows: new Map() };
  }

  /**
   * Inserts records of one kind from new facts.
   * @param rowOf makes the table row of a fact
   * @returns their numbers
   */
  async #insert<K extends Recorded>(
    kind: K,
    facts: Fact<K>[],
    rowOf: (fact: Fact<K>) => object | Promise<object>,
  ): Promise<number[]> {
    const own = tableOf(kind);
    const seqs: number[] = [];
    for (const piece of piecesOf(facts, STRETCH.rows)) {
      const records: Parameters<typeof insertRecordsOf>[2][number][] = [];
      for (const { id, by } of piece)
        records.push({ writer: await this.#writer(by), ...(own === 'records' && { uid: id }) });
      seqs.push(...(await insertRecordsOf(this.#tx, kind, records)));
    }
    const rows: object[] = [];
    for (const [at, fact] of facts.entries()) {
      const seq = seqs[at] as number;
      this.from.set(fact.by[0], (this.from.get(fact.by[0]) ?? 0) + 1);
      this.#renewed.add(seq);
      this.#made.add(seq);
      this.#seqs.set(nameOf(fact), seq);
      rows.push({ ...(await rowOf(fact)), seq });
    }
    await insertRows(this.#tx, STORED[kind].table, inWritingOrder(STORED[kind].table, rows) as never);
    return seqs;
  }

  async #writer(by: By): Promise<WriterRow> {
    const key = JSON.stringify(by);
    const row = this.#writers.get(key) ?? (await writerRow(this.#as(by)));
    this.#writers.set(key, row);
    return row;
  }

  /** The number of the record with an id; undefined where it is not here. */
  async #seqOf(kind: Recorded, id: string): Promise<number | undefined> {
    const made = this.#seqs.get(nameOf({ k: kind, id }));
    if (made !== undefined) return made;
    const table = tableOf(kind);
    const by: object = table === 'records' ? { uid: id, kind } : { id };
    const row: { seq?: number } | undefined = await findRow(this.#tx, table, by);
    return row?.seq;
  }

  /**
   * Joins the versions of each chain, and puts them in order.
   * @returns whether any chain was out of order, which a local save can cause
   */
  async #decisions(): Promise<boolean> {
    const tx = this.#tx;
    const rows = await versionsNear(tx, [...this.#theirs.values(), ...this.news]);
    const facts = begun(this.#added('decision'), (id) => this.#isHere(id));
    const news = new Map(facts.map((fact) => [fact.id, fact]));
    const none = { version: 0, isMistake: false };
    const added = facts.map(({ at, ...fact }) => ({ ...fact, ...none, createdAt: at, rootId: fact.id }));
    const marks = new Map(this.#of('mark').map(({ id, gone }) => [id, gone]));
    const roots = new Map(rows.map(({ id, rootId }) => [id, rootId]));
    // A redacted topic must not join chains.
    const named = [...this.#called, ...this.#blank].map(
      ({ decision: id, topic }) => [roots.get(id) ?? id, topic === REDACTED ? null : topic] as const,
    );
    const names = new Map(named);
    const all = [...rows, ...added].map((row) => ({
      ...{ ...row, isMistake: marks.get(row.id) ?? Boolean(row.isMistake) },
      topic: names.get(row.rootId) ?? row.topic,
    }));
    const chains = misplaced(all, news, this.#theirs);
    const isMade = (chain: Version[]) => chain.every(({ id }) => news.has(id));
    const placed = chains.map((chain) => [chain, topicOf(chain, this.#theirs, this.#ours)] as const);
    // A version that joins an existing chain is stored as its own chain until all versions have their place.
    const rowsOf = placed.flatMap(([chain, topic]) =>
      isMade(chain)
        ? placesIn(chain, topic)
        : chain.flatMap((each) => placesIn([{ ...each, withdrawn: 0 }], each.topic)),
    );
    const places = new Map(rowsOf.map((row) => [row.id, row]));
    for (const { tidies } of facts) if (tidies !== null) this.#judged.add(tidies);
    await this.#insert('decision', facts, ({ id, basedOn, tidies, ...fact }) => ({
      ...{ ...contentOf(fact), basedOn, tidies, outcome: null, outcomeReason: null, ...places.get(id) },
    }));
    await insertEdges(tx, supersedesIn([...places.values()]));
    for (const [chain, topic] of placed) if (!isMade(chain)) await placeChain(tx, chain, topic);
    return placed.length > 0;
  }

  async #outcomes(): Promise<void> {
    const facts = this.#added('outcome').filter(({ decision }) => this.#isHere(decision));
    await this.#insert('outcome', facts, ({ decision, outcome, reason, at }) => {
      this.#judged.add(decision);
      return { decisionId: decision, outcome, reason, createdAt: at };
    });
  }

  async #evidence(): Promise<void> {
    const facts = this.#added('evidence').filter(({ decision }) => this.#isHere(decision));
    await this.#insert('evidence', facts, ({ id, decision, content, timestamp }) => ({
      ...{ id, decisionRef: decision, content, timestamp, observationId: null },
    }));
  }

  /** Sides on this machine that a received version settles. */
  async settledHere(): Promise<string[]> {
    const several = this.#of('decision')
      .map(basesOf)
      .filter((bases) => bases.length > 1);
    const here = await findDecisionRows(this.#tx, several.flat());
    const sides = several.filter((ids) => !areAgreed(ids.flatMap((id) => here.get(id)?.decision ?? [])));
    return sides.flat().filter((id) => !this.#made.has(here.get(id)?.seq ?? 0));
  }

  async #anchors(): Promise<void> {
    const facts = this.#added('anchor').filter(({ decision, evidence }) =>
      decision === null ? this.#isHere(evidence ?? '', 'evidence') : this.#isHere(decision),
    );
    const rowOf = ({ id, hint, type, decision, evidence, at }: Fact<'anchor'>) => ({
      ...{ id, hint, type, createdAt: at, decisionRef: decision, evidenceRef: evidence },
    });
    for (const seq of await this.#insert('anchor', facts, rowOf))
      for (const holder of await holdersOf(this.#tx, 'anchor', seq)) this.#renewed.add(holder);
  }

  /** Marks a record as undone, or as active again, and renews the search documents that contain it. */
  async #mark(fact: Fact<'mark'>): Promise<void> {
    // Observations are skipped: whether one was deleted is part of its `place` fact.
    for (const kind of RECORDED.filter((each) => each !== 'observation')) {
      const seq = await this.#seqOf(kind, fact.id);
      if (seq === undefined) continue;
      // An active version is not undone: the mark waits for the version that takes its place.
      const isActive = kind === 'decision' && (await requireRow(this.#tx, 'decisions', { seq })).isActive;
      if (fact.gone && isActive) continue;
      await (fact.gone ? retract : reinstate)(this.#at(fact), seq);
      for (const holder of [seq, ...(await holdersOf(this.#tx, kind, seq))]) this.#renewed.add(holder);
      if (kind === 'outcome') this.#judged.add((await requireRow(this.#tx, 'outcomes', { seq })).decisionId);
    }
  }

  async #observations(): Promise<void> {
    for (const { k, id } of this.news) if (k === 'erased') await this.#erase(id);
    const isText = (fact: Fact<'text'>) =>
      !this.#erased.has(fact.observation) && !this.#ours.has(nameOf(fact));
    const changed = Map.groupBy(this.#of('text').filter(isText), ({ observation }) => observation);
    const placed = this.#of('place');
    await this.#places(placed.filter((fact) => this.#ours.has(nameOf({ ...fact, k: 'observation' }))));
    const made = await this.#madeObservations(changed, new Map(placed.map((fact) => [fact.id, fact])));
    for (const [uid, news] of changed) {
      const here = (this.#textsHere.get(uid) ?? []).sort(inTime);
      const texts = [...here, ...news].sort(inTime);
      const seq = made.has(uid) && texts.length === 1 ? undefined : await this.#seqOf('observation', uid);
      if (seq === undefined) continue;
      const id = await this.#texts(seq, texts);
      if (bothRewrote(here, news, this.#isUnsaid)) this.warnings.push(rewrittenTwice(id));
    }
    await this.#places(placed.filter(({ id, at }) => made.has(id) && made.get(id) !== at));
    const related = this.#of('relation').filter((fact) => !this.#ours.has(nameOf(fact)));
    await hearRelations(this.#tx, related, (by) => this.#writer(by));
  }

  /** Inserts observations with their newest texts, in their scopes. @returns the date of each, by id */
  async #madeObservations(
    texts: Map<string, Fact<'text'>[]>,
    places: Map<string, Fact<'place'>>,
  ): Promise<Map<string, number>> {
    const facts = this.#added('observation').filter(({ id }) => texts.has(id));
    const hasKeys = facts.some(({ id }) => typeof places.get(id)?.topicKey === 'string');
    const taken = new Set(hasKeys ? (await keysHere(this.#tx)).keys() : []);
    await this.#insert('observation', facts, async ({ id, at }) => {
      const last = texts.get(id)?.toSorted(inTime).at(-1) as Fact<'text'>;
      const place = places.get(id);
      const { project = '', scope = 'project' } = place ?? {};
      const { topicKey = null, deletedAt = null } = place?.at === at ? place : {};
      // A topic key belongs to one observation. The one on this machine keeps it.
      const key = placeOf({ project, scope, topicKey });
      const isFree = deletedAt !== null || !taken.has(key);
      if (deletedAt === null) taken.add(key);
      return {
        ...{ ...(await this.#textRow(last)), revisionCount: 0, createdAt: at, duplicateCount: 0 },
        ...{ project, scope, topicKey: isFree ? topicKey : null, deletedAt },
      };
    });
    return new Map(facts.map(({ id, at }) => [id, at]));
  }

  /** Deletes for good what another machine deleted for good (Y-7). */
  async #erase(uid: string): Promise<void> {
    const tx = this.#tx;
    const seq = (await this.#seqOf('observation', uid)) ?? 0;
    const [observation] = await findObservationsAt(tx, [seq]);
    if (observation) await hardDelete(tx, observation);
    const relation = await findRow(tx, 'relations', { uid });
    if (relation) await deleteRelation(tx, relation.id);
  }

  async #textRow({ title, content, type, at, by }: Fact<'text'>) {
    const { id: writer } = await this.#writer(by);
    return { title, content, type, contentHash: hashOf(content), writer, updatedAt: at, lastSeenAt: at };
  }

  /**
   * Writes all texts that an observation had on any machine, by date: the last is its text, the others its revisions.
   * @returns its number
   */
  async #texts(seq: number, texts: Fact<'text'>[]): Promise<number> {
    const tx = this.#tx;
    this.#renewed.add(seq);
    const row = { ...(await this.#textRow(texts.at(-1) as Fact<'text'>)), revisionCount: texts.length - 1 };
    const [{ id: observationId } = { id: 0 }] = await updateRows(tx, 'observations', { seq }, row);
    await tx.db.deleteFrom('observationRevisions').where('observationId', '=', observationId).execute();
    const revisions: Insertable<Schema['observationRevisions']>[] = [];
    for (const [index, { title, content, type, by }] of texts.slice(0, -1).entries()) {
      const replacedAt = (texts[index + 1] as Fact<'text'>).at;
      const { id: writer } = await this.#writer(by);
      revisions.push({ observationId, revision: index + 1, title, content, type, replacedAt, writer });
    }
    await insertRows(tx, 'observationRevisions', revisions);
    return observationId;
  }

  /** Places observations in the order of their dates. The topic keys of moved ones go first: others may have them now. */
  async #places(facts: Fact<'place'>[]): Promise<void> {
    const rows = new Map<Fact<'place'>, Selectable<Schema['observations']>>();
    for (const fact of facts) {
      const seq = (await this.#seqOf('observation', fact.id)) ?? 0;
      const row = await requireRow(this.#tx, 'observations', { seq });
      const isMoved = placeOf(row) !== placeOf(fact) || row.deletedAt !== fact.deletedAt;
      if (isMoved) await updateRows(this.#tx, 'observations', { seq }, { topicKey: null });
      rows.set(fact, row);
    }
    for (const [fact, row] of rows) await this.#place(fact, row);
  }

  async #place(fact: Fact<'place'>, row: Selectable<Schema['observations']>): Promise<void> {
    const [tx, { project, scope, deletedAt }, { seq }] = [this.#at(fact), fact, row];
    // A topic key belongs to one observation. The one on this machine keeps it.
    const holder = deletedAt === null ? await findByTopicKey(tx, fact) : undefined;
    const topicKey = holder === undefined || holder.seq === seq ? fact.topicKey : null;
    await updateRows(tx, 'observations', { seq }, { project, scope, topicKey, deletedAt });
    this.#renewed.add(seq);
    const after = { project: project || null, scope, topicKey };
    const before = { project: row.project || null, scope: row.scope, topicKey: row.topicKey };
    // `factsOf` dates a place by its newest change, so a change is recorded even if the place is the same, or
    // another observation keeps the key.
    if (deletedAt === row.deletedAt || placeOf(after) !== placeOf(before))
      await recordChange(tx, 'moved', seq, { before, after });
    if (deletedAt === row.deletedAt) return;
    if (deletedAt !== null) await recordChange(tx, 'deleted', seq);
    else await recordChange(tx, 'restored', seq, { before: { deletedAt: row.deletedAt } });
  }
}
