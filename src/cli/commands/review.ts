import { dayOf } from '../../domain/text/moment.ts';
import { shownBy } from '../../domain/via.ts';
import { here } from '../../files/surroundings.ts';
import type { MemoryCore } from '../../memory/core.ts';
import type { Result } from '../../operations/index.ts';
import { viewOf } from '../../operations/load.ts';
import { signed } from '../author.ts';
import { staleHere } from '../check/stale.ts';
import { open, using } from '../open.ts';
import { inMarkdown } from '../output/markdown.ts';
import { type Answer, writeOut } from '../output/print.ts';
import { defineCommand } from '../own-command.ts';
import { isPersonHere } from '../person.ts';
import { movedIn } from '../repository/vanished.ts';

/** Patterns whose files are gone, and sentences of files, that one review shows. */
const MOST = 1_000;

export const review = defineCommand({
  name: 'review',
  summary: 'Review what agents saved, one after the other',
  about:
    'Goes through what waits for review. First what agents saved since your last review: saves that contradict, override or bind, then near duplicates, then the others by session. Then decisions without an outcome after a month, and decisions that build on what failed. On a terminal it asks about one at a time, and you answer with a letter and Enter: k keep, e end, u undo, w wrong, b both hold, y worked, s skip. "a" shows the whole group, and the next letter is for all of it. "z" reverts the last answer, "?" explains the letters that apply. After q, the next review goes on there. Outside of a review, "precedent undo REF …" undoes many at once, and "precedent failed REF" records an outcome. Without a terminal, in an agent, and with --json or --markdown, it prints a list. After a month without a review it begins with the last week.',
  examples: ['review', 'review --since 6w', 'review --markdown'],
  options: {
    since: { about: 'begin with what was saved then: 6w, 2026-10-01, yesterday, 지난주', value: 'time' },
    markdown: { about: 'print a list in Markdown' },
    list: { about: 'print a list, also on a terminal' },
  },
  async run({ since, markdown, list }, place, json): Promise<Answer | undefined> {
    const ask = async (memory: MemoryCore) => {
      const { vanished } = await movedIn(memory, place);
      return (await memory.call('review', {
        since,
        vanished: vanished.slice(0, MOST),
        stale: (await staleHere(memory, place)).slice(0, MOST),
      })) as Result<'review'>;
    };
    const { stdin, stdout, stderr, env } = here();
    const isTerminal = stdin.isTTY && stdout.isTTY && stderr.isTTY && env.TERM !== 'dumb';
    if (isTerminal && !markdown && !list && !json && (await isPersonHere()))
      return using(await open(place, { create: 'never' }), async (memory) => {
        const { reviewOneByOne } = await import('../review/one-by-one.ts');
        const found = await ask(memory);
        return { report: found, view: await reviewOneByOne(memory, found) };
      });
    return using(await open(place, { create: 'read', writer: await signed() }), async (memory) => {
      const found = await ask(memory);
      if (!markdown || json) return { report: found, view: await viewOf('review', found) };
      // As it is: lines that are wrapped would be other Markdown.
      writeOut(`${asMarkdown(found, new Date())}\n`);
      return undefined;
    });
  },
});

/** What waits as Markdown, for a mail or a wiki (V-3). */
function asMarkdown({ groups, total, older, workspace }: Result<'review'>, now: Date): string {
  const head = `# Review of ${workspace}, ${dayOf(now.toISOString())}`;
  if (total === 0) return `${head}\n\nNothing waits.`;
  const parts = groups.map(({ title, items }) =>
    [`## ${title} (${items.length})`, '', ...items.flatMap(linesOf)].join('\n'),
  );
  const more = older === 0 ? [] : [`${older} older saves of agents were never looked at.`];
  return [head, ...parts, ...more].join('\n\n');
}

function linesOf(item: Result<'review'>['groups'][number]['items'][number]): string[] {
  const { title, text, why, what, at, ref, strength, beware } = item;
  const name = title === undefined ? '' : `**${inMarkdown(title)}** `;
  const facts = [what, strength, dayOf(at), shownBy(item), `\`${ref}\``].filter(Boolean).join(' · ');
  return [
    `- ${name}${text === title ? '' : `${inMarkdown(text)} `}(${facts})`,
    ...beware.map((each) => `  - ⚠️ ${inMarkdown(each)}`),
    ...(why === undefined ? [] : [`  - why: ${inMarkdown(why)}`]),
  ];
}
