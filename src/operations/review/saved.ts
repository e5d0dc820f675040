import { groupsAlike } from '../../domain/alike.ts';
import { type Decision, draftLike, GLOBAL_SCOPE, howOverridden } from '../../domain/decision.ts';
import { quotedEarlier } from '../../domain/language/failures.ts';
import { quotedBasis } from '../../domain/outcome.ts';
import { patternsIn } from '../../domain/place.ts';
import { quoted } from '../../domain/text/text.ts';
import { isAgent } from '../../domain/via.ts';
import { type Annotation, annotate } from '../../store/decisions/annotation.ts';
import { findDecisions } from '../../store/decisions/decision.ts';
import {
  type AgentSave,
  agentSaves,
  type Before,
  type OutcomeBefore,
  overriddenBy,
  personsOutcomes,
} from '../../store/lists/agent-saves.ts';
import { type Reported, readHappened } from '../../store/lists/happened.ts';
import { isSeen, type Reviewed } from '../../store/reviewed.ts';
import type { Tx } from '../../store/tx.ts';
import { toLogged } from '../lists/logged.ts';
import { contradictionsOf } from '../results/contradicted.ts';
import { toBy } from '../results/writer.ts';
import {
  type Act,
  keyOfSave,
  type Looking,
  type WaitingGroup,
  type WaitingItem,
  type WaitingKind,
} from './waiting.ts';

/** What agents saved since the person looked last: first what does harm, then what is alike, then by session (V-3). */
export const saved: WaitingKind = async (tx, looking) => {
  const items = await savedItems(tx, looking);
  const harm = items.filter(({ beware }) => beware.length > 0);
  const others = items.filter(({ beware }) => beware.length === 0);
  // Of one session alone: across sessions good records share words, and one key would undo them all.
  const alike = [...Map.groupBy(others, ({ kind, session = '' }) => `${kind} ${session}`).values()].flatMap(
    (each) =>
      groupsAlike(each.map(({ title = '', text }) => `${title} ${text}`)).map((places) =>
        places.map((place) => each[place] as WaitingItem),
      ),
  );
  const left = new Set(others);
  for (const item of alike.flat()) left.delete(item);
  const groups: WaitingGroup[] = [
    { kind: 'harm', title: 'Look at these first', items: harm },
    ...alike.map((own): WaitingGroup => ({ kind: 'alike', title: 'These say nearly the same', items: own })),
    ...[...Map.groupBy([...left], ({ session = '' }) => session)].map(([session, own]): WaitingGroup => {
      const title = `Session ${session.slice(0, SHORT)}${viaText(own[0])}`;
      return { kind: 'session', title, session, items: own };
    }),
  ];
  return groups.filter(({ items }) => items.length > 0);
};

/** Digits of a session's id that are shown. */
const SHORT = 8;
const viaText = (item: WaitingItem | undefined) => (item?.via === undefined ? '' : ` via ${item.via}`);

async function savedItems(tx: Tx, { reviewed, since, limit }: Looking): Promise<WaitingItem[]> {
  const saves = (await agentSaves(tx, { after: reviewed.from, since }, limit)).filter(
    ({ id }) => !isSeen(reviewed, id),
  );
  const reported = await readHappened(
    tx,
    saves.map(({ main }) => main),
  );
  const ids = reported.flatMap(({ id }, at) => (saves[at]?.main.source === 'decision' && id ? [id] : []));
  const beware = await bewareOf(tx, ids, reviewed);
  const outcomes = saves.flatMap(({ main }) => (main.source === 'outcome' ? [main.number] : []));
  const before = await personsOutcomes(tx, outcomes);
  return saves.map((save, at) => {
    const { source, number } = save.main;
    const of = reported[at] as Reported;
    return toItem(save, of, source === 'decision' ? beware.get(of.id ?? '') : otherwise(before.get(number)));
  });
}

function toItem(
  save: AgentSave,
  of: Reported,
  { contradicts = [], beware = [] }: Beware = { beware: [] },
): WaitingItem {
  const {
    kind,
    what,
    id = '',
    ref = '',
    topic,
    title = topic,
    strength = 'normal',
    ...logged
  } = toLogged(save.main, of, false);
  const isBinding = kind === 'decision' && strength !== 'normal';
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
    beware,
    ...(contradicts.length > 0 && { contradicts }),
    acts: ACTS_OF[kind] ?? ['keep', 'undo'],
  };
}

const UNDONE = 'Undone in a review';

const ACTS_OF: Partial<Record<WaitingItem['kind'], Act[]>> = {
  decision: ['keep', 'edit', 'undo', 'withdraw', 'bind'],
  observation: ['keep', 'edit', 'undo'],
  memo: ['keep', 'edit', 'undo'],
};

type Beware = Pick<WaitingItem, 'beware' | 'contradicts'>;

/** What each of these decisions contradicts, overrides, binds or repeats, by its id. */
async function bewareOf(tx: Tx, ids: string[], reviewed: Reviewed): Promise<Map<string, Beware>> {
  const decisions = await findDecisions(tx, ids);
  const annotationOf = await annotate(tx, decisions);
  const before = await overriddenBy(tx, ids, reviewed);
  const contradictions = await contradictionsOf(tx, ids);
  return new Map(
    decisions.map((decision) => [
      decision.id,
      {
        contradicts: contradictions.get(decision.id)?.contradicts ?? [],
        beware: [
          ...(contradictions.get(decision.id)?.said ?? []),
          ...overriding(before.get(decision.id), decision),
          ...repeating(annotationOf(decision)),
          ...bindingText(decision),
        ],
      },
    ]),
  );
}

/** How an agent overrides what a person decided, what binds, or what worked. */
function overriding(was: Before | undefined, decision: Decision) {
  if (!was || was.withdrawn) return [];
  const { strength, scope, files } = decision;
  const how = howOverridden(was, draftLike(decision));
  const facts = [
    was.strength !== 'normal' && was.strength,
    was.outcome === 'success' && 'which worked',
    !isAgent(was.client) && 'a person’s',
  ].filter(Boolean);
  const gone = patternsIn(was.files).filter((each) => !patternsIn(files).includes(each));
  const said = {
    withdraw: `withdraws ${quoted(was.text)}`,
    replace: `replaces ${quoted(was.text)}`,
    lower: `lowers it from ${was.strength} to ${strength}`,
    rescope: `moves it from ${was.scope} to ${scope}`,
    unbind: `no longer binds ${quoted(gone.join(', '))}`,
  };
  return how && facts.length > 0 ? [`${said[how]} (${facts.join(', ')})`] : [];
}

/** What a person had said of what an agent gives another outcome. */
function otherwise(before: OutcomeBefore | undefined): Beware {
  if (!before) return { beware: [] };
  const why = before.reason === null ? '' : `: ${quoted(before.reason)}`;
  return { beware: [`a person said ${before.outcome}${why}`] };
}

function repeating({ earlierFailure, failedBasis, names }: Annotation): string[] {
  return [
    ...(earlierFailure?.isRepeat ? [`repeats what failed: ${quotedEarlier(earlierFailure)}`] : []),
    ...failedBasis.map((basis) => `builds on what failed: ${quotedBasis(basis, names.get(basis.id))}`),
  ];
}

/** Where an axis or a lock binds. */
export function bindingText({ strength, scope, withdrawn }: Decision): string[] {
  if (strength === 'normal' || withdrawn) return [];
  return [
    `binds ${scope === GLOBAL_SCOPE ? 'everything' : scope}, as ${strength === 'axis' ? 'an axis' : 'a lock'}`,
  ];
}
