import { groupsAlike } from '../../domain/alike.ts';
import {
  type Decision,
  defaultScope,
  draftLike,
  GLOBAL_SCOPE,
  howOverridden,
} from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import { patternsIn } from '../../domain/place.ts';
import { matchingHints } from '../../domain/prompt/hints.ts';
import { dayOf, iso } from '../../domain/text/moment.ts';
import { cut } from '../../domain/text/sentence.ts';
import { isProgram } from '../../domain/via.ts';
import { hintsOfRules } from '../../store/decisions/anchor.ts';
import { annotate } from '../../store/decisions/annotation.ts';
import { findDecisions } from '../../store/decisions/decision.ts';
import { chainsLinked } from '../../store/decisions/edge.ts';
import {
  type AgentSave,
  type Before,
  type OutcomeBefore,
  overriddenBy,
  personsOutcomes,
} from '../../store/lists/agent-saves.ts';
import { type Reported, readHappened } from '../../store/lists/happened.ts';
import { shortIds } from '../../store/prefix.ts';
import { lookersOf } from '../../store/reviewed.ts';
import { uncompared } from '../../store/search/uncompared.ts';
import { giveWay } from '../../store/turns.ts';
import type { Tx } from '../../store/tx.ts';
import { toLogged } from '../lists/logged.ts';
import { copiesLeft } from '../results/copies.ts';
import { againstOf } from '../results/similar-decisions.ts';
import { changesBetween, type WordChange } from '../results/word-changes.ts';
import { toBy, toReviewed } from '../results/writer.ts';
import { marksOf } from './marks.ts';
import { type Act, keyOfSave, type Looking, type WaitingItem, type WaitingKind } from './waiting.ts';
import { GROUPS, type GroupKind, type Hint, type Marked, type Words } from './words.ts';

/** Why an item is looked at, in words, and how soon: the greater, the sooner. */
interface Reason {
  group: GroupKind;
  weight: number;
  text: string;
  /** The record that it may hold alongside of. */
  contradicts?: string;
}

/** How soon within what does harm: what is certain of rules, what a model says, what is near a rule by its words, the rest. */
const WEIGHT = { rule: 7, marked: 6, near: 5, hint: 4, outcome: 3, failure: 2, other: 1 };

interface Found {
  item: WaitingItem;
  reasons: Reason[];
  of: Reported;
}

/** What agents saved since the person looked last: first what does harm, then what is alike, then by session (V-3, TR-2). */
export const saved: WaitingKind = async (tx, looking) => {
  const { words } = looking;
  const found = await savedItems(tx, looking);
  const groupOf = ({ reasons }: Found) => GROUPS.find((kind) => reasons.some(({ group }) => group === kind));
  const byGroup = Map.groupBy(found, groupOf);
  const others = byGroup.get(undefined) ?? [];
  // Of one session alone: across sessions good records share words, and one key would undo them all.
  const bySession = Map.groupBy(others, ({ item: { kind, session = '' } }) => `${kind} ${session}`);
  const alike = [...bySession.values()].flatMap((each) =>
    groupsAlike(each.map(({ item: { title = '', text } }) => `${title} ${text}`)).map((places) =>
      places.map((place) => each[place] as Found),
    ),
  );
  const left = new Set(others);
  for (const each of alike.flat()) left.delete(each);
  const waiting = (kind: GroupKind, found: Found[], title = words.titles[kind], session?: string) => ({
    ...{ kind, title, count: found.length },
    ...(session !== undefined && { session }),
    first: (most: number) => Promise.all(found.slice(0, most).map(withChanges)),
  });
  return [
    ...GROUPS.flatMap((kind) => {
      const own = byGroup.get(kind) ?? [];
      const weightOf = ({ reasons }: Found) =>
        Math.max(...reasons.map(({ group, weight }) => (group === kind ? weight : 0)));
      return waiting(
        kind,
        own.toSorted((a, b) => weightOf(b) - weightOf(a)),
      );
    }),
    ...alike.map((own) => waiting('alike', own)),
    ...[...Map.groupBy([...left], ({ item: { session = '' } }) => session)].map(([session, own]) =>
      waiting('session', own, words.session(session.slice(0, SHORT), own[0]?.item.via), session),
    ),
  ];
};

/** Digits of a session's id that are shown. */
const SHORT = 8;

async function savedItems(tx: Tx, { reviewed, saves, compared, words }: Looking): Promise<Found[]> {
  const mains = saves.map(({ main }) => main);
  const reported = await readHappened(tx, mains);
  const ids = reported.flatMap(({ id }, at) => (saves[at]?.main.source === 'decision' && id ? [id] : []));
  const decisions = new Map((await findDecisions(tx, ids)).map((each) => [each.id, each]));
  const before = await overriddenBy(tx, ids, reviewed);
  const outcomes = saves.flatMap(({ main }) => (main.source === 'outcome' ? [main.number] : []));
  const said = await personsOutcomes(tx, outcomes);
  const hintedIn = await hintsIn(tx, reported);
  const markedOf = await marksOf(tx, reviewed);
  const lookers = await lookersOf(tx);
  const items: Found[] = [];
  let left = compared;
  for (const [at, save] of saves.entries()) {
    const report = reported[at] as Reported;
    const found = save.main.source === 'decision' ? decisions.get(report.id ?? '') : undefined;
    // It was compared with what was there when it was saved, whatever date it was given.
    const decision = found && { ...found, createdAt: save.createdAt };
    const hinted = await hintedIn(report, decision);
    const reasons = hinted.map(
      (each): Reason => ({
        ...harm(WEIGHT.hint, words.hinted(each)),
        contradicts: each.rule.id,
      }),
    );
    if (decision) {
      const known = new Set(hinted.map(({ rule }) => rule.id));
      if (left > 0)
        reasons.push(
          ...(await compare(tx, decision, words)).filter(({ contradicts = '' }) => !known.has(contradicts)),
        );
      left -= 1;
      reasons.push(...overriding(before.get(decision.id), decision, words), ...binding(decision, words));
    }
    if (save.main.source === 'outcome') reasons.push(...otherwise(said.get(save.main.number), words));
    if (save.rewrites !== undefined && !isProgram(save.rewrites))
      reasons.push({ group: 'replaced', weight: WEIGHT.other, text: words.rewrites });
    if (report.recorded) reasons.push(harm(WEIGHT.other, words.dated(dayOf(iso(report.dated as number)))));
    // What is only close says little next to a better reason.
    const others = [
      ...(markedOf.get(save.id) ?? []).map((mark) => toReason(mark, words)),
      ...reasons.filter(({ group }) => group !== 'close'),
    ];
    const told = others.length > 0 ? others : reasons;
    const by = lookers(save.id);
    const item = { ...toItem(save, report, told), ...(by.length > 0 && toReviewed(by)) };
    items.push({ item, reasons: told, of: report });
  }
  return items;
}

/** The words of a model are looked at first, whatever words guess. */
function toReason(mark: Marked, words: Words): Reason {
  const { how, other } = mark;
  const isAgainstRule = how === 'contradicts' && other?.strength !== 'normal';
  return {
    ...harm(isAgainstRule ? WEIGHT.rule : WEIGHT.marked, words.marked(mark)),
    // No decision links a note.
    ...(other && !other.id.startsWith('#') && { contradicts: other.id }),
  };
}

/** Which rules and failures texts have the hints of (RE-16): those of another chain that neither links. */
async function hintsIn(tx: Tx, reported: Reported[]) {
  const lists = await hintsOfRules(tx);
  const of = new Map(
    reported.map((each) => {
      const { topic, title = topic, text } = each;
      return [
        each,
        lists.length === 0
          ? []
          : matchingHints(`${(title ?? '').replace(/[:/]/g, ' ')}\n${text ?? ''}`, lists),
      ];
    }),
  );
  const ids = [...new Set([...of.values()].flat().map(({ record }) => record.id))];
  const rules = new Map((await findDecisions(tx, ids)).map((each) => [each.id, each]));
  const refOf = await shortIds(tx, 'decisions', ids);
  return async (each: Reported, own: Decision | undefined): Promise<Hint[]> => {
    const found = of.get(each) ?? [];
    const linked = found.length > 0 && own ? [own.rootId, ...(await chainsLinked(tx, own.rootId))] : [];
    return found.flatMap(({ record: { id }, hints }) => {
      const rule = rules.get(id);
      const isEarlier = rule && (!own || isBefore(own)(rule));
      return rule && isEarlier && !linked.includes(rule.rootId) ? [{ rule, hints, ref: refOf(id) }] : [];
    });
  };
}

function toItem(save: AgentSave, of: Reported, reasons: Reason[]): WaitingItem {
  const {
    kind: listed,
    of: kind = listed,
    what,
    id = '',
    ref = '',
    topic,
    title = topic,
    strength = 'normal',
    ...logged
  } = toLogged(save.main, of, false);
  const isBinding = kind === 'decision' && strength !== 'normal';
  const contradicts = reasons.flatMap((each) => each.contradicts ?? []);
  return {
    key: keyOfSave(save.id),
    ...{ kind, what, id, ref, text: logged.text, at: logged.at },
    ...(title !== undefined && { title }),
    ...(logged.why !== undefined && { why: logged.why }),
    ...(isBinding && { strength }),
    ...toBy(save),
    ...(logged.branch && { branch: logged.branch }),
    session: save.session,
    undo: {
      save: save.id,
      ...(isBinding && strength === 'lock' && { replaces: id }),
      // No other has it in the reason of what is active again.
      ...((isBinding || save.others > 0) && { reasoning: UNDONE }),
    },
    ...(save.others > 0 && { others: save.others }),
    beware: reasons.map(({ text }) => text),
    ...(contradicts.length > 0 && kind in ACTS_OF && { contradicts }),
    acts: ACTS_OF[kind] ?? ['keep', 'undo'],
  };
}

const UNDONE = 'Undone in a review';

const ACTS_OF: Partial<Record<WaitingItem['kind'], Act[]>> = {
  decision: ['keep', 'edit', 'undo', 'withdraw', 'bind'],
  observation: ['keep', 'edit', 'undo'],
  memo: ['keep', 'edit', 'undo'],
};

const harm = (weight: number, text: string): Reason => ({ group: 'harm', weight, text });

/** What a save was warned of: what it may contradict, what failed, and what still says what it replaced. */
async function compare(tx: Tx, decision: Decision, words: Words): Promise<Reason[]> {
  // Others get their turn in between (Z-5).
  await giveWay();
  const copies = await copiesLeft(tx, decision);
  const left =
    copies.length > 0 ? [words.copies(copies.slice(0, MOST_COPIES), copies.length - MOST_COPIES)] : [];
  const reasons = left.map((text): Reason => ({ group: 'replaced', weight: 0, text }));
  if (decision.withdrawn) return reasons;
  const { contradicted, failed, close } = await againstOf(tx, decision.id);
  // What came later was warned of this one.
  const isEarlier = isBefore(decision);
  const against = contradicted.filter(isEarlier);
  const near = close.map(({ decision: other, similarity }) => ({ other, nearness: similarity }));
  const [other] = await uncompared(tx, decision);
  const [rule] = other && other.nearness >= NEAR ? await findDecisions(tx, [other.id]) : [];
  if (other && rule) near.push({ other: rule, nearness: other.nearness / OF_CLOSENESS });
  const [nearest] = near
    .filter(({ other }) => isEarlier(other) && !against.some(({ id }) => id === other.id))
    .sort((a, b) => b.nearness - a.nearness);
  const refOf = await shortIds(tx, 'decisions', [...idsOf(against), ...(nearest ? [nearest.other.id] : [])]);
  const { earlierFailure, failedBasis, names } = (await annotate(tx, [decision]))(decision);
  return [
    ...against.map((other) => ({
      ...harm(
        other.strength === 'normal' ? WEIGHT.other : WEIGHT.near,
        words.contradicts(other, refOf(other.id)),
      ),
      contradicts: other.id,
    })),
    ...failed.map((other) => harm(WEIGHT.failure, words.repeatsOther(other))),
    ...(earlierFailure?.isRepeat ? [harm(WEIGHT.failure, words.repeats(earlierFailure))] : []),
    ...failedBasis.map((basis) => harm(WEIGHT.failure, words.buildsOn(basis, names.get(basis.id)))),
    ...(nearest
      ? [
          {
            group: 'close' as const,
            weight: nearest.nearness,
            text: words.close(nearest.other, refOf(nearest.other.id)),
            contradicts: nearest.other.id,
          },
        ]
      : []),
    ...reasons,
  ];
}

/** Whether a decision was there before another one, in any version. */
const isBefore =
  ({ createdAt }: Decision) =>
  (other: Decision) =>
    other.version > 1 || other.createdAt <= createdAt;

/** In nats: from which on a rule in other words is near, and how many of them are as much as full closeness. */
const NEAR = 8;
const OF_CLOSENESS = 40;

/** Copies that are named. */
const MOST_COPIES = 3;

/** How an agent overrides what a person decided, what binds, or what worked. */
function overriding(was: Before | undefined, decision: Decision, words: Words): Reason[] {
  if (!was || was.withdrawn) return [];
  const how = howOverridden(was, draftLike(decision));
  const isPersons = !isProgram(was.client);
  const isRule = was.strength !== 'normal';
  const facts = [
    ...(was.strength === 'normal' ? [] : [words.facts[was.strength]]),
    ...(was.outcome === 'success' ? [words.facts.worked] : []),
    ...(isPersons ? [words.facts.person] : []),
  ];
  if (!how || facts.length === 0) return [];
  const gone = patternsIn(was.files).filter((each) => !patternsIn(decision.files).includes(each));
  const text = `${words.overriding({ was, now: decision, gone })[how]} (${facts.join(', ')})`;
  const isHarm = isPersons && (isRule || how === 'withdraw');
  return [{ group: isHarm ? 'harm' : 'replaced', weight: isRule ? WEIGHT.rule : WEIGHT.other, text }];
}

/** What a person had said of what an agent gives another outcome. */
function otherwise(before: OutcomeBefore | undefined, words: Words): Reason[] {
  if (!before) return [];
  return [{ group: 'harm', weight: WEIGHT.outcome, text: words.personSaid(before.outcome, before.reason) }];
}

/** Where an axis or a lock binds, and what else holds everywhere though its topic is of one scope. */
function binding(decision: Decision, words: Words): Reason[] {
  const { strength, scope, topic, withdrawn } = decision;
  const isGlobal = scope === GLOBAL_SCOPE;
  const own = defaultScope(topic);
  if (withdrawn) return [];
  if (strength === 'normal')
    return isGlobal && topic?.includes(':') && own !== scope
      ? [{ group: 'everywhere', weight: 0, text: words.widened(own) }]
      : [];
  return [{ group: isGlobal ? 'everywhere' : 'binds', weight: WEIGHT.other, text: words.binds(decision) }];
}

/** An item with what differs from the text that it replaced. */
async function withChanges({ item, of: { was, text } }: Found): Promise<WaitingItem> {
  if (!was || !text || was === text) return item;
  const [of] = await changesBetween({ text: was }, { text });
  return of ? { ...item, changes: readable(of.changes) } : item;
}

/** The part of a text that is kept, from which on its changes are shown word by word; characters shown of any piece. */
const KEPT = 0.3;
const LONGEST_TEXT = 400;
/** Characters shown on each side of what was kept between two changes. */
const AROUND = 40;

/** Two texts that have little in common one after the other; else word by word, without the middle of what was kept. */
function readable(changes: WordChange[]): WordChange[] {
  const without = (kind: WordChange['kind']) =>
    changes.flatMap((each) => (each.kind === kind ? [] : each.text)).join('');
  const [before, after] = [without('added'), without('removed')];
  const kept = changes.reduce((sum, { kind, text }) => sum + (kind === 'same' ? text.length : 0), 0);
  if (kept < KEPT * Math.max(before.length, after.length))
    return [
      { kind: 'removed', text: cut(before, LONGEST_TEXT) },
      { kind: 'added', text: cut(after, LONGEST_TEXT) },
    ];
  return changes.map(({ kind, text }) => ({
    kind,
    text:
      kind === 'same' && text.length > 3 * AROUND
        ? `${text.slice(0, AROUND)} … ${text.slice(-AROUND)}`
        : cut(text, LONGEST_TEXT),
  }));
}
