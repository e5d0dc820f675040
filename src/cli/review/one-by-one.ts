import { bothHold } from '../../domain/copies/both-hold.ts';
import { asPrecedentError, conflict } from '../../domain/error.ts';
import { OUTCOME_WORDS } from '../../domain/outcome.ts';
import { here } from '../../files/surroundings.ts';
import type { MemoryCore } from '../../memory/core.ts';
import type { Result } from '../../operations/index.ts';
import { viewItem } from '../../operations/review.ts';
import { counted, dim, good, indented, line, strong, type View } from '../../operations/view.ts';
import { asking } from '../output/destroy.ts';
import { log, writeOut } from '../output/print.ts';
import { render } from '../output/render.ts';
import { wantsColor, widthOf } from '../output/terminal.ts';

type Review = Result<'review'>;
type Group = Review['groups'][number];
type Item = Group['items'][number];
/** `alongside`: it holds, and so does what it may contradict. */
type Act = Exclude<Item['acts'][number], 'edit' | 'bind' | 'partial'> | 'alongside';

/** Asks one question. @returns undefined where the person has left, by Ctrl-C or Ctrl-D */
type Ask = (question: string) => Promise<string | undefined>;

interface Answer {
  letter: string;
  word: string;
  /** What it does, for `?`. */
  meaning: string;
  act?: Act;
}

const ACTS: Required<Answer>[] = [
  {
    letter: 'k',
    act: 'keep',
    word: 'keep',
    meaning: 'it is right; what is due, such as a missing outcome, comes again in a month',
  },
  { letter: 'e', act: 'withdraw', word: 'end', meaning: 'it was right, but no longer holds' },
  { letter: 'u', act: 'undo', word: 'undo', meaning: 'it was a mistake; agents no longer see it' },
  { letter: 'y', act: 'success', word: OUTCOME_WORDS.success, meaning: 'it turned out well' },
  { letter: 'w', act: 'failed', word: 'wrong', meaning: 'it failed; you are asked why' },
  {
    letter: 'b',
    act: 'alongside',
    word: 'both',
    meaning: 'both hold, or it was not meant; it then says so, here and on every machine',
  },
  {
    letter: 'h',
    act: 'hints',
    word: 'hints',
    meaning: 'words that recall it to agents; you are asked for them',
  },
];
const SKIP: Answer = { letter: 's', word: 'skip', meaning: 'it waits for the next review' };
const BACK: Answer = { letter: 'z', word: 'back', meaning: 'revert the last answer' };
const QUIT: Answer = { letter: 'q', word: 'quit', meaning: 'the answers stay; the next review goes on here' };
const allOf = ({ items }: Group): Answer => {
  const meaning = 'show the whole group; the next answer is for all of it';
  return { letter: 'a', word: `all ${items.length}`, meaning };
};

/** A letter, or the one on the same key of a Korean keyboard. */
const letterOf = (typed: string) =>
  'keuywbhszqa'[[...'ㅏㄷㅕㅛㅈㅠㅗㄴㅋㅂㅁ'].indexOf(typed)] ?? typed.toLowerCase();

/** The reason of a decision that is withdrawn here. */
const WITHDRAWN = 'Withdrawn in a review';

/** One answer that was carried out, and how to revert it. */
interface Done {
  before: Group[];
  word: string;
  keys: string[];
  back(): Promise<unknown>;
}

/**
 * Asks about one item at a time, as `git add -p` does (V-3).
 * @param more what waits now, by how many were skipped
 * @returns what was done, in words
 */
export async function reviewOneByOne(
  memory: MemoryCore,
  first: Review,
  more: (skipped: number) => Promise<Review>,
): Promise<View> {
  let review = first;
  const done: Done[] = [];
  const skipped = new Set<string>();
  // Of what is over the limit nothing is there yet.
  let groups = without(review.groups, []);
  await asking([], async (typed, isOver) => {
    const ask: Ask = async (question) => {
      const said = await typed(question);
      return said === '' && isOver() ? undefined : said;
    };
    let isWhole = false;
    let isShown = false;
    // Whether an answer changed what the other items are compared with.
    let isOld = false;
    while (groups.length > 0 || done.length > 0) {
      if (isOld || (groups.length === 0 && review.left > 0)) {
        review = await more(skipped.size);
        groups = without(
          review.groups,
          [...skipped].map((key) => ({ key, id: key })),
        );
        isOld = false;
      }
      const [group] = groups;
      const items = group?.items.slice(0, isWhole ? undefined : 1) ?? [];
      if (!isShown)
        show(group ? viewOf(group, items) : [line(`${allSeen(skipped.size)} z reverts the last answer.`)]);
      isShown = true;
      const offered = offeredFor(items, group, done);
      const said = await ask(
        [...offered.map(({ letter, word }) => `${letter} ${word}`), '? help: '].join(', '),
      );
      if (said === undefined || (said === '' && !group)) return;
      const answer = offered.find(({ letter }) => letter === letterOf(said));
      if (answer === QUIT) return;
      let next: Group[] | undefined;
      if (answer === BACK) next = await reverted(done);
      else if (answer === SKIP) {
        for (const { key } of items) skipped.add(key);
        next = without(groups, items);
      } else if (answer?.act) {
        const back = await carryOut(memory, ask, answer.act, items, Date.parse(review.since));
        if (back) {
          const did = items.filter(({ key }) => back.keys.includes(key));
          done.push({ before: groups, word: answer.word, ...back });
          show([
            line(
              good(`✔ ${answer.word}: ${did.length === 1 ? nameOf(did[0]) : counted(did.length, 'record')}`),
            ),
          ]);
          next = without(groups, did, answer.act === 'undo' || answer.act === 'withdraw');
          isOld = answer.act !== 'keep' && answer.act !== 'hints';
        }
      } else if (answer) next = groups;
      else show(offered.map(({ letter, word, meaning }) => indented(`${letter}  ${word}: ${meaning}`)));
      if (!next) continue;
      groups = next;
      isWhole = answer?.letter === 'a';
      isShown = false;
    }
  });
  return summary(done, groups, skipped, review);
}

const allSeen = (skipped: number) =>
  skipped === 0 ? 'That was all.' : `That was all but ${counted(skipped, 'skipped item')}, which still wait.`;

/** The answers that do something here. */
function offeredFor(items: Item[], group: Group | undefined, done: Done[]): Answer[] {
  return [
    ...ACTS.filter(({ act }) => items.length > 0 && items.every((item) => can(item, act))),
    ...(items.length > 0 ? [SKIP] : []),
    ...(group && group.items.length > items.length ? [allOf(group)] : []),
    ...(done.length > 0 ? [BACK] : []),
    QUIT,
  ];
}

const can = ({ acts, contradicts }: Item, act: Act) =>
  act === 'alongside' ? contradicts !== undefined : acts.includes(act);

async function reverted(done: Done[]): Promise<Group[] | undefined> {
  const last = done.pop();
  await last?.back();
  show([line(`Reverted: ${last?.word}.`)]);
  return last?.before;
}

/** Does one thing to each item. @returns the keys of those that it was done to, and how to revert it; undefined if none */
async function carryOut(
  memory: MemoryCore,
  ask: Ask,
  act: Act,
  items: Item[],
  since: number,
): Promise<Pick<Done, 'keys' | 'back'> | undefined> {
  const keys: string[] = [];
  let undone = 0;
  try {
    if (act === 'undo') {
      const saves = items.flatMap(({ undo }) => undo ?? []);
      undone = ((await memory.call('undo', { saves })) as Result<'undo'>).saves;
      keys.push(...items.map(({ key }) => key));
    } else
      for (const item of items) {
        if (act !== 'keep' && !(await change(memory, ask, act, item))) break;
        keys.push(item.key);
      }
  } catch (error) {
    log(asPrecedentError(error, log).message);
  }
  if (keys.length === 0) return undefined;
  const mark = (back: boolean) => memory.call('reviewed', { keys, back, since });
  await mark(false);
  const back = async () => {
    if (act === 'undo') await memory.call('undo', { redo: true, last: undone });
    else if (act !== 'keep') await memory.call('undo', { last: keys.length });
    await mark(true);
  };
  return { keys, back };
}

/** Saves one thing, which one undo reverses. @returns false where the person left before it was saved */
async function change(
  memory: MemoryCore,
  ask: Ask,
  act: Exclude<Act, 'keep' | 'undo'>,
  item: Item,
): Promise<boolean> {
  const { id, text } = await present(memory, item);
  const named = item.strength === 'lock' ? { replaces: id } : {};
  if (act === 'withdraw')
    await memory.call('decision_revise', { id, withdrawn: true, reasoning: WITHDRAWN, ...named });
  else if (act === 'alongside') {
    const both = item.contradicts?.map(bothHold) ?? [];
    const said = [...(text ? [text] : []), ...both].join('\n');
    if (item.kind === 'observation')
      await memory.call('mem_update', { id: Number(id.slice(1)), content: said });
    else if (item.kind === 'memo') await memory.call('memo_edit', { infoId: id, fullText: said });
    // The decider, the date and the outcome stay (TR-3).
    else await memory.call('decision_revise', { id, reasoning: said, tidy: true, ...named });
  } else if (act === 'hints') {
    const hints = hintsIn(
      (await ask(`${nameOf(item)}: how would somebody ask for what it rules out? (phrases, with commas) `)) ??
        '',
    );
    if (hints.length === 0) return false;
    const { warnings = [] } = (await memory.call('mama_update', { id, hints })) as Result<'mama_update'>;
    for (const each of warnings) log(each);
    // None of them can be a hint, and nothing was saved.
    if (!((await memory.call('decision_get', { id })) as Result<'decision_get'>).hints) return false;
  } else {
    const reason = act === 'failed' ? await ask(`${nameOf(item)}: why? (Enter for no reason) `) : '';
    if (reason === undefined) return false;
    await memory.call('mama_update', { id, outcome: act, ...(reason !== '' && { reason }) });
  }
  return true;
}

/** Phrases as a person writes them one after the other. */
const hintsIn = (said: string) =>
  said
    .split(/[,，、\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== '');

/**
 * The version that is active now, since undoing and bringing back makes new ones, and its reason; the text of a note or a memo.
 * @throws PrecedentError `conflict` where it says something else than the item
 */
async function present(
  memory: MemoryCore,
  { kind, id }: Item,
): Promise<{ id: string; text?: string | null | undefined }> {
  if (kind !== 'decision') {
    const { observation, memo } = (await memory.call('show', { ref: id })) as Result<'show'>;
    return { id, text: observation?.content ?? memo?.full_text };
  }
  const { decision, versions } = (await memory.call('decision_get', { id })) as Result<'decision_get'>;
  const active = versions.find(({ isActive }) => isActive);
  const saysOther = (['text', 'strength', 'scope'] as const).some(
    (each) => active?.[each] !== decision[each],
  );
  if (active && saysOther)
    throw conflict.not_active(
      `Expected what was shown to be active, found that it was replaced since, by "${active.text}". Nothing was changed.`,
    );
  return { id: active?.id ?? id, text: decision.reasoning };
}

/** The groups without some items, and without empty groups. @param isUndone whether all items with their ids go, too */
function without(groups: Group[], gone: Pick<Item, 'key' | 'id'>[], isUndone = false): Group[] {
  const keys = new Set(gone.map(({ key }) => key));
  const ids = new Set(isUndone ? gone.map(({ id }) => id) : []);
  return groups
    .map((group) => ({
      ...group,
      items: group.items.filter(({ key, id }) => !keys.has(key) && !ids.has(id)),
    }))
    .filter(({ items }) => items.length > 0);
}

const viewOf = ({ title, items }: Group, shown: Item[]): View => [
  line(''),
  line(strong(title), dim(`  ${items.length}`)),
  ...shown.flatMap(viewItem),
];

const nameOf = (item: Item | undefined) => item?.title ?? item?.text ?? '';

function show(view: View): void {
  const { stdout, env } = here();
  const how = { width: widthOf(stdout, env), color: wantsColor(undefined, env, stdout), now: new Date() };
  writeOut(`${render(view, how)}\n`);
}

function summary(done: Done[], groups: Group[], skipped: Set<string>, review: Review): View {
  const { older, workspace } = review;
  const counts = new Map<string, number>();
  for (const { word, keys } of done) counts.set(word, (counts.get(word) ?? 0) + keys.length);
  const acted = new Set(done.flatMap(({ keys }) => keys));
  const waiting = groups.flatMap(({ items }) => items.map(({ key }) => key));
  const left = new Set([...waiting, ...skipped].filter((key) => !acted.has(key))).size + review.left;
  const said = [...counts].map(([word, count]) => `${word} ${count}`).join(', ') || 'nothing was changed';
  const more = older > 0 ? `; ${counted(older, 'older save')}: "precedent review --since 6w"` : '';
  return [
    line(''),
    line(`${said}; ${left === 0 ? 'nothing waits' : `${left} still wait`}${more}`),
    line(dim(`workspace ${workspace}`)),
  ];
}
