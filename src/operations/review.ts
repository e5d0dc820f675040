import * as z from 'zod';
import { LIMITS } from '../domain/text/text.ts';
import { agentSaves } from '../store/lists/agent-saves.ts';
import { readReviewed } from '../store/reviewed.ts';
import { TIME, text, wholeNumber } from './fields/basic.ts';
import { span } from './lists/compared.ts';
import { defineOperation } from './operation.ts';
import { iso, resultDate } from './results/fields.ts';
import { shownBy, shownReviewed } from './results/writer.ts';
import { askModel, modelAsked } from './review/ask.ts';
import { WAITING } from './review/kinds.ts';
import {
  beginOf,
  type Waiting,
  type WaitingGroup,
  type WaitingItem,
  waitingGroup,
} from './review/waiting.ts';
import { GROUPS, LANGUAGES, WORDS } from './review/words.ts';
import { type Block, counted, date, dim, facts, indented, line, strong, type View, warn } from './view.ts';

export { WORDS };

/** Decisions of agents that are compared with all others at least, and items at most. */
const COMPARED = 300;
const MOST = 10_000;

export const review = defineOperation({
  name: 'review',
  family: 'decisions',
  title: 'What waits for review',
  summary:
    'Lists what waits for a person, what does harm first: what was decided twice; what agents saved that contradicts or overrides; what binds everything; what an import brought; what may still say what was replaced; what replaced what held, or binds a scope. Then what says nearly the same, and the others by session. Then decisions without an outcome after a month, and decisions that build on what failed, or name files that are gone, and rules that had no hints for a month. After a month without a review it begins with the last week.',
  access: 'read',
  isPersonal: true,
  tool: false,
  input: z.strictObject({
    since: text(TIME, 'Show saves from then on: 6w, 2026-10-01').optional(),
    ask: z
      .boolean()
      .default(false)
      .describe(
        'In place of the list a text that asks a model which saves contradict or repeat other records, or bind too much',
      ),
    before: text(20, 'With ask: only saves older than this one, the next of the previous answer').optional(),
    vanished: z
      .array(
        z.strictObject({
          id: text(LIMITS.id, 'Of the decision'),
          called: text(LIMITS.topic, 'Its topic or the beginning of its id'),
          pattern: text(LIMITS.openFile, 'What it names'),
          heir: text(LIMITS.openFile, 'What names the same files now').optional(),
        }),
      )
      .default([])
      .describe('Patterns of decisions whose files are gone, as git has it'),
    stale: z
      .array(
        z.strictObject({
          id: text(LIMITS.id, 'Of the newest version of a decision'),
          note: text(LIMITS.openFile, 'Which file and line still says what it said before'),
        }),
      )
      .default([])
      .describe('Sentences of files that still say what was replaced'),
    language: z.enum(LANGUAGES).default('en').describe('Of titles and reasons'),
    limit: wholeNumber(1, MOST, 'Maximum items').default(500),
  }),
  output: z.object({
    groups: z.array(waitingGroup),
    total: z.int().describe('How many items wait, shown or not'),
    left: z.int().describe('How many of them are not shown, since they are over the limit'),
    notes: z.array(z.string()).describe('What was left out, and how to see it'),
    since: resultDate().describe('What agents saved before was left out'),
    ask: modelAsked.optional().describe('With ask; then the items are saves, and none is in groups'),
    older: z.int().describe('Saves of agents that were left out, since they are older'),
    workspace: z.string(),
  }),
  async run(tx, given) {
    const reviewed = await readReviewed(tx);
    const since = beginOf(tx, reviewed, given.since);
    const { vanished, stale, limit, language } = given;
    const words = WORDS[language];
    const compared = Math.max(limit, COMPARED);
    const { saves, older } = await agentSaves(tx, reviewed, since);
    if (given.ask) {
      const asked = await askModel(tx, saves, given.before);
      return { ...asked, groups: [], older, notes: [], since: iso(since) };
    }
    const looking = { reviewed, saves, compared, vanished, stale, words };
    const waiting: Waiting[] = [];
    for (const groupsOf of WAITING) waiting.push(...[await groupsOf(tx, looking)].flat());
    waiting.sort((a, b) => GROUPS.indexOf(a.kind) - GROUPS.indexOf(b.kind));
    const groups: WaitingGroup[] = [];
    const total = waiting.reduce((sum, { count }) => sum + count, 0);
    let left = total;
    for (const { first, ...group } of waiting.filter(({ count }) => count > 0)) {
      const items = await first(Math.max(0, limit - (total - left)));
      groups.push({ ...group, items });
      left -= items.length;
    }
    const uncompared = saves.filter(({ main }) => main.source === 'decision').length - compared;
    const notes = [
      ...(total === 0 ? [words.nothing(tx.workspace)] : []),
      ...(left > 0 ? [words.left(left, Math.min(MOST, total))] : []),
      ...(uncompared > 0 ? [words.uncompared(uncompared, Math.min(MOST, uncompared + compared))] : []),
      ...(older > 0 ? [words.older(older)] : []),
    ];
    return { groups, total, left, older, notes, since: iso(since) };
  },
  view: ({ groups, notes, ask }) => [
    ...(ask ? [line(ask.text)] : []),
    ...groups.flatMap(viewGroup),
    ...notes.map((each) => line(groups.length > 0 ? dim(each) : each)),
  ],
});

function viewGroup({ title, count, items }: WaitingGroup): View {
  return [line(strong(title), dim(`  ${count}`)), ...items.flatMap(viewItem), line('')];
}

/** What waits, as a person reads it: what happened, the record, what to beware of, when and by whom. */
export function viewItem(item: WaitingItem): Block[] {
  const { what, title, text, changes, why, strength, others = 0, beware } = item;
  return [
    indented(
      dim(`${what} `),
      ...(title === undefined ? [] : [strong(title), '  ']),
      ...(strength === undefined ? [] : [warn(`${strength} `)]),
      ...(changes?.map(span) ?? (text === title ? [] : [text])),
    ),
    ...beware.map((each) => indented(warn(`! ${each}`))),
    ...(why === undefined ? [] : [indented(dim(`why: ${why}`))]),
    facts(
      date(item.at),
      shownBy(item),
      item.reviewed_by && shownReviewed(item.reviewed_by),
      others > 0 && `and ${counted(others, 'record')} with it`,
      item.ref,
    ),
  ];
}
