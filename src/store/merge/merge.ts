import type { Facts, Merged } from '../../domain/import/facts.ts';
import { checkpointDocument } from '../decisions/checkpoint.ts';
import { decisionDocument } from '../decisions/decision.ts';
import { evidenceDocument } from '../decisions/evidence.ts';
import { countBrought } from '../decisions/imported.ts';
import { bindingIds } from '../decisions/overridden.ts';
import { analysed } from '../document.ts';
import type { Document } from '../engine.ts';
import { STORED } from '../kinds/kinds.ts';
import { nameEverything, usedSince } from '../names.ts';
import { observationDocument } from '../observations/observation.ts';
import { Pauses } from '../pauses.ts';
import type { Tx } from '../tx.ts';
import { type KeyedFacts, withKeys } from './merge-plan.ts';
import { originsOf, putOrigins } from './origins.ts';
import { planMerge, writeLinks } from './plan.ts';
import type { NewRows } from './rows.ts';

/** New documents after which the planner of a database learns how much there is. */
const MANY = 50;

/** The two kinds of transaction that a merge needs. */
export interface Transactions {
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** Receives how many facts are done, and how many there are. */
type Progress = (done: number, all: number) => void;

/**
 * The one way in for what other tools remember (I-1, I-2), into a used memory as into an empty one. Ids, times, authors and
 * sessions of the source are kept. A record that came before and is the same is left alone; one that changed there gives one
 * revision, outcome or version; one that changed on both sides is reported and left as it is.
 *
 * Texts are analysed before others wait, since that takes long and needs no memory. All else is one transaction, all of it
 * or nothing.
 * @param facts made fit to be kept by `cleanFacts`
 * @param progress receives how many facts are analysed, and how many there are
 */
export async function merge(
  { read, write }: Transactions,
  facts: Facts,
  progress: Progress = () => {},
): Promise<Merged> {
  const all = withKeys(facts);
  const before = await read((tx) => originsOf(tx, facts.source));
  const made = documentsOf(all, (fact) => before.get(fact.importKey)?.hash !== fact.hash);
  const texts = new Texts((done) => progress(done, made.length));
  for (const make of made) await texts.analysed(make());
  return write(async (tx) => {
    const before = await bindingIds(tx);
    const { plan, links } = await planMerge(tx, all);
    await plan.rows.write(tx);
    for (const then of plan.after) await then();
    await nameEverything(tx);
    for (const table of ['topics', 'scopes'] as const) {
      for (const [name, now] of plan.used[table]) await usedSince({ ...tx, now }, table, [name]);
    }
    const { unresolved, warnings } = await writeLinks(tx, links);
    await putOrigins(tx, [...plan.changed.values()]);
    const documents: Document[] = [];
    for (const make of documentsOfRows(plan.rows)) documents.push(await texts.analysed(make()));
    await tx.text.put(
      tx.db,
      documents.sort((a, b) => a.seq - b.seq),
    );
    if (documents.length > MANY) await tx.upkeep.refreshStatistics(tx.db);
    const { merged } = plan;
    return {
      ...merged,
      binding: await countBrought(tx, before, true),
      unresolved: [...merged.unresolved, ...unresolved],
      warnings: [...merged.warnings, ...warnings],
    };
  });
}

/** Documents with their tokens, each analysed once. */
class Texts {
  readonly #known = new Map<string, Document>();
  readonly #pauses = new Pauses();
  readonly #progress: (done: number) => void;

  /** @param progress receives how many were analysed */
  constructor(progress: (done: number) => void) {
    this.#progress = progress;
  }

  async analysed(document: Document): Promise<Document> {
    const name = `${document.title}\0${document.body}`;
    await this.#pauses.before(1, 0);
    const known = this.#known.get(name);
    if (known) return { ...known, seq: document.seq };
    const made = await analysed(document, this.#pauses);
    this.#progress(this.#known.set(name, made).size);
    return made;
  }
}

/** The texts of facts that will be searched. @param isNew which facts are meant */
function documentsOf(
  { decisions, observations, checkpoints }: KeyedFacts,
  isNew: (fact: { importKey: string; hash: string }) => boolean,
): (() => Document)[] {
  const seq = 0;
  return [
    ...decisions.filter(isNew).flatMap((fact) => {
      const { outcome, earlierOutcomes = [], evidence = [] } = fact;
      const topic = fact.isNameless ? null : fact.topic;
      const reasons = [...earlierOutcomes, outcome].flatMap((each) => each?.reason ?? []);
      return [
        () => decisionDocument({ ...fact, seq, topic }, reasons),
        ...evidence.map((each) => () => evidenceDocument({ seq, content: each.text })),
      ];
    }),
    ...observations.filter(isNew).map((fact) => () => observationDocument({ ...fact, seq })),
    ...checkpoints.filter(isNew).map((fact) => () => {
      const openFiles = JSON.stringify(fact.openFiles);
      return checkpointDocument({ ...fact, seq, openFiles });
    }),
  ];
}

/** The searched texts of the new rows. */
function documentsOfRows(rows: NewRows): (() => Document)[] {
  const reasons = Map.groupBy(rows.of('outcomes'), ({ decisionId }) => decisionId);
  const reasonsFor = (id: string) => (reasons.get(id) ?? []).flatMap(({ reason }) => reason ?? []);
  return [
    ...rows
      .of('decisions')
      .map((row) => () => decisionDocument(row as never, reasonsFor(row.tidies ?? row.id))),
    ...Object.values(STORED).flatMap(({ table, document }) =>
      document
        ? rows
            .of(table)
            .filter(isFindable)
            .map((row) => () => document(row as never))
        : [],
    ),
  ];
}

/** No search finds what was deleted. */
function isFindable(row: object): boolean {
  return !('deletedAt' in row && row.deletedAt !== null);
}
