import * as z from 'zod';
import { invalid } from '../domain/error.ts';
import { requireTime } from '../domain/filter/moment.ts';
import { LIMITS } from '../domain/text/text.ts';
import { earlierSaves } from '../store/lists/agent-saves.ts';
import { beginsAt, isSeen, readReviewed } from '../store/reviewed.ts';
import { TIME, text, wholeNumber } from './fields/basic.ts';
import { defineOperation } from './operation.ts';
import { iso, resultDate } from './results/fields.ts';
import { shownBy } from './results/writer.ts';
import { WAITING } from './review/kinds.ts';
import { type WaitingGroup, type WaitingItem, waitingGroup } from './review/waiting.ts';
import { type Block, counted, date, dim, facts, indented, line, strong, type View, warn } from './view.ts';

export const review = defineOperation({
  name: 'review',
  family: 'decisions',
  title: 'What waits for review',
  summary:
    'Lists what waits for a person. First what was decided twice, and what may still say what was replaced elsewhere. Then what agents saved since the last review: what contradicts, overrides or binds, then what says nearly the same, then the others by session. Then decisions without an outcome after a month, and decisions that build on what failed, name files that are gone, or that files still contradict. After a month without a review it begins with the last week.',
  access: 'read',
  isPersonal: true,
  tool: false,
  input: z.strictObject({
    since: text(TIME, 'Begin with what was saved then: 6w, 2026-10-01').optional(),
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
    limit: wholeNumber(1, 1_000, 'Saves and decisions of each kind at most').default(500),
  }),
  output: z.object({
    groups: z.array(waitingGroup),
    total: z.int(),
    since: resultDate().describe('What agents saved before was left out'),
    older: z.int().describe('Saves of agents that were left out, since they are older'),
    workspace: z.string(),
  }),
  async run(tx, given) {
    const reviewed = await readReviewed(tx);
    const since =
      given.since === undefined ? beginsAt(tx, reviewed) : requireTime('since', given.since, tx.now).from;
    if (since > tx.now)
      throw invalid.wrong_time(
        `review: Expected "since" to be in the past, found ${JSON.stringify(given.since)}.`,
      );
    const { vanished, stale, limit } = given;
    const looking = { reviewed, since, vanished, stale, limit };
    const groups: WaitingGroup[] = [];
    for (const groupsOf of WAITING) groups.push(...(await groupsOf(tx, looking)));
    return {
      groups,
      total: groups.reduce((sum, { items }) => sum + items.length, 0),
      since: iso(since),
      older: (await earlierSaves(tx, reviewed.from, since)).filter((id) => !isSeen(reviewed, id)).length,
    };
  },
  view: ({ groups, total, older, workspace }) => [
    ...(total === 0 ? [line(`Nothing waits for review in workspace ${workspace}.`)] : []),
    ...groups.flatMap(viewGroup),
    ...viewOlder(older),
  ],
});

function viewGroup({ title, items }: WaitingGroup): View {
  return [line(strong(title), dim(`  ${items.length}`)), ...items.flatMap(viewItem), line('')];
}

/** What waits, as a person reads it: what happened, the record, what to beware of, when and by whom. */
export function viewItem(item: WaitingItem): Block[] {
  const { what, title, text, why, strength, others = 0, beware } = item;
  return [
    indented(
      dim(`${what} `),
      ...(title === undefined ? [] : [strong(title), '  ']),
      ...(strength === undefined ? [] : [warn(`${strength} `)]),
      ...(text === title ? [] : [text]),
    ),
    ...beware.map((each) => indented(warn(`! ${each}`))),
    ...(why === undefined ? [] : [indented(dim(`why: ${why}`))]),
    facts(date(item.at), shownBy(item), others > 0 && `and ${counted(others, 'record')} with it`, item.ref),
  ];
}

function viewOlder(older: number): View {
  if (older === 0) return [];
  return [
    line(
      dim(`${counted(older, 'older save')} of agents that nobody looked at: "precedent review --since 6w"`),
    ),
  ];
}
