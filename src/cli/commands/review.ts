import { resolve } from 'node:path';
import { notFound } from '../../domain/error.ts';
import { dayOf } from '../../domain/text/moment.ts';
import { forShell } from '../../domain/text/text.ts';
import { shownBy } from '../../domain/via.ts';
import { readBounded, SMALL } from '../../files/bounded.ts';
import { here } from '../../files/surroundings.ts';
import type { MemoryCore } from '../../memory/core.ts';
import type { Result } from '../../operations/index.ts';
import { viewOf } from '../../operations/load.ts';
import { signed } from '../author.ts';
import { staleHere } from '../check/stale.ts';
import { typedOrRead } from '../input/fields.ts';
import { decode } from '../input/utf8.ts';
import { open, using } from '../open.ts';
import { inMarkdown } from '../output/markdown.ts';
import { type Answer, log, writeOut } from '../output/print.ts';
import { languageOf } from '../output/terminal.ts';
import { defineCommand } from '../own-command.ts';
import { isPersonHere } from '../person.ts';
import { movedIn } from '../repository/vanished.ts';

/** Patterns whose files are gone, and sentences of files, that one review is told of: a call takes 5,000 values. */
const MOST = 500;

export const review = defineCommand({
  name: 'review',
  summary: 'Review what agents saved, one after the other',
  about:
    'Goes through what waits for review. First what does harm: saves of agents that contradict or override, that bind everything, rules of an import, what still says what was replaced, and saves that replaced what held. Then near duplicates, and the others by session. Then decisions without an outcome after a month, decisions that build on what failed, and rules that had no hints for a month. On a terminal it asks about one at a time, and you answer with a letter and Enter: k keep, e end, u undo, w wrong, b both hold, y worked, h hints, s skip. "a" shows the whole group, and the next letter is for all of it. "z" reverts the last answer, "?" explains the letters that apply. After q, the next review goes on there. Outside of a review, "precedent undo REF …" undoes many at once, and "precedent failed REF" records an outcome. Without a terminal, in an agent, and with --json or --markdown, it prints a list. After a month without a review it begins with the last week. Contradictions in other words are found by a model: paste what --ask prints into one, and pipe its answer to --answers. The next review then shows what it says.',
  examples: ['review', 'review --since 6w', 'review --ask'],
  options: {
    since: { about: 'show saves from then on: 6w, 2026-10-01, yesterday, 지난주', value: 'time' },
    markdown: { about: 'print a list in Markdown' },
    list: { about: 'print a list, also on a terminal' },
    ask: { about: 'print a text that asks a model what contradicts, repeats or binds too much' },
    before: { about: 'with --ask: go on with older saves, as the last --ask says', value: 'save' },
    answers: {
      about: 'the lines that a model answered, to be shown in the next review (- reads standard input)',
      value: 'file',
    },
    limit: { about: 'show at most this many (default 500)', value: 'number' },
  },
  async run(
    { since, markdown, list, limit, ask: asks, before, answers },
    place,
    json,
  ): Promise<Answer | undefined> {
    const { stdin, stdout, stderr, env } = here();
    if (answers !== undefined) {
      const lines = answers === '-' ? await typedOrRead('-') : readAnswers(answers);
      return using(await open(place, { create: 'never', writer: await signed() }), async (memory) => {
        const report = (await memory.call('marks_save', { answers: lines })) as Result<'marks_save'>;
        return { report, view: await viewOf('marks_save', report) };
      });
    }
    if (asks)
      return using(await open(place, { create: 'read', writer: await signed() }), async (memory) => {
        const report = (await memory.call('review', { since, ask: true, before })) as Result<'review'>;
        if (json) return { report, view: [] };
        // As it is: it is for a model.
        writeOut(`${report.ask?.text}\n`);
        log(goOn(report, since));
        return undefined;
      });
    const language = languageOf(env);
    const ask = async (memory: MemoryCore, most = limit === undefined ? MOST_ITEMS : Number(limit)) => {
      const { vanished } = await movedIn(memory, place);
      const stale = await staleHere(memory, place, language);
      const found = (await memory.call('review', {
        ...{ since, language, limit: most },
        vanished: vanished.slice(0, MOST),
        stale: stale.slice(0, MOST),
      })) as Result<'review'>;
      const over = [
        vanished.length > MOST &&
          `${vanished.length - MOST} more name files that are gone: settle these first`,
        stale.length > MOST && `${stale.length - MOST} more sentences of files: "precedent check --stale"`,
      ].filter((each) => each !== false);
      return { ...found, notes: [...found.notes, ...over] };
    };
    const isTerminal = stdin.isTTY && stdout.isTTY && stderr.isTTY && env.TERM !== 'dumb';
    if (isTerminal && !markdown && !list && !json && (await isPersonHere()))
      return using(await open(place, { create: 'never' }), async (memory) => {
        const { reviewOneByOne } = await import('../review/one-by-one.ts');
        const found = await ask(memory);
        const more = (skipped: number) => ask(memory, MOST_ITEMS + skipped);
        return { report: found, view: await reviewOneByOne(memory, found, more) };
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

const readAnswers = (file: string) => {
  const path = resolve(here().cwd(), file);
  const bytes = readBounded(path, { limit: SMALL });
  if (!bytes) throw notFound.no_file(`Expected a file with a model's answer, found none at ${path}.`);
  return decode(bytes, (line) => `line ${line} of ${path}`);
};

/** For standard error: where the answer goes, and how the older saves are asked about. */
function goOn({ left, ask }: Result<'review'>, since: string | undefined): string {
  const from = since === undefined ? '' : ` --since ${forShell(since)}`;
  const more =
    ask?.next === undefined
      ? ''
      : ` ${left} more wait: "precedent review --ask${from} --before ${ask.next}".`;
  return `Pass its answer to "precedent review --answers -".${more}`;
}

/** Items at once. */
const MOST_ITEMS = 500;

/** What waits as Markdown, for a mail or a wiki (V-3). */
function asMarkdown({ groups, notes, workspace }: Result<'review'>, now: Date): string {
  const head = `# Review of ${workspace}, ${dayOf(now.toISOString())}`;
  const parts = groups.map(({ title, count, items }) =>
    [`## ${title} (${count})`, '', ...items.flatMap(linesOf)].join('\n'),
  );
  return [head, ...parts, ...notes].join('\n\n');
}

function linesOf(item: Result<'review'>['groups'][number]['items'][number]): string[] {
  const { title, text, changes = [], why, what, at, ref, strength, beware } = item;
  const was = changes.flatMap((each) => (each.kind === 'added' ? [] : each.text)).join('');
  const name = title === undefined ? '' : `**${inMarkdown(title)}** `;
  const facts = [what, strength, dayOf(at), shownBy(item), `\`${ref}\``].filter(Boolean).join(' · ');
  return [
    `- ${name}${text === title ? '' : `${inMarkdown(text)} `}(${facts})`,
    ...(was === '' ? [] : [`  - was: ${inMarkdown(was)}`]),
    ...beware.map((each) => `  - ⚠️ ${inMarkdown(each)}`),
    ...(why === undefined ? [] : [`  - why: ${inMarkdown(why)}`]),
  ];
}
