import { asPrecedentError } from '../../domain/error.ts';
import { OUTCOME_COMMANDS } from '../../domain/outcome.ts';
import { here } from '../../files/surroundings.ts';
import type { MemoryCore } from '../../memory/core.ts';
import type { Result } from '../../operations/index.ts';
import { viewItem } from '../../operations/review.ts';
import { counted, dim, good, indented, line, strong, type View, warn } from '../../operations/view.ts';
import { editRecord } from '../commands/edit.ts';
import { log, writeOut } from '../output/print.ts';
import { render } from '../output/render.ts';
import { wantsColor, widthOf } from '../output/terminal.ts';
import { chosenBy, END, Keys } from './keys.ts';

type Review = Result<'review'>;
type Group = Review['groups'][number];
type Item = Group['items'][number];
/** `alongside`: it holds, and so does what it may contradict. */
type Act = Item['acts'][number] | 'alongside';

/** Which key does what. */
const KEYS: Record<string, { act: Act; word: string }> = {
  k: { act: 'keep', word: 'keep' },
  e: { act: 'edit', word: 'edit' },
  u: { act: 'undo', word: 'undo' },
  w: { act: 'withdraw', word: 'withdraw' },
  b: { act: 'bind', word: 'make binding' },
  h: { act: 'alongside', word: 'both hold' },
  y: { act: 'success', word: OUTCOME_COMMANDS.success },
  f: { act: 'failed', word: OUTCOME_COMMANDS.failed },
  p: { act: 'partial', word: OUTCOME_COMMANDS.partial },
};
/** The same keys on a Korean keyboard. Shift does not change them, so they never act on a whole group. */
const ON_KOREAN_KEYS: Record<string, string> = {
  ...{ ㅏ: 'k', ㄷ: 'e', ㅕ: 'u', ㅈ: 'w', ㅠ: 'b', ㅛ: 'y', ㄹ: 'f', ㅔ: 'p' },
  ...{ ㄴ: 's', ㅐ: 'o', ㅗ: 'h', ㅋ: 'z', ㅂ: 'q' },
};
/** The actions that a capital letter applies to everything shown. */
const FOR_ALL: Act[] = ['keep', 'undo'];
/** The reason of a decision that is withdrawn here. */
const WITHDRAWN = 'Withdrawn in a review';

/** What one key did, and how to revert it. */
interface Done {
  /** The groups as they were before. */
  groups: Group[];
  word: string;
  /** The keys of the items that it was done to. */
  keys: string[];
  back(): Promise<unknown>;
}

/**
 * Reviews what waits, by single keys (V-3). Each key takes effect at once and can be reverted. After quitting, the next review
 * goes on there.
 * @returns what was done, in words
 */
export async function reviewByKeys(memory: MemoryCore, review: Review): Promise<View> {
  const keys = new Keys(here());
  const done: Done[] = [];
  // What is skipped waits for the next review.
  const skipped = new Set<string>();
  let groups = review.groups.flatMap(pagesOf);
  try {
    for (;;) {
      const [group] = groups;
      if (group) show(viewGroup(group));
      else if (done.length > 0) say('That was all. z reverts the last key, any other ends the review.');
      else break;
      const next = await step(memory, keys, groups, done, skipped, Date.parse(review.since));
      if (next === END) break;
      groups = next;
    }
  } finally {
    keys.close();
  }
  return summary(done, groups, skipped, review);
}

/** Splits a group into parts that fit on the screen, so that one key never changes an item that nobody sees. */
function pagesOf(group: Group): Group[] {
  // Below are the keys, above is the title.
  const room = (here().stdout.rows || 24) - 6;
  const pages: Group[] = [];
  let left = 0;
  for (const item of group.items) {
    const lines = drawn(viewListed(item, group.items.length)).split('\n').length;
    const page = pages.at(-1);
    if (page && lines <= left) page.items.push(item);
    else {
      pages.push({ ...group, items: [item] });
      left = room;
    }
    left -= lines;
  }
  return pages;
}

const actsOf = ({ acts, contradicts }: Item): Act[] => [
  ...acts,
  ...(contradicts ? ['alongside' as const] : []),
];

const NOTHING: Group = { kind: 'session', title: '', items: [] };

/** Whether it holds saves of agents without a warning. */
const isQuiet = ({ kind }: Group) => kind === 'alike' || kind === 'session';
/** Whether `A` keeps two groups together: parts of one import, or quiet ones. */
const areTogether = (one: Group, other: Group) =>
  one.kind === 'imported' ? other.kind === 'imported' : isQuiet(one) && isQuiet(other);

/** Waits for keys until something changes. @returns what waits from then on */
async function step(
  memory: MemoryCore,
  keys: Keys,
  groups: Group[],
  done: Done[],
  skipped: Set<string>,
  since: number,
): Promise<Group[] | typeof END> {
  const [group = NOTHING] = groups;
  const { items } = group;
  const isList = items.length > 1;
  let numbers = '';
  let isSure = false;
  for (;;) {
    const typed = await keys.next();
    const key = ON_KOREAN_KEYS[typed] ?? (typed === 'space' ? ' ' : typed);
    const low = key.toLowerCase();
    const wasSure = isSure;
    isSure = false;
    if (key === END || low === 'q' || key === 'escape') return END;
    if (isList && (/^[\d ,-]$/.test(key) || (key === 'backspace' && numbers !== ''))) {
      numbers = key === 'backspace' ? numbers.slice(0, -1) : numbers + key;
      here().stdout.write(key === 'backspace' ? '\b \b' : key);
      continue;
    }
    const isAll = key !== low;
    const isEverything = key === 'A' && areTogether(group, group);
    const isNumbered = numbers.trim() !== '';
    const chosen = isEverything
      ? groups.filter((each) => areTogether(group, each)).flatMap((each) => each.items)
      : isNumbered
        ? chosenBy(numbers, items)
        : isAll || !isList
          ? items
          : [];
    if (numbers !== '') say('');
    numbers = '';
    if (!chosen) {
      say(`Expected numbers from 1 to ${items.length}, such as 2 or 1 3-5.`);
      continue;
    }
    if (low === 'z') {
      const last = done.pop();
      if (!last) {
        say('Nothing to revert.');
        continue;
      }
      await last.back();
      say(`Reverted: ${last.word}.`);
      return last.groups;
    }
    if (items.length === 0) return END;
    const unseen = chosen.length - items.length;
    // One key does not keep items that nobody has seen.
    if (isEverything && !wasSure && unseen > 0) {
      isSure = true;
      say(
        `A keeps these and ${counted(unseen, 'record')} that you have not seen yet. Press A again to keep them all.`,
      );
      continue;
    }
    if (isList && (key === 'return' || key === 'enter')) {
      const each = chosen.length > 0 ? chosen : items;
      return [...each.map((item) => ({ ...group, items: [item] })), ...withoutItems(groups, each)];
    }
    const meant = KEYS[isEverything ? 'k' : low];
    const isClear = meant && (!isAll || isNumbered || FOR_ALL.includes(meant.act));
    const isMeant =
      low === 's' || low === 'o' || (isClear && items.some((each) => actsOf(each).includes(meant.act)));
    if (!isMeant) show(key === '?' ? explained(group) : [line(helpOf(group))]);
    else if (chosen.length === 0) say(`Which? Type its number first: 2${low}, or 1 3-5${low}.`);
    else if (low === 's') {
      for (const one of keysOf(chosen)) skipped.add(one);
      return withoutItems(groups, chosen);
    } else if (low === 'o') for (const each of chosen) show(await opened(memory, each));
    else if (meant) {
      const able = chosen.filter((each) => actsOf(each).includes(meant.act));
      const back = able.length === chosen.length && (await act(memory, keys, meant.act, able, since));
      if (able.length < chosen.length) say(`"${meant.word}" does not apply to all of these.`);
      if (!back) continue;
      done.push({ groups, word: meant.word, ...back });
      const did = chosen.filter((each) => back.keys.includes(each.key));
      const [first] = did as [Item];
      say(good(`✔ ${meant.word}: ${did.length === 1 ? nameOf(first) : counted(did.length, 'record')}`));
      if (isNumbered && isAll && did.length < items.length) keys.press('K');
      return withoutItems(groups, did, meant.act === 'undo' || meant.act === 'withdraw');
    }
  }
}

/** Does one action to each item. @returns the items that it was done to, and how to revert it; undefined if none */
async function act(
  memory: MemoryCore,
  keys: Keys,
  what: Act,
  items: Item[],
  since: number,
): Promise<Pick<Done, 'keys' | 'back'> | undefined> {
  const did: string[] = [];
  let undone = 0;
  try {
    if (what === 'undo') {
      const saves = items.flatMap(({ undo }) => undo ?? []);
      undone = ((await memory.call('undo', { saves })) as Result<'undo'>).saves;
      did.push(...keysOf(items));
    } else
      for (const item of items) {
        if (what !== 'keep' && !(await change(memory, keys, what, item))) break;
        did.push(item.key);
      }
  } catch (error) {
    log(asPrecedentError(error, log).message);
  }
  if (did.length === 0) return undefined;
  const mark = (back: boolean) => memory.call('reviewed', { keys: did, back, since });
  await mark(false);
  const back = async () => {
    if (what === 'undo') await memory.call('undo', { redo: true, last: undone });
    else if (what !== 'keep') await memory.call('undo', { last: did.length });
    await mark(true);
  };
  return { keys: did, back };
}

/** Saves one thing, which one undo reverses. @returns false where nothing was saved */
async function change(
  memory: MemoryCore,
  keys: Keys,
  what: Exclude<Act, 'keep' | 'undo'>,
  item: Item,
): Promise<boolean> {
  const { id, reasoning } = await present(memory, item);
  const named = item.strength === 'lock' ? { replaces: id } : {};
  if (what === 'edit') return (await keys.lend(() => editRecord(memory, id, {}))) !== undefined;
  if (what === 'withdraw')
    await memory.call('decision_revise', { id, withdrawn: true, reasoning: WITHDRAWN, ...named });
  else if (what === 'alongside') {
    const both = item.contradicts?.map((each) => `alongside: ${each}`) ?? [];
    const because = [...(reasoning ? [reasoning] : []), ...both].join('\n');
    await memory.call('decision_revise', { id, reasoning: because, ...named });
  } else if (what === 'bind') await memory.call('decision_revise', { id, strength: 'lock' });
  else {
    const asked = `${nameOf(item)}: why? (Enter for no reason) `;
    const reason = what === 'success' ? '' : await keys.line(asked);
    if (reason === undefined) return false;
    await memory.call('mama_update', { id, outcome: what, ...(reason !== '' && { reason }) });
  }
  return true;
}

/** The version that is active now: undoing and bringing back makes new versions. */
async function present(
  memory: MemoryCore,
  { kind, id }: Item,
): Promise<{ id: string; reasoning?: string | null }> {
  if (kind !== 'decision') return { id };
  const { versions } = (await memory.call('decision_get', { id })) as Result<'decision_get'>;
  return versions.find(({ isActive }) => isActive) ?? { id };
}

async function opened(memory: MemoryCore, { id }: Item): Promise<View> {
  const { viewOf } = await import('../../operations/load.ts');
  return viewOf('show', await memory.call('show', { ref: id }));
}

const keysOf = (items: Item[]) => items.map(({ key }) => key);

/** The groups without some items, and without empty groups. @param isUndone whether all items with their ids go, too */
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

function viewGroup(group: Group): View {
  const { title, items } = group;
  const [first] = items as [Item];
  return [
    line(''),
    line(strong(title), dim(`  ${items.length}`)),
    ...(items.length === 1 ? viewItem(first) : items.flatMap(viewListed)),
    line(dim(helpOf(group))),
  ];
}

/** An item of a list: its number, and what a person needs to judge it. */
function viewListed({ what, title, text, strength, beware }: Item, place: number): View {
  return [
    indented(
      dim(`${place + 1} ${what} `),
      strong(title ?? ''),
      strength === undefined ? '' : warn(`  ${strength}`),
      `  ${text === title ? '' : text}`,
    ),
    ...beware.map((each) => indented('  ', warn(`! ${each}`))),
  ];
}

/** The keys that do something here. */
function helpOf(group: Group): string {
  const isList = group.items.length > 1;
  const acts = new Set(group.items.flatMap(actsOf));
  const own = Object.entries(KEYS).flatMap(([key, { act, word }]) =>
    acts.has(act) ? [`${key} ${word}`] : [],
  );
  const all = [acts.has('keep') && 'K keep all', acts.has('undo') && 'U undo all', 'S skip all'];
  return [
    ...(isList
      ? [
          ...[...all, areTogether(group, group) && 'A keep all groups'],
          ...[acts.has('undo') && '2U undo 2, keep others', `1-${group.items.length} choose, then`],
        ]
      : []),
    ...[...own, 's skip', 'o open', isList && 'Enter one by one', 'z revert', '? more', 'q quit'],
  ]
    .filter(Boolean)
    .join('  ');
}

/** What each key does, in a sentence. */
const MEANINGS: Record<string, string> = {
  k: 'keep: it is right, so it waits no longer; what is due comes again in a month',
  e: 'edit: write it anew; what the agent wrote stays as the version before',
  u: 'undo: it was a mistake; agents no longer see it',
  w: 'withdraw: it was right, but no longer holds',
  h: 'both hold: its reason then says so, and it no longer counts as a contradiction',
  b: 'make binding: it becomes a lock; only a call that names it can replace it',
  y: 'worked, f failed, p partly: how it turned out',
  '2u': 'undo the second of a list; other keys and several numbers work too: 1 3-5k; 2 and Enter shows it alone',
  '2U': 'undo it, and keep the others that are shown',
  K: 'keep, U undo, S skip: everything shown; K records no outcome: what waits for one comes again in a month',
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
  writeOut(`${drawn(view)}\n`);
}

function drawn(view: View): string {
  const { stdout, env } = here();
  return render(view, {
    width: widthOf(stdout, env),
    color: wantsColor(undefined, env, stdout),
    now: new Date(),
  });
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
