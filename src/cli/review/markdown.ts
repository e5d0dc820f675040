import { dayOf } from '../../domain/text/moment.ts';
import { shownBy } from '../../domain/via.ts';
import type { Result } from '../../operations/index.ts';
import { inMarkdown } from '../output/markdown.ts';

/** What waits as Markdown, for a mail or a wiki (V-3). */
export function revieweddown({ groups, total, older, workspace }: Result<'review'>, now: Date): string {
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
