import { asPrecedentError } from '../../domain/error.ts';
import { here } from '../../files/surroundings.ts';
import type { MemoryCore } from '../../memory/core.ts';
import { viewItem } from '../../operations/review.ts';
import { counted, dim, good, indented, line, strong, type View } from '../../operations/view.ts';
import { editRecord } from '../commands/edit.ts';
import { log, writeOut } from '../output/print.ts';
import { render } from '../output/render.ts';
import { wantsColor, widthOf } from '../output/terminal.ts';
import type { Result } from '../result.ts';
import { END, Keys } from './keys.ts';

type Review = Result<'review'>;
type Group = Review['groups'][number];
type Item = Group['items'][number];
/** `alongside`: it holds next to what it may contradict. */
type Act = Item['acts'][number] | 'alongside';

/** Which key does what. `others` is a whole group. */
const KEYS: Record<string, { act: Act; word: string }> = {
  k: { act: 'keep', word: 'keep' },
  e: { act: 'edit', word: 'edit' },
  u: { act: 'undo', word: 'undo' },
  w: { act: 'withdraw', word: 'withdraw' },
  b: { act: 'bind', word: 'make binding' },
  h: { act: 'alongside', word: 'both hold' },
  y: { act: 'worked', word: 'worked' },
  f: { act: 'failed', word: 'failed' },
  p: { act: 'partly', word: 'partly' },
};
const OUTCOMES = { worked: 'success', failed: 'failed', partly: 'partial' } as const;
/** The same keys of a Korean keyboard. With Shift they are the same, so nothing is done to a whole group by them. */
const ON_KOREAN_KEYS: Record<string, string> = {
  ...{ ㅏ: 'k', ㄷ: 'e', ㅕ: 'u', ㅈ: 'w', ㅠ: 'b', ㅛ: 'y', ㄹ: 'f', ㅔ: 'p' },
  ...{ ㄴ: 's', ㅐ: 'o', ㅗ: 'h', ㅋ: 'z', ㅂ: 'q' },
};
/** What a capital letter does with a whole group; a small one would not say with which of it. */
const FOR_ALL: Act[] = ['keep', 'undo'];
/** The reason of a decision that is withdrawn here. */
const WITHDRAWN = 'Withdrawn in a review';
/** And of what is undone, which an axis or a lock asks for. */
const UNDONE = 'Undone in a review';

/** What was done, and how it is reverted. */
interface Done {
  /** The items that waited before. */
  groups: Group[];
  word: string;
  /** The keys of what it was done to. */
  keys: string[];
  back(): Promise<unknown>;
}

/**
 * Goes through what waits by single keys (V-3). Each key is done at once, the last ones can be reverted, and who quits goes on
 * there the next time.
 * @returns what was done, in words
 */
export async function reviewByKeys(memory: MemoryCore, review: Review): Promise<View> {
  const keys = new Keys(here());
  const done: Done[] = [];
  // What is skipped waits for the next review.
  const skipped = new Set<string>();
  let groups = review.groups;
  try {
    for (;;) {
      const [group] = groups;
      if (!group) break;
      show(group.items.length > 1 && isWhole(group) ? viewWhole(group) : viewOne(group));
      const next = await step(memory, keys, groups, done, skipped, Date.parse(review.since));
      if (next === END) break;
      groups = next;
    }
  } finally {
    keys.close();
  }
  return summary(done, groups, skipped, review);
}

/** One item of a group, to be looked at by itself. */
const alone = (group: Group, item: Item): Group => ({ ...group, kind: 'harm', items: [item] });

const actsOf = ({ acts, contradicts }: Item): Act[] => [
  ...acts,
  ...(contradicts ? ['alongside' as const] : []),
];

/** Whether a group is shown as a whole before its items. */
const isWhole = ({ kind }: Group) => kind === 'alike' || kind === 'session';

/** Waits for keys until something changes. @returns what waits from then on */
async function step(
  memory: MemoryCore,
  keys: Keys,
  groups: Group[],
  done: Done[],
  skipped: Set<string>,
  since: number,
): Promise<Group[] | typeof END> {
  const [group, ...others] = groups as [Group, ...Group[]];
  const [item, ...rest] = group.items as [Item, ...Item[]];
  const isSeveral = isWhole(group) && rest.length > 0;
  let isSure = false;
  for (;;) {
    const typed = await keys.next();
    const key = ON_KOREAN_KEYS[typed] ?? typed;
    const wasSure = isSure;
    isSure = false;
    const low = key.toLowerCase();
    if (key === END || low === 'q' || key === 'escape') return END;
    if (low === 'z') {
      const last = done.pop();
      if (!last) say('Nothing to revert.');
      else {
        await last.back();
        say(`Reverted: ${last.word}.`);
        return last.groups;
      }
      continue;
    }
    if ((key === 's' && !isSeveral) || key === 'S') {
      const passed = key === 'S' ? group.items : [item];
      for (const one of keysOf(passed)) skipped.add(one);
      return key === 'S' ? others : withoutItems(groups, passed);
    }
    if (key === 'A' && isWhole(group)) {
      const whole = groups.filter(isWhole).flatMap(({ items }) => items);
      const unseen = groups.filter((each) => isWhole(each) && each !== group);
      // What nobody has looked at is not kept by one key.
      if (!wasSure && unseen.length > 0) {
        isSure = true;
        const count = unseen.reduce((sum, { items }) => sum + items.length, 0);
        say(
          `A keeps this group, and ${counted(count, 'record')} that you have not seen yet. Press A again to do so.`,
        );
        continue;
      }
      const back = await act(memory, keys, 'keep', whole, since);
      if (back) done.push({ groups, word: KEYS.k?.word ?? '', keys: keysOf(whole), back });
      say(good(`✔ keep: ${counted(whole.length, 'record')}`));
      return withoutItems(groups, whole);
    }
    if (low === 'o' && !isSeveral) {
      show(await opened(memory, item));
      continue;
    }
    const isDigit = /^\d$/.test(key);
    if (isDigit && !isSeveral) {
      say('There is no list to choose from here: each key is for the one shown.');
      continue;
    }
    const place = isSeveral && (isDigit || key === '#') ? await numberFrom(keys, key, group.items.length) : 0;
    const chosenOne = group.items[place - 1];
    if (chosenOne) {
      const left = group.items.filter((each) => each !== chosenOne);
      return [alone(group, chosenOne), ...(left.length > 0 ? [{ ...group, items: left }] : []), ...others];
    }
    if ((key === 'return' || key === 'enter') && isWhole(group) && rest.length > 0)
      return [...group.items.map((each) => alone(group, each)), ...others];
    const meant = KEYS[low];
    const isAll = key !== low;
    const chosen = isAll ? group.items : [item];
    const isClear = isAll ? FOR_ALL.includes(meant?.act as Act) : !isWhole(group) || rest.length === 0;
    if (!meant || !isClear || !chosen.every((each) => actsOf(each).includes(meant.act))) {
      show(key === '?' ? explained(group) : [line(helpOf(group))]);
      continue;
    }
    // What nobody has looked at is not changed by one key.
    if (isAll && !isWhole(group) && rest.length > 0 && !wasSure) {
      isSure = true;
      say(
        `${key} means all ${group.items.length} of this group, and only one is shown. Press ${key} again to do so.`,
      );
      continue;
    }
    try {
      const back = await act(memory, keys, meant.act, chosen, since);
      if (back === undefined) continue;
      done.push({ groups, word: meant.word, keys: keysOf(chosen), back });
      say(good(`✔ ${meant.word}: ${chosen.length === 1 ? nameOf(item) : counted(chosen.length, 'record')}`));
      return withoutItems(groups, chosen, meant.act === 'undo' || meant.act === 'withdraw');
    } catch (error) {
      log(asPrecedentError(error, log).message);
    }
  }
}

/**
 * The number of an item, of a list of so many. Where it can have two digits, Enter ends it: its first digit alone would choose
 * another one.
 * @param first the first digit, or `#`
 */
async function numberFrom(keys: Keys, first: string, most: number): Promise<number> {
  if (first !== '#' && most < 10) return Number(first);
  let digits = first === '#' ? '' : first;
  say(`Which number, 1 to ${most}? End it with Enter.`);
  for (;;) {
    const key = await keys.next();
    if (/^\d$/.test(key)) digits += key;
    else if (key === 'backspace') digits = digits.slice(0, -1);
    else return key === 'return' || key === 'enter' ? Number(digits) : 0;
  }
}

/** Does it. @returns how it is reverted; undefined when nothing was done */
async function act(
  memory: MemoryCore,
  keys: Keys,
  what: Act,
  items: Item[],
  since: number,
): Promise<(() => Promise<unknown>) | undefined> {
  const marks = keysOf(items);
  const mark = (back: boolean) => memory.call('reviewed', { keys: marks, back, since });
  const [{ strength }] = items as [Item];
  const locks = items.flatMap((item) => (item.strength === 'lock' ? [item.id] : []));
  const replaces = locks.length > 0 ? { replaces: locks } : {};
  if (what === 'undo') {
    const saves = items.flatMap(({ save }) => save ?? []);
    const undone = (await memory.call('undo', { saves, reasoning: UNDONE, ...replaces })) as Result<'undo'>;
    await mark(false);
    return async () => {
      await memory.call('undo', { redo: true, last: undone.saves });
      await mark(true);
    };
  }
  const { id, reasoning } = await present(memory, items[0] as Item);
  if (what === 'edit') {
    const answer = await keys.lend(() => editRecord(memory, id, {}));
    if (!answer) return undefined;
  } else if (what === 'withdraw') {
    const named = strength === 'lock' ? { replaces: id } : {};
    await memory.call('decision_revise', { id, withdrawn: true, reasoning: WITHDRAWN, ...named });
  } else if (what === 'alongside') {
    const others = items.flatMap(({ contradicts = [] }) => contradicts);
    const both = others.map((each) => `alongside: ${each}`).join('\n');
    const named = strength === 'lock' ? { replaces: id } : {};
    await memory.call('decision_revise', {
      id,
      reasoning: reasoning ? `${reasoning}\n${both}` : both,
      ...named,
    });
  } else if (what === 'bind') await memory.call('decision_revise', { id, strength: 'lock' });
  else if (what !== 'keep') {
    const reason = what === 'worked' ? '' : await keys.line('Why? (Enter for no reason) ');
    if (reason === undefined) return undefined;
    await memory.call('mama_update', { id, outcome: OUTCOMES[what], ...(reason !== '' && { reason }) });
  }
  await mark(false);
  if (what === 'keep') return () => mark(true);
  return async () => {
    await memory.call('undo', {});
    await mark(true);
  };
}

/** The version that is active now: what was undone and brought back is another one. */
async function present(
  memory: MemoryCore,
  { kind, id }: Item,
): Promise<{ id: string; reasoning?: string | null }> {
  if (kind !== 'decision') return { id };
  const { versions } = (await memory.call('decision_get', { id })) as Result<'decision_get'>;
  return versions.find(({ isActive }) => isActive) ?? { id };
}

async function opened(memory: MemoryCore, { id }: Item): Promise<View> {
  const { loadOperation } = await import('../../operations/load.ts');
  const [shown, { view }] = [await memory.call('show', { ref: id }), await loadOperation('show')];
  return view(shown as never);
}

const keysOf = (items: Item[]) => items.map(({ key }) => key);

/** What waits without some of it, and without what was undone of it; groups that are empty are gone. */
function withoutItems(groups: Group[], gone: Item[], isUndone = false): Group[] {
  const keys = new Set(gone.map(({ key }) => key));
  const ids = new Set(isUndone ? gone.map(({ id }) => id) : []);
  return groups
    .map((group) => ({
      ...group,
      items: group.items.filter(({ key, id }) => !keys.has(key) && !ids.has(id)),
    }))
    .filter(({ items }) => items.length > 0);
}

function viewWhole(group: Group): View {
  return [
    ...headOf(group),
    ...group.items.flatMap((item, at) => [
      indented(
        dim(`${at + 1} ${item.what} `),
        strong(item.title ?? ''),
        `  ${item.text === item.title ? '' : item.text}`,
      ),
    ]),
    line(dim(helpOf(group))),
  ];
}

function viewOne(group: Group): View {
  const [item] = group.items as [Item];
  return [...headOf(group), ...viewItem(item), line(dim(helpOf(group)))];
}

const headOf = ({ title, items }: Group): View => [line(''), line(strong(title), dim(`  ${items.length}`))];

/** The keys that do something here. */
function helpOf(group: Group): string {
  const isMany = group.items.length > 1;
  const acts = new Set(group.items[0] && actsOf(group.items[0]));
  const own = Object.entries(KEYS).filter(([, { act }]) => acts.has(act));
  const single =
    isMany && isWhole(group)
      ? [`1-${group.items.length} one of them`, 'Enter one by one']
      : own.map(([key, { word }]) => `${key} ${word}`);
  const all = isMany
    ? [acts.has('keep') && 'K keep all', acts.has('undo') && 'U undo all', 'S skip all']
    : [];
  const everything = isWhole(group) ? ['A keep all groups'] : [];
  const ofOne = isMany && isWhole(group) ? [] : ['s skip', 'o open'];
  return [...single, ...all, ...everything, ...ofOne, 'z revert', '? more', 'q quit']
    .filter(Boolean)
    .join('  ');
}

/** What each key does, in a sentence. */
const MEANINGS: Record<string, string> = {
  k: 'keep: it is right, and does not wait any longer; what is due comes again in a month',
  e: 'edit: write it anew; what the agent wrote stays as the version before',
  u: 'undo: it was a mistake; agents are shown it no more',
  w: 'withdraw: it held, and holds no longer',
  h: 'both hold: its reason says so from now on, and it is no contradiction any more',
  b: 'make binding: it becomes a lock, which only a call that names it replaces',
  y: 'worked, f failed, p partly: how it turned out',
  '1': 'a number: look at that one of the list, where one is shown; Enter looks at each',
  K: 'keep, U undo, S skip: the whole group at once',
  A: 'keep all groups, also those further down; it asks first',
  s: 'skip: it waits for the next review',
  o: 'open: show the record whole',
  z: 'revert what the last key did',
  q: 'quit: what was done stays, and the next review goes on here',
};
const explained = (group: Group): View => [
  line(helpOf(group)),
  ...Object.entries(MEANINGS).map(([key, meaning]) => indented(`${key}  ${meaning}`)),
];

const nameOf = ({ title, text }: Item) => title ?? text;

function say(what: Parameters<typeof line>[0]): void {
  show([line(what)]);
}

function show(view: View): void {
  const { stdout, env } = here();
  const how = { width: widthOf(stdout, env), color: wantsColor(undefined, env, stdout), now: new Date() };
  writeOut(`${render(view, how)}\n`);
}

function summary(done: Done[], groups: Group[], skipped: Set<string>, { older, workspace }: Review): View {
  const counts = new Map<string, number>();
  for (const { word, keys } of done) counts.set(word, (counts.get(word) ?? 0) + keys.length);
  const acted = new Set(done.flatMap(({ keys }) => keys));
  const waiting = groups.flatMap(({ items }) => keysOf(items));
  const left = new Set([...waiting, ...skipped].filter((key) => !acted.has(key))).size;
  const said = [...counts].map(([word, count]) => `${word} ${count}`).join(', ') || 'nothing was changed';
  const more = older > 0 ? `; ${counted(older, 'older save')}: "precedent review --since 6w"` : '';
  return [
    line(''),
    line(`${said}; ${left === 0 ? 'nothing waits' : `${left} still wait`}${more}`),
    line(dim(`workspace ${workspace}`)),
  ];
}
