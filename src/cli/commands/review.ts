import { dayOf } from '../../domain/text/moment.ts';
import { shownBy } from '../../domain/via.ts';
import { here } from '../../files/surroundings.ts';
import type { MemoryCore } from '../../memory/core.ts';
import type { Result } from '../../operations/index.ts';
import { viewOf } from '../../operations/load.ts';
import { signed } from '../author.ts';
import { withExistingMemory, withMemoryToRead } from '../open.ts';
import { inMarkdown } from '../output/markdown.ts';
import { type Answer, writeOut } from '../output/print.ts';
import { defineCommand } from '../own-command.ts';
import { movedIn } from '../repository/vanished.ts';

/** Patterns whose files are gone that one review shows. */
const MOST_VANISHED = 1_000;

export const review = defineCommand({
  name: 'review',
  summary: 'Review what agents saved, with one key each',
  about:
    'Goes through what waits for review. First what agents saved since your last review: saves that contradict, override or bind, then near duplicates, then the others by session. Then decisions without an outcome after a month, and decisions that build on what failed. On a terminal one key answers each: k keep, e edit, u undo, w withdraw, b make binding, h both hold, y worked, f failed, p partly, z revert the last key; ? explains them. In a list, numbers choose ("1 3-5u"), a capital acts on the whole group (K, U, S), and "2U" undoes the second and keeps the others. Where an outcome is missing, K records none and asks again in a month. After q, the next review goes on there. Outside of a review, "precedent undo REF …" undoes many at once, and "precedent failed REF" records an outcome. Without a terminal, and with --json or --markdown, it prints a list. After a month without a review it begins with the last week.',
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
        vanished: vanished.slice(0, MOST_VANISHED),
      })) as Result<'review'>;
    };
    const { stdin, stdout, env } = here();
    const isByKeys =
      !markdown && !list && !json && stdin.isTTY === true && stdout.isTTY && env.TERM !== 'dumb';
    if (isByKeys)
      return withExistingMemory(place, async (memory) => {
        const { reviewByKeys } = await import('../review/by-keys.ts');
        const found = await ask(memory);
        return { report: found, view: await reviewByKeys(memory, found) };
      });
    return withMemoryToRead(
      place,
      async (memory) => {
        const found = await ask(memory);
        if (!markdown || json) return { report: found, view: await viewOf('review', found) };
        // As it is: lines that are wrapped would be other Markdown.
        writeOut(`${asMarkdown(found, new Date())}\n`);
        return undefined;
      },
      await signed(),
    );
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
