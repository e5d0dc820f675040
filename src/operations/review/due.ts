import { nameOfNote } from '../../domain/copies/both-hold.ts';
import type { Decision } from '../../domain/decision.ts';
import type { Filter } from '../../domain/filter/filter.ts';
import { OUTCOMES } from '../../domain/outcome.ts';
import { hintsOfRules } from '../../store/decisions/anchor.ts';
import { annotate } from '../../store/decisions/annotation.ts';
import { findDecisions } from '../../store/decisions/decision.ts';
import { importedWaiting } from '../../store/decisions/imported.ts';
import { readOverridden } from '../../store/decisions/overridden.ts';
import { meantBy } from '../../store/lists/meant.ts';
import { listDecisions, notedSince } from '../../store/lists/records.ts';
import { findObservations } from '../../store/observations/observation.ts';
import { MONTH, putOff } from '../../store/reviewed.ts';
import { type Copy, keyOf, lateCopies, type Outdated } from '../../store/search/copies.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { detailsOf, failureOf, reasonOf } from '../results/details.ts';
import { iso } from '../results/fields.ts';
import {
  type Act,
  keyOfRecord,
  type Looking,
  type Waiting,
  type WaitingGroup,
  type WaitingItem,
  type WaitingKind,
} from './waiting.ts';

/** What can be done with a decision that is due for review. */
const LOOKED_AT: Act[] = [...OUTCOMES, 'keep', 'edit', 'withdraw'];

/** What machines that did not see each other decided differently (Y-2), and what bound until another one replaced it. */
export const forked: WaitingKind = async (tx, looking) => {
  const overridden = await readOverridden(tx);
  return [
    await dueGroup(tx, looking, {
      kind: 'twice',
      filter: { forked: true },
      // It waits until it is settled.
      acts: [],
      beware: async (decisions) => {
        const annotationOf = await annotate(tx, decisions);
        return (decision) => [looking.words.twice(annotationOf(decision).sides)];
      },
    }),
    await dueGroup(tx, looking, {
      kind: 'replacedThere',
      decisions: overridden.map(({ by }) => by),
      acts: ['keep', 'edit', 'withdraw'],
      beware:
        async () =>
        ({ id }) =>
          overridden
            .filter(({ by }) => by.id === id)
            .map(({ was, by }) => looking.words.replacedElsewhere(by, was)),
    }),
  ];
};

/** What still says what was corrected elsewhere (CC-1): until it is corrected, or its reason says that both hold. */
export const copies: WaitingKind = async (tx, looking) => {
  const late = await lateCopies(tx);
  const byOf = new Map(late.map(({ copy, by }) => [copy.id, by]));
  const of = ({ id }: Decision) => byOf.get(id) ?? [];
  const decided = late.flatMap(({ copy }) => (copy.kind === 'decision' ? [copy.id] : []));
  return dueGroup(tx, looking, {
    kind: 'copies',
    decisions: await findDecisions(tx, decided),
    acts: ['keep', 'edit', 'withdraw'],
    beware: async () => (decision) => outdatedSaid(looking, of(decision)),
    contradicts: (decision) => namesOf(of(decision)),
    others: late.flatMap(({ copy, by }) =>
      copy.kind === 'decision'
        ? []
        : otherItem(copy, ['keep', 'edit'], outdatedSaid(looking, by), namesOf(by)),
    ),
  });
};

/** Names of the records beside which one holds: decisions by their ids, notes by what they say. */
const namesOf = (by: Outdated[]) => by.map(({ id, rootId, next = '' }) => (rootId ? id : nameOfNote(next)));

/** What a record may still say, in the reader's language, the first of it. */
function outdatedSaid({ words }: Looking, by: Outdated[]): string[] {
  const rest = by.length - MOST_LISTED;
  return [...by.slice(0, MOST_LISTED).map(words.outdated), ...(rest > 0 ? [words.more(rest)] : [])];
}

/** A note or a memo that is due. */
function otherItem(copy: Copy, acts: Act[], beware: string[], contradicts: string[] = []): WaitingItem {
  const { kind, title, text, createdAt } = copy;
  const id = keyOf(copy);
  return {
    ...{ key: keyOfRecord(id), kind, what: 'noted', id, ref: id, text, at: iso(createdAt), beware, acts },
    ...(title !== null && { title }),
    ...(contradicts.length > 0 && { contradicts }),
  };
}

/** Axes and locks that an import brought: agents read them as such until they are kept (Z-14). */
export const imported: WaitingKind = async (tx, looking) =>
  dueGroup(tx, looking, {
    kind: 'imported',
    decisions: await findDecisions(tx, await importedWaiting(tx)),
    acts: ['keep', 'edit', 'withdraw'],
    beware: async () => (decision) => [looking.words.binds(decision)],
  });

/** Notes and replaced texts that are named of a decision. */
const MOST_LISTED = 3;

/** Active decisions without an outcome after a month, with what was noted of them since: it may say the outcome. */
export const missingOutcomes: WaitingKind = async (tx, looking) =>
  dueGroup(tx, looking, {
    kind: 'outcome',
    // Whether a rule that binds worked is hardly a question.
    filter: { outcome: 'pending', until: tx.now - MONTH, strength: 'normal' },
    acts: LOOKED_AT,
    beware: async (decisions) => {
      const ids = decisions.map(({ id }) => id);
      const noted = Map.groupBy(await notedSince(tx, ids), ({ decision }) => decision);
      return ({ id }) => {
        const said = noted.get(id) ?? [];
        return [
          ...said.slice(0, MOST_LISTED).map((note) => looking.words.noted(note.id, note.title)),
          ...(said.length > MOST_LISTED ? [looking.words.more(said.length - MOST_LISTED)] : []),
        ];
      };
    },
  });

/** Active decisions that are due for review (V-5). */
export const toRevisit: WaitingKind = async (tx, looking) =>
  dueGroup(tx, looking, {
    kind: 'revisit',
    filter: { due: true },
    acts: LOOKED_AT,
    beware: async () => (decision) => [looking.words.due(decision.revisit ?? '')],
  });

/** Active decisions whose grounds failed since. */
export const staleGrounds: WaitingKind = async (tx, looking) =>
  dueGroup(tx, looking, {
    kind: 'grounds',
    filter: { failedBasis: true },
    acts: ['keep', 'edit', 'withdraw'],
    beware: async (decisions) => {
      const annotationOf = await annotate(tx, decisions);
      return (decision) => {
        const { failedBasis, names } = annotationOf(decision);
        return failedBasis.map((basis) => looking.words.buildsOn(basis, names.get(basis.id)));
      };
    },
  });

/** Active decisions with a pattern that names nothing any more, as who asks has found (F-3). */
export const placesGone: WaitingKind = async (tx, looking) => {
  const gone = Map.groupBy(looking.vanished, ({ id }) => id);
  return dueGroup(tx, looking, {
    kind: 'places',
    decisions: await findDecisions(tx, [...gone.keys()]),
    acts: ['keep', 'withdraw'],
    beware: async () => (decision) => (gone.get(decision.id) ?? []).map(looking.words.vanished),
  });
};

/** Rules that nothing recalls when somebody is about to do otherwise, after a month (RE-16): a save asks for hints sooner. */
export const withoutHints: WaitingKind = async (tx, looking) => {
  const others = new Set([...(await hintsOfRules(tx)).map(({ id }) => id), ...(await importedWaiting(tx))]);
  const until = tx.now - MONTH;
  const [locks, axes] = await together(
    listDecisions(tx, { strength: 'lock', until }, RULES),
    listDecisions(tx, { strength: 'axis', until }, RULES),
  );
  return dueGroup(tx, looking, {
    kind: 'hints',
    decisions: [...locks.rows, ...axes.rows].filter(({ id }) => !others.has(id)),
    acts: ['hints', 'keep', 'edit', 'withdraw'],
    beware: async () => (decision) => [looking.words.binds(decision)],
  });
};
/** Rules of each strength that are looked at. */
const RULES = 10_000;

/** Records whose old text is still said by files, as who asks has found (CC-2). */
export const filesStale: WaitingKind = async (tx, looking) => {
  const stale = Map.groupBy(looking.stale, ({ id }) => id);
  const notesAt = (id: string) => (stale.get(id) ?? []).map(({ note }) => note);
  const ids = [...stale.keys()];
  const noted = await findObservations(
    tx,
    ids.flatMap((id) => (id.startsWith('#') ? Number(id.slice(1)) : [])),
  );
  return dueGroup(tx, looking, {
    kind: 'files',
    decisions: await findDecisions(tx, ids),
    acts: ['keep'],
    beware: async () => (decision) => notesAt(decision.id),
    others: noted.map(({ id, title, content: text, createdAt }) =>
      otherItem({ kind: 'observation', id: `${id}`, title, text, createdAt }, ['keep'], notesAt(`#${id}`)),
    ),
  });
};

/** A kind of decisions that are due: those that pass a filter, or others. */
interface Due extends Pick<WaitingGroup, 'kind'> {
  filter?: Filter;
  decisions?: Decision[];
  acts: Act[];
  beware(decisions: Decision[]): Promise<(decision: Decision) => string[]>;
  /** What it may hold alongside of, by id. */
  contradicts?(decision: Decision): string[];
  /** What else is due of this kind. */
  others?: WaitingItem[];
}

/** The decisions of such a kind, without those that were put off. */
async function dueGroup(tx: Tx, { reviewed, words }: Looking, due: Due): Promise<Waiting> {
  const { kind, filter = {}, decisions, acts, beware, contradicts, others = [] } = due;
  const later = acts.length === 0 ? new Set<string>() : putOff(tx, reviewed);
  const isNow = ({ id }: { id: string }) => !later.has(id);
  const meant = await meantBy(tx, filter);
  const own = decisions?.filter(isNow);
  const beside = others.filter(isNow);
  const count = async (ids?: string[]) => (await listDecisions(tx, { ...meant, ids }, 1)).total;
  const decided = own?.length ?? (await count()) - (later.size > 0 ? await count([...later]) : 0);
  return {
    kind,
    title: words.titles[kind],
    count: decided + beside.length,
    async first(most) {
      const some = own ?? (await listDecisions(tx, meant, most + later.size)).rows.filter(isNow);
      const shown = some.slice(0, most);
      const [details, bewareOf] = [await detailsOf(tx, shown), await beware(shown)];
      const items = shown.map((decision): WaitingItem => {
        const { ref, by, annotation } = details(decision);
        const why = reasonOf(decision);
        const failure = failureOf(decision);
        const against = contradicts?.(decision) ?? [];
        return {
          key: keyOfRecord(decision.id),
          ...{ kind: 'decision', what: 'decided', id: decision.id, ref, text: decision.text, acts },
          ...(decision.topic !== null && { title: decision.topic }),
          ...(why && { why }),
          ...(decision.strength !== 'normal' && { strength: decision.strength }),
          at: iso((annotation.tidied?.decided ?? decision).createdAt),
          ...by,
          ...(against.length > 0 && { contradicts: against }),
          beware: [...(failure ? [words.failed(failure)] : []), ...bewareOf(decision)],
        };
      });
      return [...items, ...beside].slice(0, most);
    },
  };
}
