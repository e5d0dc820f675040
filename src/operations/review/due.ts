import type { Decision } from '../../domain/decision.ts';
import type { Filter } from '../../domain/filter/filter.ts';
import { OUTCOMES, quotedBasis } from '../../domain/outcome.ts';
import { vanishedNote } from '../../domain/place.ts';
import { quoted } from '../../domain/text/text.ts';
import { annotate } from '../../store/decisions/annotation.ts';
import { findDecisions } from '../../store/decisions/decision.ts';
import { importedWaiting } from '../../store/decisions/imported.ts';
import { readOverridden } from '../../store/decisions/overridden.ts';
import { meantBy } from '../../store/lists/meant.ts';
import { listDecisions, notedSince } from '../../store/lists/records.ts';
import { findObservations } from '../../store/observations/observation.ts';
import { MONTH, putOff } from '../../store/reviewed.ts';
import { type Copy, keyOf, lateCopies } from '../../store/search/copies.ts';
import type { Tx } from '../../store/tx.ts';
import { notesOf } from '../results/copies.ts';
import { detailsOf, failureOf, reasonOf } from '../results/details.ts';
import { iso } from '../results/fields.ts';
import { bindingText } from './saved.ts';
import {
  type Act,
  keyOfRecord,
  type Looking,
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
    ...(await dueGroup(tx, looking, {
      kind: 'twice',
      title: 'Decided twice: which holds?',
      filter: { forked: true },
      // It waits until it is settled.
      acts: [],
      beware: async (decisions) => {
        const annotationOf = await annotate(tx, decisions);
        return (decision) => [annotationOf(decision).decidedTwice ?? ''];
      },
    })),
    ...(await dueGroup(tx, looking, {
      kind: 'twice',
      title: 'Replaced on another machine: does it hold?',
      decisions: overridden.map(({ by }) => by),
      acts: ['keep', 'edit', 'withdraw'],
      beware:
        async () =>
        ({ id }) =>
          overridden
            .filter(({ by }) => by.id === id)
            .map(
              ({ was, by }) =>
                `${by.author || 'another machine'} replaced the ${was.strength} ${quoted(was.text)}`,
            ),
    })),
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
    title: 'These may still say what was replaced',
    decisions: await findDecisions(tx, decided),
    acts: ['keep', 'edit', 'withdraw'],
    beware: async () => (decision) => notesOf(of(decision)),
    // No decision links a note.
    contradicts: (decision) => of(decision).flatMap(({ id, rootId }) => (rootId ? [id] : [])),
    others: late.flatMap(({ copy, by }) =>
      copy.kind === 'decision' ? [] : otherItem(copy, ['keep', 'edit'], notesOf(by)),
    ),
  });
};

/** A note or a memo that is due. */
function otherItem(copy: Copy, acts: Act[], beware: string[]): WaitingItem {
  const { kind, title, text, createdAt } = copy;
  const id = keyOf(copy);
  return {
    ...{ key: keyOfRecord(id), kind, what: 'noted', id, ref: id, text, at: iso(createdAt), beware, acts },
    ...(title !== null && { title }),
  };
}

/** Axes and locks that an import brought: agents read them as such until they are kept (Z-14). */
export const imported: WaitingKind = async (tx, looking) =>
  dueGroup(tx, looking, {
    kind: 'imported',
    title: 'An import brought these rules',
    decisions: await findDecisions(tx, await importedWaiting(tx, looking.limit)),
    acts: ['keep', 'edit', 'withdraw'],
    beware: async () => bindingText,
  });

/** Notes that are named of a decision, the newest first. */
const NOTES = 3;

/** Active decisions without an outcome after a month, with what was noted of them since: it may say the outcome. */
export const missingOutcomes: WaitingKind = (tx, looking) =>
  dueGroup(tx, looking, {
    kind: 'outcome',
    title: 'How did these turn out?',
    // Whether a rule that binds worked is hardly a question.
    filter: { outcome: 'pending', until: tx.now - MONTH, strength: 'normal' },
    acts: LOOKED_AT,
    beware: async (decisions) => {
      const ids = decisions.map(({ id }) => id);
      const noted = Map.groupBy(await notedSince(tx, ids), ({ decision }) => decision);
      const said = (id: string) => (noted.get(id) ?? []).slice(0, NOTES);
      return ({ id }) => said(id).map((note) => `noted since: #${note.id} ${quoted(note.title)}`);
    },
  });

/** Active decisions that are due for review (V-5). */
export const toRevisit: WaitingKind = (tx, looking) =>
  dueGroup(tx, looking, {
    kind: 'revisit',
    title: 'Due for review',
    filter: { due: true },
    acts: LOOKED_AT,
    beware: async () => (decision) => [`due for review since ${decision.revisit}`],
  });

/** Active decisions whose grounds failed since. */
export const staleGrounds: WaitingKind = (tx, looking) =>
  dueGroup(tx, looking, {
    kind: 'grounds',
    title: 'These build on what failed',
    filter: { failedBasis: true },
    acts: ['keep', 'edit', 'withdraw'],
    beware: async (decisions) => {
      const annotationOf = await annotate(tx, decisions);
      return (decision) => {
        const { failedBasis, names } = annotationOf(decision);
        return failedBasis.map((basis) => quotedBasis(basis, names.get(basis.id)));
      };
    },
  });

/** Active decisions with a pattern that names nothing any more, as who asks has found (F-3). */
export const placesGone: WaitingKind = async (tx, looking) => {
  const gone = Map.groupBy(looking.vanished, ({ id }) => id);
  return dueGroup(tx, looking, {
    kind: 'places',
    title: 'These name files that are gone',
    decisions: await findDecisions(tx, [...gone.keys()]),
    acts: ['keep', 'withdraw'],
    beware: async () => (decision) => (gone.get(decision.id) ?? []).map(vanishedNote),
  });
};

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
    title: 'Files still say what these replaced',
    decisions: await findDecisions(tx, ids),
    acts: ['keep'],
    beware: async () => (decision) => notesAt(decision.id),
    others: noted.map(({ id, title, content: text, createdAt }) =>
      otherItem({ kind: 'observation', id: `${id}`, title, text, createdAt }, ['keep'], notesAt(`#${id}`)),
    ),
  });
};

/** A kind of decisions that are due: those that pass a filter, or others. */
interface Due extends Pick<WaitingGroup, 'kind' | 'title'> {
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
async function dueGroup(
  tx: Tx,
  { reviewed, limit }: Looking,
  { kind, title, filter, decisions, acts, beware, contradicts, others = [] }: Due,
): Promise<WaitingGroup[]> {
  const later = acts.length === 0 ? new Set() : putOff(tx, reviewed);
  const rows =
    decisions ?? (await listDecisions(tx, await meantBy(tx, filter ?? {}), limit + later.size)).rows;
  const due = rows.filter(({ id }) => !later.has(id)).slice(0, limit);
  if (due.length + others.length === 0) return [];
  const [details, bewareOf] = [await detailsOf(tx, due), await beware(due)];
  const items = due.map((decision): WaitingItem => {
    const { ref, by } = details(decision);
    const why = reasonOf(decision);
    const failure = failureOf(decision);
    return {
      key: keyOfRecord(decision.id),
      ...{ kind: 'decision', what: 'decided', id: decision.id, ref, text: decision.text, acts },
      ...(decision.topic !== null && { title: decision.topic }),
      ...(why && { why }),
      ...(decision.strength !== 'normal' && { strength: decision.strength }),
      at: iso(decision.createdAt),
      ...by,
      ...(contradicts && { contradicts: contradicts(decision) }),
      beware: [...(failure ? [`failed: ${failure}`] : []), ...bewareOf(decision)],
    };
  });
  const all = [...items, ...others.filter(({ id }) => !later.has(id))].slice(0, limit);
  return all.length > 0 ? [{ kind, title, items: all }] : [];
}
