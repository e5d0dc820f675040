import { dayOf } from '../../domain/text/moment.ts';
import { visible } from '../../domain/text/visible.ts';
import { shownBy } from '../../domain/via.ts';
import type { Result } from '../result.ts';

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
  const name = title === undefined ? '' : `**${plain(title)}** `;
  const facts = [what, strength, dayOf(at), shownBy(item), `\`${ref}\``].filter(Boolean).join(' · ');
  return [
    `- ${name}${text === title ? '' : `${plain(text)} `}(${facts})`,
    ...beware.map((each) => `  - ⚠️ ${plain(each)}`),
    ...(why === undefined ? [] : [`  - why: ${plain(why)}`]),
  ];
}

/** On one line, and without what Markdown or a page would take for its own. */
const plain = (text: string) => visible(text.replace(/\s+/g, ' ')).replace(/[\\`*_<>[\]|]/g, '\\$&');
